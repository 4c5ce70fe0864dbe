// That something was appended, as the stream of the events table tells it. The stream says when to
// look, the log says what is there: so records that come twice, late or not at all do no harm.

#pragma once

#include <memory>
#include <utility>

#include "stator/base/result.h"
#include "stator/patterns/stream_tail.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

// THREADS: one at a time.
class StreamSignal {
 public:
  // From now on. Null when the events table has no stream.
  static Result<std::unique_ptr<StreamSignal>> Open(EventStoreCore& core);

  // Whether events of the service may have been appended since the last call.
  Result<bool> Poll();

 private:
  StreamSignal(EventStoreCore& core, std::unique_ptr<patterns::StreamTail> tail)
      : core_(&core), tail_(std::move(tail)) {}

  [[nodiscard]] bool IsOurs(const StreamRecord& record) const;

  EventStoreCore* core_;
  std::unique_ptr<patterns::StreamTail> tail_;
};

}  // namespace stator::events
