#include "event_server/event_hub.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/probe.h"
#include "base/try.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/append_waiter.h"
#include "stores/events/event_store_core.h"

namespace stator::event_server {
namespace {

using events::Event;
using events::EventQuery;
using events::EventStream;

// As EventFollower has them.
constexpr events::WaitOptions kWaits = {.poll_interval = std::chrono::seconds(1),
                                        .stream_interval = std::chrono::milliseconds(250)};
// How long to wait when the store fails before it can be followed at all.
constexpr Duration kRest = std::chrono::milliseconds(100);
constexpr std::size_t kBatchEvents = 500;
constexpr std::size_t kRecentEvents = 4096;
constexpr std::size_t kRecentBytes = 4 << 20;

std::size_t SizeOfTags(const Event& event) {
  std::size_t bytes = sizeof(Event) + event.type.size();
  for (const std::string& tag : event.tags) {
    bytes += sizeof(std::string) + tag.size();
  }
  return bytes;
}

}  // namespace

EventHub::EventHub(events::EventStore& store)
    : store_(&store), thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void EventHub::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) {
    thread_.join();
  }
}

EventHub::Member EventHub::Join() {
  const MutexLock lock(mutex_);
  members_.emplace(++last_member_, std::nullopt);
  changed_.NotifyAll();
  return last_member_;
}

void EventHub::Leave(Member member) {
  std::optional<Waiting> forgotten;  // What it holds goes without the lock.
  const MutexLock lock(mutex_);
  if (const auto found = members_.find(member); found != members_.end()) {
    forgotten.swap(found->second);
    members_.erase(found);
  }
}

std::optional<std::uint64_t> EventHub::position() const {
  const MutexLock lock(mutex_);
  return position_;
}

bool EventHub::HasMembers() const {
  const MutexLock lock(mutex_);
  return !members_.empty();
}

void EventHub::Wait(Member member, const EventQuery& query, std::optional<std::uint64_t> seen,
                    const Wake& wake) {
  {
    const MutexLock lock(mutex_);
    Waiting waiting{.query = query, .seen = seen, .wake = wake};
    if (!HasNews(waiting)) {
      members_[member] = std::move(waiting);
      return;
    }
  }
  wake();
}

bool EventHub::HasNews(const Waiting& waiting) const {
  if (!position_) {
    return false;  // The first look will tell.
  }
  if (!waiting.seen) {
    return true;
  }
  if (*waiting.seen >= *position_) {
    return false;
  }
  const std::uint64_t first = recent_.empty() ? *position_ + 1 : recent_.front().position;
  if (*waiting.seen + 1 < first) {
    PROBE("events came faster than a subscription could look");
    return true;
  }
  const auto begin = recent_.begin() + static_cast<std::ptrdiff_t>(*waiting.seen + 1 - first);
  return std::any_of(begin, recent_.end(),
                     [&](const Event& event) { return waiting.query.Matches(event); });
}

std::vector<EventHub::Wake> EventHub::TakeThoseWithNews() {
  std::vector<Wake> woken;
  for (auto& [member, waiting] : members_) {
    if (!waiting) {
      continue;
    }
    if (HasNews(*waiting)) {
      woken.push_back(std::move(waiting->wake));
      waiting.reset();
    } else if (position_) {
      waiting->seen = position_;
    }
  }
  return woken;
}

void EventHub::Trim() {
  while (recent_.size() > kRecentEvents || recent_bytes_ > kRecentBytes) {
    recent_bytes_ -= SizeOfTags(recent_.front());
    recent_.pop_front();
  }
}

void EventHub::Publish(std::vector<Event> batch) {
  std::vector<Wake> woken;
  {
    const MutexLock lock(mutex_);
    position_ = batch.back().position;
    for (Event& event : batch) {
      recent_bytes_ += SizeOfTags(event);
      recent_.push_back(std::move(event));
    }
    // Before the first ones go.
    woken = TakeThoseWithNews();
    Trim();
  }
  for (const Wake& wake : woken) {
    wake();
  }
}

// Each finds out for itself what is wrong.
void EventHub::WakeAll() {
  std::vector<Wake> woken;
  {
    const MutexLock lock(mutex_);
    for (auto& [member, waiting] : members_) {
      if (waiting) {
        woken.push_back(std::move(waiting->wake));
        waiting.reset();
      }
    }
  }
  for (const Wake& wake : woken) {
    wake();
  }
}

Result<void> EventHub::BeginAtTheEnd() {
  EventStream last = TRY(store_->Read({.limit = 1, .backwards = true, .load_payloads = false}));
  const std::optional<Event> event = TRY(last.Next());
  cursor_ = event ? std::optional(event->cursor()) : std::nullopt;
  std::vector<Wake> woken;
  {
    const MutexLock lock(mutex_);
    position_ = event ? event->position : 0;
    woken = TakeThoseWithNews();
  }
  for (const Wake& wake : woken) {
    wake();
  }
  return {};
}

Result<void> EventHub::Look(const std::stop_token& stop) {
  EventStream stream = TRY(store_->Read({.since = cursor_, .load_payloads = false}));
  std::vector<Event> batch;
  while (!stop.stop_requested()) {
    std::optional<Event> event = TRY(stream.Next());
    const bool was_last = !event;
    if (event) {
      cursor_ = event->cursor();
      event->payload = std::string();
      batch.push_back(*std::move(event));
    }
    if (batch.size() >= kBatchEvents || (was_last && !batch.empty())) {
      Publish(std::exchange(batch, {}));
    }
    if (was_last) {
      break;
    }
  }
  return {};
}

void EventHub::Follow(const std::stop_token& stop) {
  auto waiter =
      events::AppendWaiter::Open(events::EventStoreCoreOf(*store_), kWaits, /*use_stream=*/true);
  if (!waiter || !BeginAtTheEnd()) {
    WakeAll();
    store_->environment().clock->SleepFor(kRest);
    return;
  }
  while (!stop.stop_requested() && HasMembers()) {
    if (!Look(stop)) {
      WakeAll();
    }
    (*waiter)->Wait(stop);
  }
}

void EventHub::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      MutexLock lock(mutex_);
      // Where it stood is long ago.
      position_.reset();
      recent_.clear();
      recent_bytes_ = 0;
      if (!changed_.Wait(lock, stop,
                         [this]() STATOR_REQUIRES(mutex_) { return !members_.empty(); })) {
        return;
      }
    }
    Follow(stop);
  }
}

}  // namespace stator::event_server
