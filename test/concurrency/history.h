// For tests: whether what threads saw can be explained by one order of their operations.
//
// A history has, of each operation, when it was called, when it returned, and what it answered. It
// is linearizable when the operations can be put in one order in which each is after all that
// returned before it was called, and each answers what it did. With operations that touch several
// items at once, and the whole database as the state, the same question is strict serializability.
//
// The search is Wing and Gong's, which tries every order that time allows and remembers where it
// has been; histories have to be short (at most 64 operations).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace stator::concurrency {

template <class Operation>
struct Event {
  Operation operation;
  std::uint64_t called = 0;
  std::uint64_t returned = 0;
};

// `apply(state, operation)` gives the state afterwards, or nothing when the operation could not
// have answered as it did in that state.
template <class State, class Operation, class Apply>
class HistoryChecker {
 public:
  HistoryChecker(const std::vector<Event<Operation>>& events, Apply apply)
      : events_(events), apply_(std::move(apply)) {}

  bool HasAnOrder(const State& start) { return Search(0, start); }

 private:
  // `done` has a bit for each operation that is already in the order.
  bool Search(std::uint64_t done, const State& state) {
    if (done == All()) {
      return true;
    }
    if (!visited_.insert({done, state}).second) {
      return false;
    }
    std::uint64_t first_return = UINT64_MAX;
    for (std::size_t at = 0; at < events_.size(); ++at) {
      if ((done >> at & 1U) == 0) {
        first_return = std::min(first_return, events_[at].returned);
      }
    }
    for (std::size_t at = 0; at < events_.size(); ++at) {
      // What was called after another had returned cannot come before it.
      if ((done >> at & 1U) != 0 || events_[at].called > first_return) {
        continue;
      }
      const std::optional<State> next = apply_(state, events_[at].operation);
      if (next && Search(done | (std::uint64_t{1} << at), *next)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint64_t All() const {
    return events_.size() == 64 ? UINT64_MAX : (std::uint64_t{1} << events_.size()) - 1;
  }

  const std::vector<Event<Operation>>& events_;
  Apply apply_;
  std::set<std::pair<std::uint64_t, State>> visited_;
};

template <class State, class Operation, class Apply>
bool HasAnOrder(const std::vector<Event<Operation>>& events, const State& start, Apply apply) {
  return HistoryChecker<State, Operation, Apply>(events, std::move(apply)).HasAnOrder(start);
}

}  // namespace stator::concurrency
