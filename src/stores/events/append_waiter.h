// Waiting for appends: by the stream of the events table if it has one, else by the clock.

#pragma once

#include <memory>
#include <stop_token>

#include "stator/base/result.h"
#include "stores/events/core.h"
#include "stores/events/stream_signal.h"

namespace stator::events {

struct WaitOptions {
  Duration poll_interval;    // between looks at the log, without a stream
  Duration stream_interval;  // between looks at the stream
};

// THREADS: one at a time.
class AppendWaiter {
 public:
  // Whatever is appended from now on ends a Wait. `use_stream` is no more than a wish.
  static Result<std::unique_ptr<AppendWaiter>> Open(Core& core, WaitOptions options,
                                                    bool use_stream);

  // Until it is time to look at the log again; whether that, and not the stop, was the reason.
  bool Wait(const std::stop_token& stop);

  [[nodiscard]] bool uses_stream() const { return signal_ != nullptr; }

 private:
  AppendWaiter(Core& core, WaitOptions options) : core_(&core), options_(options) {}

  // Whether the stream says so.
  bool Poll();

  Core* core_;
  WaitOptions options_;
  std::unique_ptr<StreamSignal> signal_;
  int looks_left_ = 0;  // at the log, since the index may lag behind the stream
};

}  // namespace stator::events
