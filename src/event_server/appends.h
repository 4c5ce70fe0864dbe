// The appends of a server: no thread waits for one, so those of any number of clients share the slots of
// the log.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "event_server/event_service.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

struct AppendAnswer {
  std::optional<std::string> refused = std::nullopt;  // by which event, for people
  std::uint64_t position = 0;                         // of the last event, unless it was refused
  bool repeated = false;
};

// THREADS: any. The store must outlive it.
class Appends {
 public:
  using Done = std::move_only_function<void(Result<AppendAnswer>)>;

  explicit Appends(events::EventStore& store) : store_(&store) {}
  Appends(const Appends&) = delete;
  Appends& operator=(const Appends&) = delete;
  ~Appends() { Wait(); }

  // Reads what the position of a condition and the index ask for, here; `done` is called once, by a
  // thread of the store, or here when reading fails. REQUIRES: the request has events.
  void Start(AppendRequest request, Done done);

  // Those that were started and not answered.
  [[nodiscard]] std::size_t under_way() const;
  // Until none is, and what their `done` held is gone. REQUIRES: nobody starts one. Not from a `done`.
  void Wait() const;

 private:
  void Leave();

  events::EventStore* store_;
  mutable Mutex mutex_;
  mutable ConditionVariable none_left_;
  std::size_t under_way_ STATOR_GUARDED_BY(mutex_) = 0;
};

}  // namespace stator::event_server
