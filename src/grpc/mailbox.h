// Pieces of answers on their way from the threads of handlers to that of the server. It may outlive the
// server; what comes then is thrown away.
//
// THREADS: Put from any; the rest from the server's.

#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "grpc/handler.h"
#include "grpc/stream.h"
#include "stator/base/mutex.h"

namespace stator::grpc {

class Mailbox {
 public:
  using Letter = std::pair<std::weak_ptr<Stream>, Piece>;

  // `wake` is called when letters wait, by whoever brings the first; it must not wait.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void Put(std::weak_ptr<Stream> stream, Piece piece) {
    const MutexLock lock(mutex_);
    if (!is_open_) {
      return;
    }
    letters_.emplace_back(std::move(stream), std::move(piece));
    if (letters_.size() == 1) {
      wake_();
    }
  }

  std::vector<Letter> TakeAll() {
    const MutexLock lock(mutex_);
    return std::exchange(letters_, {});
  }

  // Nobody is woken from now on.
  void Close() {
    std::vector<Letter> unread;
    const MutexLock lock(mutex_);
    is_open_ = false;
    unread.swap(letters_);
  }

 private:
  const std::function<void()> wake_;
  Mutex mutex_;
  bool is_open_ STATOR_GUARDED_BY(mutex_) = true;
  std::vector<Letter> letters_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::grpc
