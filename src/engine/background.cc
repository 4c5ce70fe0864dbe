#include "engine/background.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/serving_thread.h"
#include "base/try.h"
#include "engine/backups.h"
#include "engine/idempotency.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::size_t kHousekeepingSteps = 10'000;
constexpr std::chrono::milliseconds kUnusedPoll{1};
// System backups live for weeks.
constexpr std::chrono::minutes kBackupsInterval{10};

}  // namespace

void BackgroundWork::Start() {
  CHECK(!job_thread_.joinable() && !housekeeping_thread_.joinable());
  stopping_ = false;
  job_thread_ = std::thread([this] { RunJobs(); });
  if (interval_.count() != 0) {
    housekeeping_thread_ = std::thread([this] {
      while (Pause(interval_)) {
        // What fails now is tried again in the next round; a store that refuses writes says so to
        // every caller.
        const Result<void> done = RunHousekeeping();
        static_cast<void>(done);
      }
    });
  }
}

void BackgroundWork::Stop() {
  CHECK_THAT(std::this_thread::get_id() != job_thread_.get_id(), "a job cannot await its own end");
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  for (std::thread* thread : {&job_thread_, &housekeeping_thread_}) {
    if (thread->joinable()) {
      thread->join();
    }
  }
}

void BackgroundWork::Enqueue(Job job) {
  CHECK(job);
  {
    const MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.NotifyAll();
}

void BackgroundWork::AwaitIdle() {
  base::MayWait();
  MutexLock lock(mutex_);
  changed_.Wait(
      lock, [&]() STATOR_REQUIRES(mutex_) { return stopping_ || (jobs_.empty() && !running_); });
}

BackgroundWork::Hold::~Hold() {
  if (background_ == nullptr) {
    return;
  }
  {
    const MutexLock lock(background_->mutex_);
    CHECK(background_->held_);
    background_->held_ = false;
  }
  background_->changed_.NotifyAll();
}

std::optional<BackgroundWork::Hold> BackgroundWork::TryHoldJobs(std::chrono::milliseconds at_most) {
  base::MayWait();
  MutexLock lock(mutex_);
  const bool idle = changed_.WaitFor(lock, at_most, [&]() STATOR_REQUIRES(mutex_) {
    return stopping_ || (jobs_.empty() && !running_ && !held_);
  });
  if (!idle || stopping_) {
    return std::nullopt;
  }
  held_ = true;
  return Hold(*this);
}

bool BackgroundWork::Pause(std::chrono::milliseconds duration) {
  MutexLock lock(mutex_);
  return !changed_.WaitFor(lock, duration, [&] { return stopping_.load(); });
}

void BackgroundWork::RunJobs() {
  MutexLock lock(mutex_);
  while (true) {
    changed_.Wait(
        lock, [&]() STATOR_REQUIRES(mutex_) { return stopping_ || (!jobs_.empty() && !held_); });
    if (stopping_) {
      return;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    DCHECK(!running_);
    running_ = true;
    lock.Unlock();
    const Result<void> done = job();
    lock.Lock();
    if (!done && !stopping_) {
      PROBE("a job behind a change of a table fails and is tried again");
      failed_.push_back(std::move(job));
    }
    running_ = false;
    changed_.NotifyAll();
  }
}

Result<void> BackgroundWork::AwaitNewSchema(std::uint32_t table_id) {
  // As long as a write by an old schema is on its way to a slow disk, there is no other answer.
  TRY(AwaitNewSchema(table_id, Duration::max()));
  return {};
}

Result<bool> BackgroundWork::AwaitNewSchema(std::uint32_t table_id, Duration at_most) {
  const Duration begun = core_.clock.Elapsed();
  while (core_.catalog.IsOldSchemaInUse(table_id)) {
    if (core_.clock.Elapsed() - begun > at_most) {
      return false;
    }
    if (!Pause(kUnusedPoll)) {
      return Fail(ErrorCode::kUnavailable, "the engine is stopping");
    }
  }
  return true;
}

void BackgroundWork::TryFailedAgain() {
  {
    const MutexLock lock(mutex_);
    std::ranges::move(failed_, std::back_inserter(jobs_));
    failed_.clear();
  }
  changed_.NotifyAll();
}

Result<void> BackgroundWork::RunHousekeeping() {
  TRY_VOID(core_.store->Maintain());
  TRY_VOID(core_.store->CheckPlace());
  TryFailedAgain();
  TRY_VOID(SweepExpiredItems(core_, kHousekeepingSteps));
  TRY_VOID(TrimStreams(core_, kHousekeepingSteps));
  TRY_VOID(ForgetOldTokens(core_, kHousekeepingSteps));
  TRY_VOID(TrimHistory(core_));
  TRY_VOID(LookAtBackups());
  return SaveStatistics(core_);
}

Result<void> BackgroundWork::LookAtBackups() {
  const TimePoint now = core_.clock.Now();
  const TimePoint last = backups_looked_at_;
  // Also when the clock was set back.
  if (last != TimePoint::min() && now >= last && now < last + kBackupsInterval) {
    return {};
  }
  TRY_VOID(ForgetOldBackups(core_));
  backups_looked_at_ = now;
  return {};
}

Result<void> ResumeJobs(EngineCore& core) {
  CHECK(core.background != nullptr);
  for (const TablePtr& table : core.catalog.All()) {
    const std::uint32_t table_id = table->id;
    for (const Index& index : table->indexes) {
      const std::uint32_t index_id = index.id;
      if (index.status == IndexStatus::kCreating && !table->restore) {
        core.background->Enqueue(
            [&core, table_id, index_id] { return BackfillIndex(core, table_id, index_id); });
      } else if (index.status == IndexStatus::kDeleting) {
        core.background->Enqueue(
            [&core, table_id, index_id] { return DropIndex(core, table_id, index_id); });
      }
    }
    if (table->ttl_enabling || table->ttl_disabling) {
      core.background->Enqueue([&core, table_id] { return FinishTtlChange(core, table_id); });
    }
    if (table->restore) {
      core.background->Enqueue([&core, table_id] { return ContinueRestore(core, table_id); });
    }
    if (table->rewind) {
      core.background->Enqueue([&core, table_id] { return ContinueRewind(core, table_id); });
    }
  }
  const keyspace::KeyRange dropped =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kDroppedTable));
  storage::Cursor cursor = core.store->NewCursor(nullptr, dropped.begin, dropped.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    const std::uint32_t table_id = TRY(keyspace::TableOfDroppedTableKey(cursor.key()));
    core.background->Enqueue([&core, table_id] { return CleanDroppedTable(core, table_id); });
  }
  return cursor.status();
}

}  // namespace stator::engine
