#include "storage/store_env.h"

#include <rocksdb/system_clock.h>

#include <chrono>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

class StoreClock final : public rocksdb::SystemClockWrapper {
 public:
  StoreClock(const std::shared_ptr<SystemClock>& target, const FailureLatch& failure)
      : SystemClockWrapper(target), failure_(failure) {}

  [[nodiscard]] const char* Name() const override { return "StoreClock"; }

  void SleepForMicroseconds(int micros) override {
    if (!failure_.failed()) {
      SystemClockWrapper::SleepForMicroseconds(micros);
    }
  }

 private:
  const FailureLatch& failure_;
};

// A thread begins with a flush in a fraction of this.
constexpr std::chrono::milliseconds kMoment(50);

// Of this thread.
bool& RunsAFlush() {
  thread_local bool runs = false;
  return runs;
}

// A flush that RocksDB has asked a thread for.
struct Flush {
  void (*run)(void*);
  void (*forget)(void*);  // instead of run; may be null
  void* argument;
  std::shared_ptr<FlushJobs> jobs;  // the store may be gone when the flush ends
};

void RunFlush(void* argument) {
  const std::unique_ptr<Flush> flush(static_cast<Flush*>(argument));
  RunsAFlush() = true;
  flush->run(flush->argument);
  RunsAFlush() = false;
  flush->jobs->End();
}

void ForgetFlush(void* argument) {
  const std::unique_ptr<Flush> flush(static_cast<Flush*>(argument));
  if (flush->forget != nullptr) {
    flush->forget(flush->argument);
  }
  flush->jobs->End();
}

class StoreEnv final : public rocksdb::EnvWrapper {
 public:
  StoreEnv(std::unique_ptr<rocksdb::Env> target, const std::shared_ptr<rocksdb::FileSystem>& files,
           const FailureLatch& failure, std::shared_ptr<FlushJobs> flushes)
      : EnvWrapper(std::move(target)), flushes_(std::move(flushes)) {
    file_system_ = files;
    system_clock_ =
        std::make_shared<StoreClock>(rocksdb::Env::Default()->GetSystemClock(), failure);
  }

  [[nodiscard]] const char* Name() const override { return "StoreEnv"; }

  void Schedule(void (*run)(void*), void* argument, Priority priority, void* tag,
                void (*forget)(void*)) override {
    if (priority != Priority::HIGH) {
      EnvWrapper::Schedule(run, argument, priority, tag, forget);
      return;
    }
    flushes_->Begin();
    EnvWrapper::Schedule(RunFlush, new Flush{run, forget, argument, flushes_}, priority, tag,
                         ForgetFlush);
  }

 private:
  const std::shared_ptr<FlushJobs> flushes_;
};

}  // namespace

void FlushJobs::Begin() {
  const MutexLock lock(mutex_);
  ++under_way_;
}

void FlushJobs::End() {
  const MutexLock lock(mutex_);
  CHECK(under_way_ > 0);
  --under_way_;
  ended_.NotifyAll();
}

void FlushJobs::GiveAMoment() {
  if (RunsAFlush()) {
    return;
  }
  MutexLock lock(mutex_);
  ended_.WaitFor(lock, kMoment, [this]() STATOR_REQUIRES(mutex_) { return under_way_ == 0; });
}

std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const FailureLatch& failure,
                                           std::shared_ptr<FlushJobs> flushes) {
  return std::make_unique<StoreEnv>(rocksdb::NewCompositeEnv(files), files, failure,
                                    std::move(flushes));
}

}  // namespace stator::storage
