#include "stator/stores/events/event_follower.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/events/append_waiter.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

EventFollower::EventFollower(EventStore& store, FollowOptions options)
    : store_(&store), options_(std::move(options)), cursor_(options_.since) {}
EventFollower::~EventFollower() = default;

Result<std::unique_ptr<EventFollower>> EventFollower::Open(EventStore& store,
                                                           FollowOptions options) {
  TRY_VOID(CheckQuery(options.query));
  if (options.batch == 0) {
    return Invalid("a follower takes at least one event at a time");
  }
  std::unique_ptr<EventFollower> follower(new EventFollower(store, std::move(options)));
  follower->waiter_ =
      TRY(AppendWaiter::Open(EventStoreCoreOf(store),
                             {follower->options_.poll_interval, follower->options_.stream_interval},
                             follower->options_.use_stream));
  return follower;
}

bool EventFollower::uses_stream() const {
  return waiter_->uses_stream();
}

bool EventFollower::CanBeLate() const {
  const bool one_tag =
      options_.query.items.size() == 1 && options_.query.items.front().tags.size() == 1;
  return EventStoreCoreOf(*store_).is_foreign && !one_tag;
}

Result<std::vector<Event>> EventFollower::Poll() {
  ReadOptions read{.query = options_.query, .since = cursor_, .limit = options_.batch};
  if (!CanBeLate()) {
    std::vector<Event> events = TRY(store_->ReadList(read));
    if (!events.empty()) {
      cursor_ = events.back().cursor();
    }
    return events;
  }
  // Again what was given of the window, to find what came late.
  if (cursor_) {
    const SortableId from = SortableId::At(cursor_->sortable_id.Time() - options_.late_window);
    read.since =
        options_.since && options_.since->sortable_id > from ? *options_.since : Cursor(from);
    read.limit = options_.batch + given_.size();
  }
  std::vector<Event> events = TRY(store_->ReadList(read));
  std::erase_if(events, [this](const Event& event) {
    return given_.contains({event.sortable_id, event.id});
  });
  Remember(events);
  return events;
}

void EventFollower::Remember(const std::vector<Event>& events) {
  for (const Event& event : events) {
    given_.insert({event.sortable_id, event.id});
    if (!cursor_ || event.sortable_id > cursor_->sortable_id) {
      cursor_ = event.cursor();
    }
  }
  if (cursor_) {
    const SortableId from = SortableId::At(cursor_->sortable_id.Time() - options_.late_window);
    given_.erase(given_.begin(), given_.lower_bound({from, {}}));
  }
}

Result<std::vector<Event>> EventFollower::Next(const std::stop_token& stop) {
  do {
    std::vector<Event> events = TRY(Poll());
    if (!events.empty()) {
      return events;
    }
  } while (waiter_->Wait(stop));
  return std::vector<Event>();
}

}  // namespace stator::events
