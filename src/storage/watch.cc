#include "storage/watch.h"

#include <utility>

namespace stator::storage {

Watch::Watch(std::chrono::milliseconds interval, std::move_only_function<void()> look)
    : interval_(interval),
      look_(std::move(look)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Watch::Wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_one();
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
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, interval_, [this] { return woken_; });
      woken_ = false;
    }
    if (!stop.stop_requested()) {
      look_();
    }
  }
}

}  // namespace stator::storage
