// The way of messages from any thread to the coroutine that writes them to a connection.

#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "stator/mcp/server.h"

namespace stator::mcp {

// THREADS: Send, Finish and IsOpen from any, the rest from the thread of the connection.
class HttpStream final : public Stream, public std::enable_shared_from_this<HttpStream> {
 public:
  bool Send(const Json& message) override {
    const std::scoped_lock lock(mutex_);
    if (timer_ == nullptr || finished_) {
      return false;
    }
    messages_.push_back(message.ToText());
    WakeLocked();
    return true;
  }

  void Finish() override {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    WakeLocked();
  }

  [[nodiscard]] bool IsOpen() const override {
    const std::scoped_lock lock(mutex_);
    return timer_ != nullptr;
  }

  // The connection writes from now on; `timer` is cancelled when there is something to write.
  void Open(boost::asio::steady_timer& timer) {
    const std::scoped_lock lock(mutex_);
    timer_ = &timer;
  }

  // The connection is gone. Returns when no other thread touches its timer any more.
  void Shut() {
    const std::scoped_lock lock(mutex_);
    timer_ = nullptr;
    messages_.clear();
  }

  std::optional<std::string> Take() {
    const std::scoped_lock lock(mutex_);
    if (messages_.empty()) {
      return std::nullopt;
    }
    std::string message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  // Nothing more will come.
  [[nodiscard]] bool IsFinished() const {
    const std::scoped_lock lock(mutex_);
    return finished_ && messages_.empty();
  }

 private:
  void WakeLocked() {
    if (timer_ != nullptr) {
      boost::asio::post(timer_->get_executor(), [self = shared_from_this()] {
        const std::scoped_lock lock(self->mutex_);
        if (self->timer_ != nullptr) {
          self->timer_->cancel();
        }
      });
    }
  }

  mutable std::mutex mutex_;
  // Protected by mutex_.
  boost::asio::steady_timer* timer_ = nullptr;  // null when no connection writes
  std::deque<std::string> messages_;
  bool finished_ = false;
};

}  // namespace stator::mcp
