#include "storage/background_sync.h"

#include <utility>

namespace stator::storage {

BackgroundSync::BackgroundSync(std::chrono::milliseconds interval,
                               std::move_only_function<void()> sync)
    : interval_(interval),
      sync_(std::move(sync)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void BackgroundSync::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      MutexLock lock(mutex_);
      wake_.WaitFor(lock, stop, interval_, [] { return false; });
    }
    if (dirty_.exchange(false)) {
      sync_();
    }
  }
}

}  // namespace stator::storage
