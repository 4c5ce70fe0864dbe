#include "engine/job_calls.h"

#include <memory>
#include <utility>

#include "base/check.h"
#include "base/serving_thread.h"
#include "engine/call.h"

namespace stator::engine {
namespace {

// How many writes share a sync at most.
constexpr std::size_t kUnderWayMax = 256;

}  // namespace

class JobCalls::JobCall final : public Call {
 public:
  JobCall(EngineCore& core, JobCalls& calls, std::vector<std::uint64_t> hashes,
          JobCalls::Decide decide)
      : Call(core), calls_(calls), hashes_(std::move(hashes)), decide_(std::move(decide)) {}

 private:
  Result<void> Plan() override {
    SetHashes(hashes_);
    return {};
  }
  Result<void> Decide(WriterView& view) override { return decide_(view, *this); }
  void Answer(Result<void> outcome) override { calls_.OnAnswer(std::move(outcome)); }

  JobCalls& calls_;
  const std::vector<std::uint64_t> hashes_;
  const JobCalls::Decide decide_;
};

JobCalls::~JobCalls() {
  static_cast<void>(Await());
  DCHECK(under_way_ == 0);
}

void JobCalls::Begin(std::vector<std::uint64_t> hashes, Decide decide) {
  CHECK(!hashes.empty() && decide);
  {
    base::MayWait();
    MutexLock lock(mutex_);
    answered_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return under_way_ < kUnderWayMax; });
    ++under_way_;
  }
  std::make_shared<JobCall>(core_, *this, std::move(hashes), std::move(decide))->Start();
}

Result<void> JobCalls::Await() {
  base::MayWait();
  MutexLock lock(mutex_);
  answered_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return under_way_ == 0; });
  return std::exchange(failure_, Result<void>());
}

void JobCalls::OnAnswer(Result<void> outcome) {
  const MutexLock lock(mutex_);
  CHECK(under_way_ > 0);
  --under_way_;
  if (!outcome && failure_) {
    failure_ = std::move(outcome);
  }
  answered_.NotifyOne();
}

}  // namespace stator::engine
