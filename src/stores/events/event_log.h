// The log of a service as one process sees and writes it.
//
// WRITING: appends wait in a queue. Whoever comes first decides as many of them as fit one slot,
// against the tail, sends the slot and settles it; meanwhile another may decide on top of what is
// on its way and send the next slot. Slots are settled in order. When another process took the
// place of one, everything that was decided on it is decided again. Nothing is refused because of
// something that is not committed.
//
// READING: Refresh folds what others appended; then the tail and the index up to its mark are all
// that was committed when Refresh began.
//
// THREADS: made for many.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/log_items.h"
#include "stores/events/log_slot.h"
#include "stores/events/tail.h"

namespace stator::events {

struct Core;

// An append as it goes through the queue.
struct Ticket {
  // What is asked.
  LoggedAppend append = {};
  std::vector<Event> events = {};  // without places, unless they keep theirs
  std::string bytes = {};          // both, encoded
  std::optional<Parts> parts = {};
  const std::vector<AppendCondition>* conditions = nullptr;
  std::uint64_t facts_slot = 0;        // up to here the caller has looked into the index
  std::optional<Error> conflict = {};  // that it found there
  std::stop_token stop = {};

  // What came of it: a place in the log, an error, or that the facts are too old.
  enum class Outcome : std::uint8_t { kNone, kAppended, kFound, kStale, kFailed };
  std::atomic<Outcome> outcome = Outcome::kNone;
  SlotPointer slot = {};
  std::size_t append_index = 0;
  Error error = {};

  bool sent = false;     // at least once
  bool waiting = false;  // protected by the log's mutex
  std::binary_semaphore wake{0};
};

class EventLog {
 public:
  explicit EventLog(Core& core) : core_(&core) {}

  // Reads the tail behind the mark.
  Result<void> Open();

  // REQUIRES: the ticket has no outcome. Returns when it has one.
  void Run(Ticket& ticket);

  // Folds everything that is committed now.
  Result<void> Refresh(bool consistent);

  // The tail as it is, and nothing of it may be kept but slots.
  template <class Look>
  auto LookAtTail(const Look& look) {
    const std::scoped_lock lock(mutex_);
    return look(tail_);
  }
  void LearnLast(const Mark& mark, const std::string& tag, SortableId last);

  // The index is complete up to there, somebody says.
  void UseMark(const Mark& mark);

  // How many wait for something that is on its way.
  [[nodiscard]] std::size_t CountWaiting() const;

 private:
  struct Flight {
    std::shared_ptr<Slot> slot;
    PutItemInput put;
    std::vector<Ticket*> members;
    enum class State : std::uint8_t { kSent, kStored, kLost, kFailed, kUnknown };
    State state = State::kSent;
    std::optional<Item> other;  // that is there instead
    Error error;
    bool maybe_stored = false;  // an answer was lost
    bool abandoned = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] bool CanLead() const;
  void Lead(Lock& lock);
  // What has to be done before anything can be decided.
  Result<void> MakeReady(Lock& lock);
  std::shared_ptr<Flight> Decide();
  enum class Judgement : std::uint8_t { kMember, kAnswered, kWaits };
  Judgement Judge(Ticket& ticket);
  void AddMember(Ticket& ticket, Flight& flight);
  [[nodiscard]] bool Fits(const Ticket& ticket, const Flight& flight) const;
  std::shared_ptr<Flight> MakeFlight();
  void FinishFlight(Flight& flight) const;
  void Send(Flight& flight);
  void SettleReady();
  void Abandon(bool decide_again, const Error& error);
  Result<void> CatchUp(Lock& lock, std::optional<Item> known);
  Result<void> MakeRoom(Lock& lock);

  void Answer(Ticket& ticket, Ticket::Outcome outcome);
  void Fail(Ticket& ticket, Error error);
  void WakeOne();
  // Those that were woken go on when the lock is open.
  void ReleaseWoken(Lock& lock);

  Core* core_;
  mutable std::mutex mutex_;  // protects everything below
  Tail tail_;
  std::deque<Ticket*> queue_;
  std::deque<std::shared_ptr<Flight>> flights_;
  bool busy_ = false;                  // somebody prepares or decides
  bool nothing_decidable_ = false;     // all that wait do so for flights
  std::shared_ptr<Flight> unsettled_;  // of which nobody knows whether it was stored
  bool must_catch_up_ = false;
  std::optional<Item> known_next_;
  Duration last_put_ = Duration::zero();
  std::vector<Ticket*> woken_;
  std::condition_variable settled_;
};

}  // namespace stator::events
