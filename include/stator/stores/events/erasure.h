// Erasing what events say about a person, from a log that never changes.
//
// An event that is appended with a subject (NewEvent::subject) has its payload sealed with a key of
// that subject. EraseSubject deletes the key: from then on nobody can read those payloads, wherever
// they are: in the log, its index, its view, the blob store and copies of them. The events stay,
// with type, tags, metadata and place, so that positions, conditions and everything that counts
// events hold as before; reads give them with an empty payload and `erased`.
//
//   store.Append({{.type = "Enrolled", .payload = form, .tags = {"student:s7"}, .subject = "s7"}});
//   EraseSubject(store, "s7", {.by = "privacy@school", .reason = "asked for it"});
//
// What is not sealed: types, tags, metadata and the subject's name. Name people by numbers there. States
// of projections are not erased either: rebuild those that keep what they should not. A copy of the
// events table, such as a backup, has the keys that it had.
//
// An erased subject stays erased: nothing more can be appended about it. Processes that know its key
// forget it within EventStoreOptions::subject_keys_kept; what they append until then is erased, too.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

struct EraseOptions {
  std::string by = {};      // who erases
  std::string reason = {};  // and why, for the record
  // Also a subject about which nothing was appended, or whose key got lost. Without it that is
  // kNotFound, since it is more likely a typo.
  bool unknown = false;
};

// The record that it happened.
struct Erasure {
  std::string subject;
  std::string erased_at;  // ISO 8601
  std::string by = {};
  std::string reason = {};

  friend bool operator==(const Erasure&, const Erasure&) = default;
};

// Once: whoever repeats it gets the record of the first.
Result<Erasure> EraseSubject(EventStore& store, std::string_view subject,
                             const EraseOptions& options = {});

// Sorted by subject.
Result<std::vector<Erasure>> ListErasures(EventStore& store);

}  // namespace stator::events
