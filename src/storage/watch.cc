#include "storage/watch.h"

#include <utility>

namespace stator::storage {

Watch::Watch(std::chrono::milliseconds interval, std::move_only_function<void()> look)
    : interval_(interval),
      look_(std::move(look)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Watch::Wake() {
  {
    const MutexLock lock(mutex_);
    woken_ = true;
  }
  wake_.NotifyOne();
}

void Watch::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Watch::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      MutexLock lock(mutex_);
      wake_.WaitFor(lock, stop, interval_, [this]() STATOR_REQUIRES(mutex_) { return woken_; });
      woken_ = false;
    }
    if (!stop.stop_requested()) {
      look_();
    }
  }
}

}  // namespace stator::storage
