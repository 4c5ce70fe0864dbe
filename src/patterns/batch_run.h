// What writing and reading in batches share: parts of the work are sent by several threads, each
// again and again until nothing of it is left, it makes no more progress, or the run is to end.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"

namespace stator::patterns {

// How many requests one call carries, when DynamoDB admits `most`.
inline std::size_t RequestsPerCall(const BatchOptions& options, std::size_t most) {
  return options.requests_per_call == 0 ? most : std::min(options.requests_per_call, most);
}

class BatchRun {
 public:
  // Sends what is left of part `index`; the number of requests that are left then.
  using SendPart = std::function<Result<std::size_t>(std::size_t index)>;

  BatchRun(const BatchOptions& options, const Environment& environment, std::size_t requests);

  // Sends `parts`, given as the number of requests in each. Afterwards whatever is not done stays
  // with the caller, who knows what is left of each part.
  void Run(std::vector<std::size_t> parts, const SendPart& send);

  [[nodiscard]] std::size_t done() const {
    const MutexLock lock(mutex_);
    return progress_.done;
  }
  [[nodiscard]] std::size_t sent_again() const {
    const MutexLock lock(mutex_);
    return progress_.sent_again;
  }
  [[nodiscard]] std::optional<Error> error() const {
    const MutexLock lock(mutex_);
    return error_;
  }

 private:
  void Work(const SendPart& send);
  // Sends all `left` requests of a part, again and again.
  void Finish(std::size_t part, std::size_t left, const SendPart& send);
  void Record(std::size_t done, std::size_t left);
  void GiveUp(Error error);
  // Whether nothing should be sent any more; notes why.
  bool MustEnd();

  const BatchOptions& options_;
  const Environment& environment_;
  Duration started_;

  mutable Mutex mutex_;
  std::vector<std::size_t> parts_ STATOR_GUARDED_BY(mutex_);
  std::size_t next_ STATOR_GUARDED_BY(mutex_) = 0;
  BatchProgress progress_ STATOR_GUARDED_BY(mutex_);
  std::optional<Error> error_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::patterns
