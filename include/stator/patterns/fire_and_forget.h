// Writes for which nobody waits. They are done one by one by a thread of this object, in order; a
// newer one under the same key replaces one that still waits, and when too many wait the oldest is
// dropped. Whatever does not get done reaches a hook.
//
//   FireAndForget background({.on_failure = [](const auto& failure) { Log(failure); }});
//   background.Submit("seen#" + user, "last seen", [&database, input] { ... });
//   background.Drain(5s);                                         // before the program ends
//
// Only for what may be lost: a program that is killed loses what waits.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>

#include "stator/base/clock.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/patterns/best_effort.h"
#include "stator/patterns/environment.h"

namespace stator::patterns {

struct FireAndForgetOptions {
  std::size_t waiting_max = 1000;
  // Without a thread nothing happens before Drain; for tests, and for programs with a loop of their
  // own.
  bool background_thread = true;
  // Also for what was dropped. Called by the thread that does the work; must not block for long.
  std::function<void(const BestEffortFailure&)> on_failure = {};
};

struct FireAndForgetCounts {
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t coalesced = 0;  // replaced by a newer one under the same key
  std::uint64_t dropped = 0;    // too many waited
};

class FireAndForget {
 public:
  using Write = std::function<Result<void>()>;

  explicit FireAndForget(FireAndForgetOptions options = {}, Environment environment = {});
  FireAndForget(const FireAndForget&) = delete;
  FireAndForget& operator=(const FireAndForget&) = delete;
  // Finishes the write that is under way; what waits is reported as dropped.
  ~FireAndForget();

  // Never waits. An empty key is no key: nothing replaces such a write.
  void Submit(const std::string& key, std::string purpose, Write write);

  // Does what waits, on this thread, too. False when time ran out first; the rest still waits.
  bool Drain(Duration at_most);

  [[nodiscard]] FireAndForgetCounts counts() const;

 private:
  struct Task {
    std::string key;
    std::string purpose;
    Write write;
  };

  void Work(const std::stop_token& stop);
  std::optional<Task> Take();
  void Do(const Task& task);
  void Report(std::string purpose, Error error) const;

  FireAndForgetOptions options_;
  Environment environment_;

  mutable Mutex mutex_;
  StoppableConditionVariable changed_;
  std::list<Task> waiting_ STATOR_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::list<Task>::iterator> by_key_ STATOR_GUARDED_BY(mutex_);
  std::size_t under_way_ STATOR_GUARDED_BY(mutex_) = 0;
  FireAndForgetCounts counts_ STATOR_GUARDED_BY(mutex_);
  std::jthread thread_;  // last: ends before what it uses
};

}  // namespace stator::patterns
