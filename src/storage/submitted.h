// For tests: a batch that is enqueued, with a function that is told when it is settled.

#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "storage/store.h"

namespace stator::storage {

class Submitted final : public QueuedWrite {
 public:
  using Done = std::move_only_function<void(Result<void>)>;

  Submitted(WriteBatch&& from, Done told) : done(std::move(told)) { batch = std::move(from); }

  Done done;

 private:
  void OnSettled(const Result<void>& /*outcome*/) override {}
  void OnAnswer(const Result<void>& outcome) override { done(outcome); }
};

// `done` is called exactly once, perhaps before this returns.
inline void Submit(CommitQueue& queue, WriteBatch&& batch, Submitted::Done done) {
  const auto write = std::make_shared<Submitted>(std::move(batch), std::move(done));
  if (auto placed = queue.Enqueue(write); !placed) {
    write->done(std::unexpected(std::move(placed).error()));
  }
}

}  // namespace stator::storage
