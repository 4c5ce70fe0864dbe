// Writes of the engine's own jobs: calls like those of operations, begun one after the other and
// waited for together, so that many of them share a sync.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/engine_core.h"
#include "engine/pending_write.h"
#include "engine/writer_view.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::engine {

// THREADS: belongs to one thread, which it blocks.
class JobCalls {
 public:
  // Decides one write with its locks held; called again when a schema that it put into `tables` was
  // replaced meanwhile.
  using Decide = std::function<Result<void>(WriterView& view, PendingWrite& write)>;

  explicit JobCalls(EngineCore& core) : core_(core) {}
  JobCalls(const JobCalls&) = delete;
  JobCalls& operator=(const JobCalls&) = delete;
  ~JobCalls();

  // Begins a write under these locks; waits first when too many are under way.
  void Begin(std::vector<std::uint64_t> hashes, Decide decide);

  // Waits for all that was begun: good, or the first failure since the last time.
  Result<void> Await();

 private:
  class JobCall;

  void OnAnswer(Result<void> outcome);

  EngineCore& core_;
  Mutex mutex_;
  ConditionVariable answered_;
  std::size_t under_way_ STATOR_GUARDED_BY(mutex_) = 0;
  Result<void> failure_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::engine
