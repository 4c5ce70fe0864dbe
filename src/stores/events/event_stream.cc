#include "stator/stores/events/event_stream.h"

#include <utility>

#include "base/try.h"

namespace stator::events {

Result<std::optional<Event>> EventStream::Next() {
  if (left_ && *left_ == 0) {
    return std::nullopt;
  }
  if (next_ == page_.size()) {
    page_.clear();
    next_ = 0;
    TRY_VOID(source_->Fill(page_));
    if (page_.empty()) {
      return std::nullopt;
    }
  }
  if (left_) {
    --*left_;
  }
  Event& event = page_[next_++];
  TRY_VOID(source_->Load(event));
  return Result<std::optional<Event>>(std::in_place, std::move(event));
}

}  // namespace stator::events
