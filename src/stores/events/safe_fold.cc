#include <algorithm>
#include <tuple>

#include "base/try.h"
#include "stator/stores/events/projection.h"

namespace stator::events {
namespace {

constexpr std::size_t kRecentMax = 200'000;

bool IsBefore(const Event& left, const Event& right) {
  return std::tie(left.sortable_id, left.id) < std::tie(right.sortable_id, right.id);
}

}  // namespace

void SafeFold::Resume(Cursor cursor, std::uint64_t events) {
  cursor_ = std::move(cursor);
  events_ = events;
}

Result<void> SafeFold::Check() const {
  if (fault_) {
    return std::unexpected(*fault_);
  }
  if (must_be_rebuilt_) {
    return Fail(ErrorCode::kUnavailable, "the projection has to be rebuilt");
  }
  return {};
}

Result<void> SafeFold::ApplyTo(Projection& projection, const Event& event) {
  Result<void> applied = projection.Apply(event);
  if (!applied) {
    fault_ = applied.error();
    fault_at_ = event.cursor();
    fault_->message = "at event " + event.id + ": " + fault_->message;
    return std::unexpected(*fault_);
  }
  return {};
}

void SafeFold::Remember(const std::string& event_id) {
  recent_.push_back(event_id);
  recent_set_.insert(event_id);
  if (recent_.size() > kRecentMax) {
    recent_set_.erase(recent_.front());
    recent_.pop_front();
  }
}

Result<void> SafeFold::MakeServed() {
  served_ = safe_->Clone();
  for (const Event& event : waiting_) {
    TRY_VOID(ApplyTo(*served_, event));
  }
  return {};
}

Result<void> SafeFold::FoldSafe(const Event& event) {
  TRY_VOID(ApplyTo(*safe_, event));
  // In place, which costs no memory.
  cursor_.sortable_id = event.sortable_id;
  cursor_.event_id = event.id;
  cursor_.position = event.position;
  ++events_;
  return {};
}

bool SafeFold::Knows(const Event& event) const {
  const auto place = std::lower_bound(waiting_.begin(), waiting_.end(), event, IsBefore);
  const bool waits = place != waiting_.end() && place->id == event.id;
  return waits || recent_set_.contains(event.id) || event.id == cursor_.event_id;
}

// Nothing comes late, so what is not behind the cursor was added before.
Result<void> SafeFold::AddFinal(const std::vector<Event>& events) {
  for (const Event& event : events) {
    if (events_ == 0 || event.sortable_id > cursor_.sortable_id) {
      TRY_VOID(FoldSafe(event));
    }
  }
  return {};
}

Result<void> SafeFold::Add(std::vector<Event> events, SortableId safe_up_to) {
  TRY_VOID(Check());
  if (safe_up_to == SortableId::Max() && waiting_.empty()) {
    return AddFinal(events);
  }
  std::sort(events.begin(), events.end(), IsBefore);
  bool served_is_stale = false;
  for (Event& event : events) {
    if (Knows(event)) {
      continue;
    }
    const auto place = std::lower_bound(waiting_.begin(), waiting_.end(), event, IsBefore);
    if (events_ > 0 &&
        std::tie(event.sortable_id, event.id) <= std::tie(cursor_.sortable_id, cursor_.event_id)) {
      must_be_rebuilt_ = true;
      return Check();
    }
    if (waiting_.empty() && event.sortable_id <= safe_up_to) {
      TRY_VOID(FoldSafe(event));
      Remember(event.id);
      continue;
    }
    if (place == waiting_.end() && served_ != nullptr && !served_is_stale) {
      TRY_VOID(ApplyTo(*served_, event));
    } else {
      served_is_stale = true;
    }
    waiting_.insert(place, std::move(event));
  }
  if (served_is_stale) {
    TRY_VOID(MakeServed());
  }
  return Promote(safe_up_to);
}

Result<void> SafeFold::Promote(SortableId safe_up_to) {
  TRY_VOID(Check());
  while (!waiting_.empty() && waiting_.front().sortable_id <= safe_up_to) {
    TRY_VOID(FoldSafe(waiting_.front()));
    Remember(waiting_.front().id);
    waiting_.pop_front();
  }
  if (waiting_.empty()) {
    served_.reset();
  }
  return {};
}

Result<const Projection*> SafeFold::Safe() const {
  TRY_VOID(Check());
  return safe_.get();
}

Result<const Projection*> SafeFold::Served() const {
  TRY_VOID(Check());
  return served_ ? served_.get() : safe_.get();
}

}  // namespace stator::events
