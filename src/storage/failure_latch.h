// Remembers the first failure of a write. From then on every write is refused, because nobody knows
// which of the bytes before it reached the disk; only opening the store again finds out. A lack of
// room (resource_exhausted.h) is the exception: the store finds out by itself, and resets the latch.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::storage {

class FailureLatch {
 public:
  // Called when a failure is recorded, on the thread that met it, so it only hands over. To be set
  // before the first Record.
  void set_on_failure(std::move_only_function<void()> on_failure) {
    on_failure_ = std::move(on_failure);
  }

  // `what` failed ("a sync of the log"), and why. Only the first call counts, and the first
  // that is no lack of room.
  void Record(std::string_view what, std::string_view why);
  // Going on was tried in vain, and why: Check says it, too.
  void NoteTry(std::string_view why);
  // There is room again. Does nothing unless IsResourceExhausted.
  void Reset();

  // Good until a failure is recorded, then kIo with the reason.
  [[nodiscard]] Result<void> Check() const;

  [[nodiscard]] bool failed() const { return failed_; }
  // Failed for a lack of room, and for nothing else.
  [[nodiscard]] bool IsResourceExhausted() const;
  // How often it has failed.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::move_only_function<void()> on_failure_;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> count_ = 0;
  mutable Mutex mutex_;
  std::string reason_ STATOR_GUARDED_BY(mutex_);
  std::string last_try_ STATOR_GUARDED_BY(mutex_);  // of going on since the failure
  bool is_exhausted_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::storage
