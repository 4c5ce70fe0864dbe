// Waiting for appends. What this process learns of ends a wait at once. Of others it learns by
// looking: soon again while there is news, ever more seldom when there is none, and then, if the
// events table has a stream, at that instead of the log.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/stream_signal.h"

namespace stator::events {

struct WaitOptions {
  Duration poll_interval;    // between looks at the log when nothing happens, without a stream
  Duration stream_interval;  // between looks at the stream then
};

// THREADS: one at a time.
class AppendWaiter {
 public:
  // Whatever is appended from now on ends a Wait. `use_stream` is no more than a wish.
  static Result<std::unique_ptr<AppendWaiter>> Open(EventStoreCore& core, WaitOptions options,
                                                    bool use_stream);

  // Until it is time to look at the log again; whether that, and not the stop, was the reason.
  bool Wait(const std::stop_token& stop);

  [[nodiscard]] bool uses_stream() const { return signal_ != nullptr; }

 private:
  AppendWaiter(EventStoreCore& core, WaitOptions options);

  // Whether the stream says so.
  bool Poll();
  // How long to wait until the next look, by how long ago there was news.
  [[nodiscard]] Duration Pause() const;
  // Whether the end of the log, as this process knows it, moved.
  bool HasMoved();
  void NoteNews();
  // Sleeps, at most so long, until the end of the log moves or it is to stop.
  void Sleep(Duration longest, const std::stop_token& stop);

  EventStoreCore* core_;
  WaitOptions options_;
  std::unique_ptr<StreamSignal> signal_;
  std::uint64_t position_ = 0;       // where the log ended when it was looked at
  std::optional<Duration> news_at_;  // by the clock's Elapsed
};

}  // namespace stator::events
