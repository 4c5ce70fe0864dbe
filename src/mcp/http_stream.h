// The way of messages from any thread to the coroutine that writes them to a connection, and to the
// next one when the first is gone: sent messages are kept for a while, so that a client that lost
// its connection gets what it has not seen.

#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "mcp/http_generation.h"
#include "stator/base/mutex.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// THREADS: Send, Finish and IsOpen from any, the rest from the thread of the connections.
class HttpStream final : public Stream, public std::enable_shared_from_this<HttpStream> {
 public:
  // `number` tells it from the other streams of the server.
  explicit HttpStream(std::uint64_t number) : number_(number) {}

  struct Event {
    std::uint64_t number = 0;  // 1, 2, 3… in this stream
    std::string text;
    bool is_answer = false;  // and nothing follows
    unsigned status = 200;   // of an answer that comes first
  };

  bool Send(const Json& message) override {
    const MutexLock lock(mutex_);
    if (!open_ || finished_) {
      return false;
    }
    events_.push_back({.number = ++last_number_,
                       .text = message.ToText(),
                       .is_answer = message.Find("method") == nullptr,
                       .status = StatusOf(message)});
    bytes_ += events_.back().text.size();
    // A client that stays away is not waited for without end.
    open_ = timer_ != nullptr || bytes_ <= kUnsentBytesMax;
    WakeLocked();
    return open_;
  }

  void Finish() override {
    const MutexLock lock(mutex_);
    finished_ = true;
    WakeLocked();
  }

  [[nodiscard]] bool IsOpen() const override {
    const MutexLock lock(mutex_);
    return open_;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }

  // A connection writes from now on, instead of the one before; `timer` is cancelled when there is
  // something to do. Returns the ticket of the connection.
  std::uint64_t Open(boost::asio::steady_timer& timer) {
    const MutexLock lock(mutex_);
    WakeLocked();
    timer_ = &timer;
    return ++ticket_;
  }

  // Whether the stream is open and this connection still the one that writes.
  [[nodiscard]] bool IsWrittenBy(std::uint64_t ticket) const {
    const MutexLock lock(mutex_);
    return open_ && ticket_ == ticket && timer_ != nullptr;
  }

  // The connection is gone, and its timer with it; another may come.
  void Leave(std::uint64_t ticket) {
    const MutexLock lock(mutex_);
    if (ticket_ == ticket) {
      timer_ = nullptr;
    }
  }

  // The client is gone: nothing is written any more, and the connection hears of it.
  void Abandon() {
    const MutexLock lock(mutex_);
    open_ = false;
    events_.clear();
    taken_ = 0;
    WakeLocked();
  }

  // No connection will come any more.
  void Shut() {
    const MutexLock lock(mutex_);
    open_ = false;
    timer_ = nullptr;
    events_.clear();
  }

  // The next event that was not taken.
  std::optional<Event> Take() {
    const MutexLock lock(mutex_);
    if (taken_ == events_.size()) {
      return std::nullopt;
    }
    Event event = events_[taken_++];
    while (bytes_ > kKeptBytesMax && taken_ > 1) {
      bytes_ -= events_.front().text.size();
      events_.pop_front();
      --taken_;
    }
    return event;
  }

  // Goes back to what follows the event of that number, 0 for the beginning. False when some of it
  // is not kept any more, or was never sent.
  bool Rewind(std::uint64_t number) {
    const MutexLock lock(mutex_);
    const std::uint64_t dropped = last_number_ - events_.size();
    if (number < dropped || number > last_number_) {
      return false;
    }
    taken_ = static_cast<std::size_t>(number - dropped);
    return true;
  }

  // Nothing more will come.
  [[nodiscard]] bool IsFinished() const {
    const MutexLock lock(mutex_);
    return finished_ && taken_ == events_.size();
  }

 private:
  static constexpr std::size_t kKeptBytesMax = 1 << 20;     // of events that were written
  static constexpr std::size_t kUnsentBytesMax = 16 << 20;  // while nobody reads

  void WakeLocked() STATOR_REQUIRES(mutex_) {
    if (timer_ != nullptr) {
      boost::asio::post(timer_->get_executor(), [self = shared_from_this(), ticket = ticket_] {
        const MutexLock lock(self->mutex_);
        if (self->timer_ != nullptr && self->ticket_ == ticket) {
          self->timer_->cancel();
        }
      });
    }
  }

  const std::uint64_t number_;
  mutable Mutex mutex_;
  // Null when no connection writes.
  boost::asio::steady_timer* timer_ STATOR_GUARDED_BY(mutex_) = nullptr;
  std::uint64_t ticket_ STATOR_GUARDED_BY(mutex_) = 0;  // of the last connection
  std::deque<Event> events_ STATOR_GUARDED_BY(mutex_);
  std::size_t taken_ STATOR_GUARDED_BY(mutex_) = 0;  // of events_, by the connection
  std::size_t bytes_ STATOR_GUARDED_BY(mutex_) = 0;  // of events_
  std::uint64_t last_number_ STATOR_GUARDED_BY(mutex_) = 0;
  bool open_ STATOR_GUARDED_BY(mutex_) = true;
  bool finished_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::mcp
