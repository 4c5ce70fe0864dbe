#include "stator/stores/events/event_stream.h"

#include "base/try.h"

namespace stator::events {

Result<std::optional<Event>> EventStream::Next() {
  if (left_ && *left_ == 0) {
    return std::nullopt;
  }
  std::optional<Event> event = TRY(source_->Next());
  if (event && left_) {
    --*left_;
  }
  return event;
}

}  // namespace stator::events
