#include "stator/stores/events/event_stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"

namespace stator::events {

// Whether there is an event at next_.
Result<bool> EventStream::FillPage() {
  if (left_ && *left_ == 0) {
    return false;
  }
  if (next_ == page_.size()) {
    page_.clear();
    next_ = 0;
    TRY_VOID(source_->Fill(page_));
  }
  return next_ < page_.size();
}

Result<std::optional<Event>> EventStream::Next() {
  if (!TRY(FillPage())) {
    return std::nullopt;
  }
  if (left_) {
    --*left_;
  }
  Event& event = page_[next_++];
  TRY_VOID(source_->Load(event));
  return Result<std::optional<Event>>(std::in_place, std::move(event));
}

Result<void> EventStream::Take(std::uint64_t most, std::vector<Event>& events) {
  while (most > 0 && TRY(FillPage())) {
    const std::uint64_t count =
        std::min({most, left_.value_or(most), std::uint64_t{page_.size() - next_}});
    const auto first = page_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto end = first + static_cast<std::ptrdiff_t>(count);
    for (auto event = first; event != end; ++event) {
      TRY_VOID(source_->Load(*event));
    }
    events.insert(events.end(), std::make_move_iterator(first), std::make_move_iterator(end));
    next_ += count;
    most -= count;
    if (left_) {
      *left_ -= count;
    }
  }
  return {};
}

}  // namespace stator::events
