// The log of a service as one process sees and writes it.
//
// WRITING: appends wait in a queue. Whoever leads decides as many of them as fit one slot, against
// the tail, sends the slot and settles it; meanwhile another may decide on top of what is on its way
// and send the next slot. Slots are settled in order. When another process took the place of one,
// everything that was decided on it is decided again. Nothing is refused because of something that is
// not committed.
//
// WHO LEADS: a thread that waits for its append, so that a single writer pays for no switch of
// threads. When only appends with an owner wait, one of the log's own threads, of which there are as
// many as slots may be on their way, and none before one is needed. These tell the owners, too.
//
// READING: Refresh folds what others appended; then the tail and the index up to its mark are all
// that was committed when Refresh began.
//
// THREADS: made for many. Close must be alone with those whom it waits for.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stores/events/known_tags.h"
#include "stores/events/log_flight.h"
#include "stores/events/tail.h"

namespace stator::events {

struct EventStoreCore;

class EventLog {
 public:
  explicit EventLog(EventStoreCore& core) : core_(&core) {}

  // Reads the tail behind the mark.
  Result<void> Open();

  // Returns when the ticket has an outcome. REQUIRES: it has no owner.
  void Run(Ticket& ticket);

  // For tickets with an owner. Each was counted by Begin, once; whether it may still begin.
  [[nodiscard]] bool Begin();
  // The owner is told when the ticket has an outcome, never within this call, and may be before it
  // returns.
  void Start(Ticket& ticket);
  // The same for one whose outcome is known.
  void Tell(Ticket& ticket);
  // Nothing may begin any more; returns when every owner is done and no thread is left.
  void Close();

  // Folds everything that is committed now.
  Result<void> Refresh(bool consistent);

  // The tail as it is, and nothing of it may be kept but slots.
  template <class Look>
  auto LookAtTail(const Look& look) {
    const MutexLock lock(mutex_);
    return look(tail_);
  }
  KnownTags& known_tags() { return known_tags_; }

  // The index is complete up to there, somebody says, and perhaps what it says there of the tags
  // that its last chunk has.
  void UseMark(const Mark& mark, const std::map<BlockName, Totals>* totals = nullptr);

  // How many wait for something that is on its way.
  [[nodiscard]] std::size_t CountWaiting() const;

 private:
  // Those that say so are called with mutex_ held; some give it up while they ask the database.

  // How many must wait before a further slot is sent: those who come one by one while one is on its
  // way should share the next.
  [[nodiscard]] std::size_t CountNeeded() const STATOR_REQUIRES(mutex_);
  [[nodiscard]] bool CanLead() const STATOR_REQUIRES(mutex_);
  [[nodiscard]] bool IsOnItsWay(const SlotId& id) const STATOR_REQUIRES(mutex_);
  void Enter(Ticket& ticket);
  void TakeIncoming() STATOR_REQUIRES(mutex_);
  void Lead() STATOR_REQUIRES(mutex_);
  // Lets those go on who were answered, and, unless the caller stays to do it, somebody do what is to
  // be done now.
  enum class Caller : bool { kMayLeave, kStays };
  void PassOn(Caller caller) STATOR_REQUIRES(mutex_);
  void CallLeader() STATOR_REQUIRES(mutex_);
  [[nodiscard]] bool HasWork() STATOR_REQUIRES(mutex_);
  // Lets one of the log's threads look for work, if one has nothing to do.
  void WakeThread() STATOR_REQUIRES(mutex_);
  void Work();
  void TellOwners() STATOR_REQUIRES(mutex_);
  // What has to be done before anything can be decided.
  Result<void> MakeReady() STATOR_REQUIRES(mutex_);
  Result<void> SettleUnknown() STATOR_REQUIRES(mutex_);
  Result<void> MakeRoom() STATOR_REQUIRES(mutex_);
  void FailAll(Error error) STATOR_REQUIRES(mutex_);
  std::shared_ptr<Flight> Decide() STATOR_REQUIRES(mutex_);
  enum class Verdict : std::uint8_t { kMember, kAnswered, kWaits };
  Verdict CheckTicket(Ticket& ticket) STATOR_REQUIRES(mutex_);
  Verdict CheckConditions(Ticket& ticket) STATOR_REQUIRES(mutex_);
  [[nodiscard]] std::shared_ptr<Flight> MakeFlight() const STATOR_REQUIRES(mutex_);
  void SettleReady() STATOR_REQUIRES(mutex_);
  void Abandon(bool decide_again, const Error& error) STATOR_REQUIRES(mutex_);
  Result<void> CatchUp(std::optional<Item> known) STATOR_REQUIRES(mutex_);
  Result<std::vector<SlotPointer>> ReadOn(std::uint64_t next, std::uint64_t most,
                                          const std::optional<Item>& known);
  void TrimTo(const Mark& mark, const std::map<BlockName, Totals>* totals) STATOR_REQUIRES(mutex_);

  void Answer(Ticket& ticket, Ticket::Outcome outcome) STATOR_REQUIRES(mutex_);
  void Fail(Ticket& ticket, Error error) STATOR_REQUIRES(mutex_);
  // Tells the hooks what became of it.
  void Report(const Flight& flight, const Sent& sent, Duration took) const;

  EventStoreCore* core_;
  KnownTags known_tags_;

  // Those who come need nothing but these, unless they can lead.
  mutable Mutex incoming_mutex_;
  std::vector<Ticket*> incoming_ STATOR_GUARDED_BY(incoming_mutex_);
  std::atomic<std::size_t> queued_ = 0;  // in incoming_ and queue_
  std::atomic<std::size_t> needed_ = 1;  // CountNeeded, or more than can be while nobody can lead

  mutable Mutex mutex_;  // taken before incoming_mutex_
  Tail tail_ STATOR_GUARDED_BY(mutex_);
  std::deque<Ticket*> queue_ STATOR_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Flight>> flights_ STATOR_GUARDED_BY(mutex_);
  bool busy_ STATOR_GUARDED_BY(mutex_) = false;  // somebody prepares or decides
  // All that wait do so for flights.
  bool nothing_decidable_ STATOR_GUARDED_BY(mutex_) = false;
  // Of which nobody knows whether it was stored.
  std::shared_ptr<Flight> unsettled_ STATOR_GUARDED_BY(mutex_);
  bool must_catch_up_ STATOR_GUARDED_BY(mutex_) = false;
  std::optional<Item> known_next_ STATOR_GUARDED_BY(mutex_);
  Duration last_put_ STATOR_GUARDED_BY(mutex_) = Duration::zero();
  ConditionVariable settled_;

  // Those that have an outcome: of them who wait, and of owners who were not told yet.
  std::vector<Ticket*> woken_ STATOR_GUARDED_BY(mutex_);
  std::vector<Ticket*> answered_ STATOR_GUARDED_BY(mutex_);
  std::atomic<std::size_t> under_way_ = 0;  // begun, and their owners not done
  std::atomic<bool> closing_ = false;
  ConditionVariable work_;
  ConditionVariable done_;
  std::size_t idle_ STATOR_GUARDED_BY(mutex_) = 0;    // threads that sleep and were not called
  std::size_t called_ STATOR_GUARDED_BY(mutex_) = 0;  // that have not come yet
  bool closed_ STATOR_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::events
