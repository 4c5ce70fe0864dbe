// Appends of one process that move the same global head take turns. Those that arrive while one is
// under way are committed together by the next turn: one transaction and one wait for the disk.
//
// THREADS: made for many.

#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/stores/events/append.h"

namespace stator::events {

struct Core;
class AppendRun;

class AppendQueue {
 public:
  // The answer if the run was committed together with others. Nothing when it has to go on alone:
  // because nobody else was there, or because what is to be said about it is not a success.
  std::optional<Appended> Join(Core& core, AppendRun& run);

  // How many wait for their turn, or for that of another.
  [[nodiscard]] std::size_t CountWaiting() const;

 private:
  struct Ticket {
    explicit Ticket(AppendRun& of) : run(&of) {}

    AppendRun* run;
    ConditionVariable changed;
    bool leads = false;
    bool done = false;
    std::optional<Appended> answer;
  };

  // One turn, whose first member is the leader's.
  void Lead(Core& core, Ticket& own);
  // Takes those out of the queue that can be committed together with the first.
  std::vector<Ticket*> TakeMembers(Core& core);
  void PassOn() STATOR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  // Tickets are changed by whoever holds the mutex, but for `run`.
  std::deque<Ticket*> waiting_ STATOR_GUARDED_BY(mutex_);
  bool has_leader_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::events
