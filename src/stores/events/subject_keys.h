// The keys of subjects, with which payloads are sealed (erasure.h).
//
// FORMAT (on disk): the row of a subject has `key`, 32 bytes, or instead of it `erasedAt`, `by` and
// `reason`. It is made before the first event about the subject, and never removed.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/sealing.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

struct EventStoreCore;

using KeyBySubject = std::map<std::string, base::SealingKey>;

class SubjectKeys {
 public:
  explicit SubjectKeys(EventStoreCore& core) : core_(&core) {}

  // Of the subjects of events that are to be appended; makes those that are not there yet. Fails with
  // kValidation for a subject that cannot be one, and with kExpired for one that was erased.
  Result<KeyBySubject> ForAppending(const std::vector<NewEvent>& events);

  // Reads the keys of these subjects, those that are known excepted, in few requests.
  Result<void> Prefetch(std::vector<std::string> subjects);

  // Puts what its payload says into an event that the log has, or that it was erased. Fails with
  // kNotFound when there is neither a key nor a record that it was erased.
  Result<void> Open(Event& event);

  // What is known of the subject.
  void Forget(const std::string& subject);

 private:
  struct Known {
    std::optional<base::SealingKey> key;  // nothing: it was erased
    Duration read_at;
  };

  std::optional<Known> FindKnown(const std::string& subject);
  Result<Known> RememberRow(const std::string& subject, const Item& row);
  // Nothing when there is no row.
  Result<std::optional<Known>> Read(const std::string& subject);
  Result<base::SealingKey> MakeKey(const std::string& subject);

  EventStoreCore* core_;
  Mutex mutex_;
  std::unordered_map<std::string, Known> known_ STATOR_GUARDED_BY(mutex_);
};

// Of a subject that was erased in the store that its events come from: records it, unless something is
// known of such a subject here.
Result<void> KeepErased(EventStoreCore& core, const std::string& subject);

Result<void> CheckSubject(const std::string& subject);

// What is in the log instead of the payload.
std::string SealPayload(const EventStoreCore& core, const base::SealingKey& key,
                        const std::string& subject, const std::string& payload);

}  // namespace stator::events
