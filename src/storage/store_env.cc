#include "storage/store_env.h"

#include <rocksdb/system_clock.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// A thread begins with a flush in a fraction of a millisecond, unless the machine is very busy.
constexpr std::chrono::seconds kBeginMax(10);

// What this thread does.
thread_local bool runs_a_flush = false;
thread_local bool flush_has_begun = false;

struct Flush {
  FlushJob job;
  std::shared_ptr<FlushJobs> jobs;  // the store may be gone when the flush ends
};

void RunFlush(void* argument) {
  const std::unique_ptr<Flush> flush(static_cast<Flush*>(argument));
  runs_a_flush = true;
  flush_has_begun = false;
  flush->job.run(flush->job.argument);
  flush->jobs->Begin();
  runs_a_flush = false;
}

void ForgetFlush(void* argument) {
  const std::unique_ptr<Flush> flush(static_cast<Flush*>(argument));
  if (flush->job.forget != nullptr) {
    flush->job.forget(flush->job.argument);
  }
  flush_has_begun = false;
  flush->jobs->Begin();
}

// Where no OPTIONS file can be made, which RocksDB takes without a word (fail_if_options_file_error).
class FilesWithoutOptions final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  [[nodiscard]] const char* Name() const override { return "FilesWithoutOptions"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (std::string_view(path).substr(path.rfind('/') + 1).starts_with("OPTIONS-")) {
      return rocksdb::IOStatus::NotSupported(path);
    }
    return FileSystemWrapper::NewWritableFile(path, options, file, debug);
  }
};

class MemoryEnv final : public rocksdb::EnvWrapper {
 public:
  explicit MemoryEnv(std::unique_ptr<rocksdb::Env> target) : EnvWrapper(std::move(target)) {
    file_system_ = std::make_shared<FilesWithoutOptions>(file_system_);
  }

  [[nodiscard]] const char* Name() const override { return "MemoryEnv"; }
};

class StoreEnv final : public rocksdb::EnvWrapper {
 public:
  StoreEnv(std::unique_ptr<rocksdb::Env> target, const std::shared_ptr<rocksdb::FileSystem>& files,
           const FailureLatch& failure, std::shared_ptr<FlushJobs> flushes)
      : EnvWrapper(std::move(target)), flushes_(std::move(flushes)) {
    file_system_ = std::make_shared<FilesWithoutOptions>(files);
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
    const FlushJob job = {.run = run, .forget = forget, .argument = argument, .tag = tag};
    // Without `forget` it is no flush, and closing would wait for it.
    if (forget == nullptr || !flushes_->Hold(job)) {
      flushes_->Assign();
      EnvWrapper::Schedule(RunFlush, new Flush{job, flushes_}, priority, tag, ForgetFlush);
    }
  }

  int UnSchedule(void* tag, Priority priority) override {
    int forgotten = EnvWrapper::UnSchedule(tag, priority);
    if (priority == Priority::HIGH) {
      for (const FlushJob& job : flushes_->TakeHeld(tag)) {
        if (job.forget != nullptr) {
          job.forget(job.argument);
        }
        ++forgotten;
      }
    }
    return forgotten;
  }

 private:
  const std::shared_ptr<FlushJobs> flushes_;
};

}  // namespace

void FlushJobs::Assign() {
  const MutexLock lock(mutex_);
  ++assigned_;
}

void FlushJobs::Begin() {
  if (flush_has_begun) {
    return;
  }
  flush_has_begun = true;
  const MutexLock lock(mutex_);
  CHECK(assigned_ > 0);
  --assigned_;
  begun_.NotifyAll();
}

void FlushJobs::AwaitBegun() {
  if (runs_a_flush) {
    return;
  }
  MutexLock lock(mutex_);
  begun_.WaitFor(lock, kBeginMax, [this]() STATOR_REQUIRES(mutex_) { return assigned_ == 0; });
}

void FlushJobs::Stop() {
  const MutexLock lock(mutex_);
  is_stopped_ = true;
}

void FlushJobs::GoOn() {
  const MutexLock lock(mutex_);
  is_stopped_ = false;
}

bool FlushJobs::Hold(const FlushJob& job) {
  const MutexLock lock(mutex_);
  if (is_stopped_) {
    held_.push_back(job);
  }
  return is_stopped_;
}

bool FlushJobs::HasHeld() {
  const MutexLock lock(mutex_);
  return !held_.empty();
}

std::vector<FlushJob> FlushJobs::TakeHeld() {
  const MutexLock lock(mutex_);
  return std::exchange(held_, {});
}

std::vector<FlushJob> FlushJobs::TakeHeld(const void* tag) {
  const MutexLock lock(mutex_);
  std::vector<FlushJob> taken;
  std::erase_if(held_, [&](const FlushJob& job) {
    if (job.tag == tag) {
      taken.push_back(job);
    }
    return job.tag == tag;
  });
  return taken;
}

bool IsFlushThread() {
  return runs_a_flush;
}

std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const FailureLatch& failure,
                                           std::shared_ptr<FlushJobs> flushes) {
  return std::make_unique<StoreEnv>(rocksdb::NewCompositeEnv(files), files, failure,
                                    std::move(flushes));
}

void ReleaseHeld(rocksdb::Env& env, FlushJobs& flushes) {
  flushes.GoOn();
  for (const FlushJob& job : flushes.TakeHeld()) {
    env.Schedule(job.run, job.argument, rocksdb::Env::Priority::HIGH, job.tag, job.forget);
  }
}

std::unique_ptr<rocksdb::Env> MakeMemoryEnv() {
  return std::make_unique<MemoryEnv>(
      std::unique_ptr<rocksdb::Env>(rocksdb::NewMemEnv(rocksdb::Env::Default())));
}

}  // namespace stator::storage
