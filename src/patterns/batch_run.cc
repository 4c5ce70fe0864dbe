#include "patterns/batch_run.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "stator/patterns/retry.h"

namespace stator::patterns {

BatchRun::BatchRun(const BatchOptions& options, const Environment& environment,
                   std::size_t requests)
    : options_(options), environment_(environment), started_(environment.clock->Elapsed()) {
  progress_.total = requests;
}

void BatchRun::GiveUp(Error error) {
  const MutexLock lock(mutex_);
  if (!error_) {
    error_ = std::move(error);
  }
}

bool BatchRun::MustEnd() {
  if (options_.stop.stop_requested()) {
    GiveUp({ErrorCode::kTimeout, "the batch was told to stop"});
  } else if (options_.deadline && environment_.clock->Elapsed() - started_ > *options_.deadline) {
    GiveUp({ErrorCode::kTimeout, "the time for the batch is over"});
  }
  const MutexLock lock(mutex_);
  return error_.has_value();
}

void BatchRun::Record(std::size_t done, std::size_t left) {
  const MutexLock lock(mutex_);
  progress_.done += done;
  progress_.sent_again += left;
  if (options_.on_progress) {
    options_.on_progress(progress_);
  }
}

void BatchRun::Finish(std::size_t part, std::size_t left, const SendPart& send) {
  Retry retry(options_.retry, environment_, options_.stop);
  while (left > 0 && !MustEnd()) {
    const Result<std::size_t> answer = send(part);
    if (!answer && !IsTransient(answer.error().code)) {
      return GiveUp(answer.error());
    }
    const std::size_t now_left = answer.value_or(left);
    Record(left - now_left, now_left);
    if (now_left < left) {
      // Progress makes the wait short again: the table takes writes, if slowly.
      retry.Reset();
    }
    left = now_left;
    if (left > 0 && !retry.Wait() && !MustEnd()) {
      return GiveUp(answer ? Error{ErrorCode::kThroughputExceeded,
                                   "the database kept leaving requests unprocessed"}
                           : answer.error());
    }
  }
}

void BatchRun::Work(const SendPart& send) {
  while (!MustEnd()) {
    std::size_t part = 0;
    std::size_t requests = 0;
    {
      const MutexLock lock(mutex_);
      if (next_ == parts_.size()) {
        return;
      }
      part = next_++;
      requests = parts_[part];
    }
    Finish(part, requests, send);
  }
}

void BatchRun::Run(std::vector<std::size_t> parts, const SendPart& send) {
  const std::size_t threads =
      std::min(parts.size(), static_cast<std::size_t>(std::max(options_.parallelism, 1)));
  {
    const MutexLock lock(mutex_);
    parts_ = std::move(parts);
  }
  std::vector<std::jthread> others;
  for (std::size_t index = 1; index < threads; ++index) {
    others.emplace_back([this, &send] { Work(send); });
  }
  Work(send);
}

}  // namespace stator::patterns
