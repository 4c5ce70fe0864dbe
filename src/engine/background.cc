#include "engine/background.h"

#include "base/check.h"
#include "base/try.h"
#include "engine/backups.h"
#include "engine/idempotency.h"
#include "engine/transfers.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::size_t kHousekeepingSteps = 10'000;
constexpr std::chrono::milliseconds kUnusedPoll{1};
// System backups and records of exports live for weeks.
constexpr std::chrono::minutes kRecordsInterval{10};

}  // namespace

void BackgroundWork::Start() {
  CHECK(!housekeeping_thread_.joinable());
  stopping_ = false;
  jobs_.Start();
  transfers_.Start();
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
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  jobs_.Stop();
  transfers_.Stop();
  if (housekeeping_thread_.joinable()) {
    housekeeping_thread_.join();
  }
}

void BackgroundWork::AwaitIdle() {
  do {
    transfers_.AwaitIdle();
    jobs_.AwaitIdle();
  } while (!transfers_.IsIdle());
}

std::optional<BackgroundWork::Hold> BackgroundWork::TryHoldJobs(std::chrono::milliseconds at_most) {
  // In this order: a transfer that ends may leave something to clean up to a job.
  if (!transfers_.TryHold(at_most)) {
    return std::nullopt;
  }
  HeldQueue transfers(&transfers_);
  if (!jobs_.TryHold(at_most)) {
    return std::nullopt;
  }
  return Hold{.transfers = std::move(transfers), .jobs = HeldQueue(&jobs_)};
}

bool BackgroundWork::Pause(std::chrono::milliseconds duration) {
  MutexLock lock(mutex_);
  return !changed_.WaitFor(lock, duration, [&] { return stopping_.load(); });
}

Result<void> BackgroundWork::AwaitNewSchema(std::uint32_t table_id) {
  // As long as a write by an old schema is on its way to a slow disk, there is no other answer.
  TRY_VOID(AwaitNewSchema(table_id, Duration::max()));
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

Result<void> BackgroundWork::RunHousekeeping() {
  TRY_VOID(core_.store->Maintain());
  TRY_VOID(core_.store->CheckPlace());
  jobs_.TryFailedAgain();
  transfers_.TryFailedAgain();
  TRY_VOID(SweepExpiredItems(core_, kHousekeepingSteps));
  TRY_VOID(TrimStreams(core_, kHousekeepingSteps));
  TRY_VOID(ForgetOldTokens(core_, kHousekeepingSteps));
  TRY_VOID(TrimHistory(core_));
  TRY_VOID(LookAtRecords());
  return SaveStatistics(core_);
}

Result<void> BackgroundWork::LookAtRecords() {
  const TimePoint now = core_.clock.Now();
  const TimePoint last = records_looked_at_;
  // Also when the clock was set back.
  if (last != TimePoint::min() && now >= last && now < last + kRecordsInterval) {
    return {};
  }
  TRY_VOID(ForgetOldBackups(core_));
  TRY_VOID(ForgetOldTransfers(core_));
  records_looked_at_ = now;
  return {};
}

Result<void> ResumeJobs(EngineCore& core) {
  CHECK(core.background != nullptr);
  for (const TablePtr& table : core.catalog.All()) {
    const std::uint32_t table_id = table->id;
    for (const Index& index : table->indexes) {
      const std::uint32_t index_id = index.id;
      if (index.status == IndexStatus::kCreating && !table->is_being_filled()) {
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
  TRY_VOID(cursor.status());
  return ResumeTransfers(core);
}

}  // namespace stator::engine
