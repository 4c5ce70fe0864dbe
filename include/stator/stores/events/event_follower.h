// Events as they are appended: first those that are there, then each new one.
//
//   auto follower = EventFollower::Open(store, {.query = EventQuery::Tagged("course:c1")});
//   while (!stop.stop_requested()) {
//     const Result<std::vector<Event>> events = (*follower)->Next(stop);   // waits
//     ...
//   }
//
// Nothing is left out. In a store with a global head, and under one tag, events come in the order
// in which they were committed, each once. Otherwise an event of a writer whose clock is behind may
// come after later ones, if it appears within `late_window`.
//
// SOURCE: what its own process appends wakes a follower at once. For what others append the log is
// looked at: every few milliseconds while there is news, then ever more seldom, in the end every
// `poll_interval`; or, if the events table has a stream (EventStoreOptions::stream_events), that is
// looked at every `stream_interval`, and an idle follower costs no reads of the table.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

class AppendWaiter;

struct FollowOptions {
  EventQuery query = {};
  std::optional<Cursor> since = std::nullopt;  // exclusive; absent: from the first event
  std::uint64_t batch = 500;                   // events of one Next at most
  Duration poll_interval = std::chrono::seconds(1);
  Duration stream_interval = std::chrono::milliseconds(250);
  Duration late_window = std::chrono::seconds(20);
  bool use_stream = true;  // if there is one
};

// THREADS: one at a time. The store must outlive it.
class EventFollower {
 public:
  static Result<std::unique_ptr<EventFollower>> Open(EventStore& store, FollowOptions options = {});
  EventFollower(const EventFollower&) = delete;
  EventFollower& operator=(const EventFollower&) = delete;
  ~EventFollower();

  // The next events; waits for them. Empty only when it was told to stop.
  Result<std::vector<Event>> Next(const std::stop_token& stop);
  // Those that are there now, perhaps none.
  Result<std::vector<Event>> Poll();

  // Behind the last event that was given.
  [[nodiscard]] const std::optional<Cursor>& cursor() const { return cursor_; }
  [[nodiscard]] bool uses_stream() const;

 private:
  EventFollower(EventStore& store, FollowOptions options);

  // Whether events can appear before those that were given.
  [[nodiscard]] bool CanBeLate() const;
  void Remember(const std::vector<Event>& events);

  EventStore* store_;
  FollowOptions options_;
  std::unique_ptr<AppendWaiter> waiter_;
  std::optional<Cursor> cursor_;
  // Of the events within the window that were given.
  struct Given {
    SortableId sortable_id;
    std::string event_id;
    friend auto operator<=>(const Given&, const Given&) = default;
  };
  std::set<Given> given_;
};

}  // namespace stator::events
