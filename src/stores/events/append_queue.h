// Appends of one process that move the same global head take turns. Those that arrive while one is
// under way are committed together by the next turn: one transaction and one wait for the disk.
//
// THREADS: made for many.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

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
    std::condition_variable changed;
    bool leads = false;
    bool done = false;
    std::optional<Appended> answer;
  };

  // One turn, whose first member is the leader's.
  void Lead(Core& core, Ticket& own);
  // Takes those out of the queue that can be committed together with the first.
  std::vector<Ticket*> TakeMembers(Core& core);
  void PassOn();

  mutable std::mutex mutex_;
  std::deque<Ticket*> waiting_;  // protected by mutex_, as is all below
  bool has_leader_ = false;
};

}  // namespace stator::events
