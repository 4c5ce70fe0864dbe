// Remembers the first failure of a write. From then on every write is refused, because nobody knows
// which of the bytes before it reached the disk; only opening the store again finds out.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::storage {

class Fuse {
 public:
  // `what` failed ("a sync of the log"), and why. Only the first call counts.
  void Blow(std::string_view what, std::string_view why);

  // Good until the fuse has blown, then kIo with the reason.
  [[nodiscard]] Result<void> Check() const;

  [[nodiscard]] bool blown() const { return blown_; }

 private:
  std::atomic<bool> blown_ = false;
  mutable std::mutex mutex_;
  std::string reason_;  // protected by mutex_
};

}  // namespace stator::storage
