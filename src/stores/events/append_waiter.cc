#include "stores/events/append_waiter.h"

#include <algorithm>

#include "base/try.h"
#include "stores/events/event_log.h"

namespace stator::events {
namespace {

// Even when the stream says nothing.
constexpr Duration kLookAtLeast = std::chrono::seconds(60);
// A look costs a read: while there is news they are so far apart, and later a sixteenth of the time
// that nothing has happened. So one who gets an event each second waits for half of a tenth of one.
constexpr Duration kShortestPause = std::chrono::milliseconds(10);
constexpr int kPausesPerSilence = 16;
// How soon one who sleeps notices what its own process appends.
constexpr Duration kStep = std::chrono::milliseconds(5);

}  // namespace

AppendWaiter::AppendWaiter(EventStoreCore& core, WaitOptions options)
    : core_(&core), options_(options) {
  HasMoved();
}

Result<std::unique_ptr<AppendWaiter>> AppendWaiter::Open(EventStoreCore& core, WaitOptions options,
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
    core_->Log("the stream of the events table cannot be read, so the log is looked at instead: " +
               seen.error().message);
    signal_.reset();
    return true;
  }
  return *seen;
}

Duration AppendWaiter::Pause() const {
  if (!news_at_) {
    return options_.poll_interval;
  }
  const Duration silence = core_->environment.clock->Elapsed() - *news_at_;
  return std::min(options_.poll_interval, std::max(kShortestPause, silence / kPausesPerSilence));
}

bool AppendWaiter::HasMoved() {
  const std::uint64_t before = position_;
  position_ = core_->log.LookAtTail([](const Tail& tail) { return tail.settled().position; });
  return position_ != before;
}

void AppendWaiter::NoteNews() {
  news_at_ = core_->environment.clock->Elapsed();
}

void AppendWaiter::Sleep(Duration longest, const std::stop_token& stop) {
  while (longest > Duration::zero() && !stop.stop_requested()) {
    const Duration step = std::min(longest, kStep);
    core_->environment.clock->SleepFor(step);
    longest -= step;
    if (HasMoved()) {
      NoteNews();
      return;
    }
  }
}

bool AppendWaiter::Wait(const std::stop_token& stop) {
  Clock& clock = *core_->environment.clock;
  const Duration started = clock.Elapsed();
  // The look before found something, of whatever process.
  if (HasMoved()) {
    NoteNews();
  }
  const std::uint64_t known = position_;
  while (!stop.stop_requested()) {
    const Duration pause = Pause();
    if (signal_ == nullptr || pause < options_.stream_interval) {
      Sleep(pause, stop);
      return !stop.stop_requested();
    }
    if (Poll()) {
      NoteNews();
      return true;
    }
    if (clock.Elapsed() - started >= kLookAtLeast) {
      return true;
    }
    Sleep(options_.stream_interval, stop);
    if (position_ != known) {
      return !stop.stop_requested();
    }
  }
  return false;
}

}  // namespace stator::events
