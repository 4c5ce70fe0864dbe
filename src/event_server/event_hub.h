// Follows the end of the log once for all who wait for events, so that waiting costs nobody a thread
// and the database one look for all.
//
//   const EventHub::Member member = hub.Join();
//   const auto seen = hub.position();
//   ... reads everything that is there, and finds nothing ...
//   hub.Wait(member, query, seen, [] { ... read again ... });
//
// Whoever waits is woken when an event that matches was appended behind what the hub had seen before
// they read; sometimes for nothing, never too seldom. While nobody is a member, nothing is looked at.
//
// THREADS: every method from any thread, Stop from one. `wake` is called by the hub's thread or the caller's, without
// a lock, and must not wait.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

class EventHub {
 public:
  using Member = std::uint64_t;
  using Wake = std::function<void()>;

  // The store must outlive it.
  explicit EventHub(events::EventStore& store);
  EventHub(const EventHub&) = delete;
  EventHub& operator=(const EventHub&) = delete;
  ~EventHub() { Stop(); }

  // From now on nobody is woken. Not from `wake`.
  void Stop();

  Member Join();
  // Forgets that it waits.
  void Leave(Member member);

  // Up to where the hub has looked; nothing before its first look.
  [[nodiscard]] std::optional<std::uint64_t> position() const;

  // `seen` is what position() gave before the member read. REQUIRES: it does not wait already.
  void Wait(Member member, const events::EventQuery& query, std::optional<std::uint64_t> seen,
            const Wake& wake);

 private:
  struct Waiting {
    events::EventQuery query;
    std::optional<std::uint64_t> seen;
    Wake wake;
  };

  void Run(const std::stop_token& stop);
  // As long as there are members.
  void Follow(const std::stop_token& stop);
  // Finds out what is new and wakes who waits for it.
  Result<void> Look(const std::stop_token& stop);
  Result<void> BeginAtTheEnd();
  // Events in the order of the log, without their payloads.
  void Publish(std::vector<events::Event> batch);
  void WakeAll();

  [[nodiscard]] bool HasMembers() const;
  // Whether something behind what was seen matches, or cannot be known not to.
  [[nodiscard]] bool HasNews(const Waiting& waiting) const STATOR_REQUIRES(mutex_);
  std::vector<Wake> TakeThoseWithNews() STATOR_REQUIRES(mutex_);
  void Trim() STATOR_REQUIRES(mutex_);

  events::EventStore* const store_;
  std::optional<events::Cursor> cursor_;  // of the hub's thread; of the last event that it saw

  mutable Mutex mutex_;
  StoppableConditionVariable changed_;
  Member last_member_ STATOR_GUARDED_BY(mutex_) = 0;
  std::map<Member, std::optional<Waiting>> members_ STATOR_GUARDED_BY(mutex_);
  std::optional<std::uint64_t> position_ STATOR_GUARDED_BY(mutex_);
  // The last events, for those who read a little before they came.
  std::deque<events::Event> recent_ STATOR_GUARDED_BY(mutex_);
  std::size_t recent_bytes_ STATOR_GUARDED_BY(mutex_) = 0;

  std::jthread thread_;  // the last, because it uses the others
};

}  // namespace stator::event_server
