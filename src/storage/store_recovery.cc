// The part of Store that looks after itself: says when it refuses writes and when the disk stands
// still, and goes on after a lack of room (resource_exhausted.h).
//
// GOING ON. What was acknowledged is in RocksDB's memory and tables; what failed is in neither, but
// perhaps in the log. So the memory is written to tables, which makes every log needless, and a new
// log is begun; from then on what failed is nowhere. If the process ends in between, the log is
// replayed as after any crash, and what failed last may be there, which its callers were told.
//
//   1. DB::Resume, when RocksDB has stopped: a table or the list of tables did not fit. It writes
//      them anew.
//   2. When a log has failed: a row that deletes nothing is put into RocksDB's memory, past the log,
//      because RocksDB begins a new log only when its memory is not empty, and when it has written to
//      the old one or tried to, which it does once more here. Then the memory is written to a table.
//   3. The old logs are given up (LogFiles::Resume), the queue gives places again, the latch is reset;
//      in this order.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <string_view>
#include <thread>
#include <utility>

#include "base/probe.h"
#include "base/try.h"
#include "storage/resource_exhausted.h"
#include "storage/rocksdb_status.h"
#include "storage/store_env.h"
#include "storage/store_state.h"

namespace stator::storage {
namespace {

// No key of ours is empty.
constexpr std::string_view kNoKey;

// Whether RocksDB flushes or compacts at this moment.
bool IsAtWork(rocksdb::DB& database) {
  using Properties = rocksdb::DB::Properties;
  std::uint64_t flushes = 0;
  std::uint64_t compactions = 0;
  return !database.GetIntProperty(Properties::kNumRunningFlushes, &flushes) ||
         !database.GetIntProperty(Properties::kNumRunningCompactions, &compactions) ||
         flushes + compactions > 0;
}

// DB::Resume, with flushes that were held. RocksDB waits for these before it flushes itself, and runs
// them only while DB::Resume is under way, else it forgets them (store_env.h). So two threads call it: the
// one that is told Busy knows that the other is in the middle of it, and lets the flushes go.
rocksdb::Status ResumeRocksDb(rocksdb::DB& database, rocksdb::Env& env, FlushJobs& flushes) {
  flushes.GoOn();
  if (!flushes.HasHeld()) {
    return database.Resume();
  }
  const auto resume = [&] {
    rocksdb::Status status = database.Resume();
    if (status.IsBusy()) {
      ReleaseHeld(env, flushes);
    }
    return status;
  };
  rocksdb::Status theirs;
  rocksdb::Status ours;
  {
    const std::jthread other([&] { theirs = resume(); });
    ours = resume();
  }
  const rocksdb::Status& status = ours.IsBusy() ? theirs : ours;
  if (status.ok()) {
    ReleaseHeld(env, flushes);  // when RocksDB had not stopped at all
  }
  return status;
}

}  // namespace

Result<void> Store::State::ResumeDatabase() {
  // When something fails that was begun before, DB::Resume gives up though it has asked for a flush,
  // which RocksDB 7.8 then forgets (store_env.h). Once stopped it begins nothing, so one look is enough.
  if (IsAtWork(*database)) {
    PROBE("the store waits with going on until what was begun is over");
    return Fail(ErrorCode::kUnavailable, "what was begun before the failure is not over");
  }
  TRY_VOID(ToResult(ResumeRocksDb(*database, *env, *flushes), "going on"));
  if (!log_files->HasFailed()) {
    return {};
  }
  rocksdb::WriteBatch nothing;
  TRY_VOID(ToResult(nothing.Delete(ToSlice(kNoKey)), "going on"));
  rocksdb::WriteOptions how;
  how.no_slowdown = true;
  if (log_files->NewestHasFailed()) {
    // RocksDB replaces a log that it has tried to write to, not one that could not even be made.
    PROBE("the store goes on although its newest log has failed");
    rocksdb::WriteBatch in_vain(nothing);
    static_cast<void>(database->Write(how, &in_vain));
  }
  how.disableWAL = true;
  TRY_VOID(ToResult(database->Write(how, &nothing), "going on"));
  TRY_VOID(ToResult(Flush(), "going on"));
  if (!log_files->Resume()) {
    return Fail(ErrorCode::kUnavailable, "the new log has failed, too");
  }
  return ToResult(log_files->SyncLedger(), "going on");
}

Result<void> Store::State::Resume() {
  bool tried = false;
  Result<void> mended = queue->Resume([&] {
    tried = true;
    log_files->SetGoingOn(true);
    Result<void> resumed = ResumeDatabase();
    log_files->SetGoingOn(false);
    return resumed;
  });
  if (mended) {
    PROBE("the store goes on when there is room");
    failure.Reset();
  } else if (tried && mended.error().code != ErrorCode::kUnavailable) {
    // Ends the trying, unless room is still what is lacking.
    failure.Record("going on", mended.error().message);
  }
  if (!mended) {
    failure.NoteTry(mended.error().message);
  }
  return mended;
}

bool Store::State::IsStalled() const {
  return queue != nullptr && queue->OldestAge() > options.stall_max;
}

void Store::State::Say(StoreNotice::Kind kind, std::string text) const {
  if (options.on_notice) {
    options.on_notice({.kind = kind, .text = std::move(text)});
  }
}

void Store::State::Maintain() {
  using Kind = StoreNotice::Kind;
  const MutexLock lock(look_mutex);
  if (const Result<void> health = failure.Check(); !health && failure.count() != refusals_said) {
    refusals_said = failure.count();
    refusal_is_said = true;
    Say(Kind::kRefuses, health.error().message);
  }
  if (failure.IsResourceExhausted()) {
    static_cast<void>(Resume());
  }
  if (refusal_is_said && !failure.failed()) {
    refusal_is_said = false;
    Say(Kind::kGoesOn, "there is room: the store takes writes again");
  }
  if (const bool is_stalled = IsStalled(); is_stalled != stall_is_said) {
    stall_is_said = is_stalled;
    stalls += is_stalled ? 1 : 0;
    Say(is_stalled ? Kind::kStands : Kind::kAnswers,
        is_stalled ? "the disk does not answer: writes wait; look at the disk under \"" +
                         options.path + "\" and at what else uses it"
                   : "the disk answers again");
  }
  RefreshSizes();
}

Result<void> Store::Maintain() {
  if (state_->queue != nullptr && !state_->options.in_memory) {
    state_->Maintain();
  } else {
    state_->RefreshSizes();
  }
  return Health();
}

bool Store::IsStalled() const {
  return state_->IsStalled();
}

}  // namespace stator::storage
