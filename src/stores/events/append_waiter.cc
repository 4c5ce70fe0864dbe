#include "stores/events/append_waiter.h"

#include <utility>

#include "base/try.h"
#include "stator/patterns/environment.h"

namespace stator::events {
namespace {

// Even when the stream says nothing.
constexpr Duration kLookAtLeast = std::chrono::seconds(60);
constexpr int kLooksAfterSignal = 3;

}  // namespace

Result<std::unique_ptr<AppendWaiter>> AppendWaiter::Open(Core& core, WaitOptions options,
                                                         bool use_stream) {
  std::unique_ptr<AppendWaiter> waiter(new AppendWaiter(core, options));
  if (use_stream) {
    waiter->signal_ = TRY(StreamSignal::Open(core));
  }
  return waiter;
}

bool AppendWaiter::Poll() {
  const Result<bool> seen = signal_->Poll();
  if (!seen) {
    // Such as that it was switched off. The clock will do.
    signal_.reset();
    return true;
  }
  return *seen;
}

bool AppendWaiter::Wait(const std::stop_token& stop) {
  Clock& clock = *core_->environment.clock;
  const Duration started = clock.Elapsed();
  while (!stop.stop_requested()) {
    if (signal_ == nullptr || looks_left_ > 0) {
      looks_left_ = looks_left_ > 0 ? looks_left_ - 1 : 0;
      return patterns::SleepUnlessStopped(clock, options_.poll_interval, stop);
    }
    if (Poll()) {
      looks_left_ = kLooksAfterSignal;
      return true;
    }
    if (clock.Elapsed() - started >= kLookAtLeast) {
      return true;
    }
    if (!patterns::SleepUnlessStopped(clock, options_.stream_interval, stop)) {
      return false;
    }
  }
  return false;
}

}  // namespace stator::events
