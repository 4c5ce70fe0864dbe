// The part of Store that writes.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/serving_thread.h"
#include "base/try.h"
#include "storage/rocksdb_status.h"
#include "storage/store_state.h"
#include "storage/writes_to.h"

namespace stator::storage {
namespace {

std::string_view NameOf(rocksdb::BackgroundErrorReason reason) {
  switch (reason) {
    case rocksdb::BackgroundErrorReason::kWriteCallback:
    case rocksdb::BackgroundErrorReason::kMemTable:
      return "a write";
    case rocksdb::BackgroundErrorReason::kFlush:
    case rocksdb::BackgroundErrorReason::kFlushNoWAL:
      return "a flush";
    case rocksdb::BackgroundErrorReason::kCompaction:
      return "a compaction";
    case rocksdb::BackgroundErrorReason::kManifestWrite:
    case rocksdb::BackgroundErrorReason::kManifestWriteNoWAL:
      return "a write to the list of tables";
  }
  return "something";
}

}  // namespace

void StoreListener::OnFlushCompleted(rocksdb::DB* /*database*/,
                                     const rocksdb::FlushJobInfo& /*job*/) {
  const MutexLock lock(mutex_);
  changed_.NotifyAll();
}

void StoreListener::Await(const std::function<bool()>& is_over) {
  base::MayWait();
  MutexLock lock(mutex_);
  changed_.Wait(lock, is_over);
}

void StoreListener::OnBackgroundError(rocksdb::BackgroundErrorReason reason,
                                      rocksdb::Status* error) {
  using Reason = rocksdb::BackgroundErrorReason;
  const bool in_foreground = reason == Reason::kWriteCallback || reason == Reason::kMemTable;
  if (!in_foreground) {  // where the writer sees it too
    failure_.Record(NameOf(reason), error->ToString());
  }
  {
    const MutexLock lock(mutex_);
    ++failures_;
    changed_.NotifyAll();
  }
  // RocksDB stops when this returns; its mutex is not held. After a failure in the foreground it does
  // not go on (log_files.h keeps a lack of room from being one), and flushes may wait for the caller.
  if (!in_foreground) {
    flushes_->Stop();
    flushes_->AwaitBegun();
  }
}

namespace {

// A batch of RocksDB that gives its bytes back.
class LentBatch final : public rocksdb::WriteBatch {
 public:
  explicit LentBatch(storage::WriteBatch& lender)
      : rocksdb::WriteBatch(lender.TakeRepresentation()), lender_(lender) {}
  LentBatch(const LentBatch&) = delete;
  LentBatch& operator=(const LentBatch&) = delete;
  ~LentBatch() override { lender_.GiveBackRepresentation(std::move(rep_)); }

 private:
  storage::WriteBatch& lender_;
};

}  // namespace

// A write that somebody waits for, without more.
class Store::InFlight::Write final : public QueuedWrite {
 public:
  Result<void> outcome;

 private:
  void OnSettled(const Result<void>& settled) override { outcome = settled; }
  void OnAnswer(const Result<void>& /*settled*/) override {}
};

Result<void> Store::State::CommitGroup(std::span<const QueuedWritePtr> group) {
  CHECK(!group.empty() && database != nullptr && !options.read_only);
  TRY_VOID(failure.Check());
  const bool sync = syncs_each_write();
  rocksdb::WriteOptions how;
  how.sync = sync;
  // In memory there is nothing that a log could be replayed from.
  how.disableWAL = options.in_memory;
  WriteBatch merged;
  if (group.size() > 1) {
    std::size_t total = 0;
    for (const QueuedWritePtr& write : group) {
      total += write->batch.bytes();
    }
    merged.reserve(total);
    for (const QueuedWritePtr& write : group) {
      merged.Append(write->batch);
    }
  }
  // One alone is handed over as it is; its bytes stay where they are.
  WriteBatch& whole = group.size() == 1 ? group.front()->batch : merged;
  DCHECK(!whole.empty());
  const std::size_t group_bytes = whole.bytes();
  const Duration begun = options.clock->Elapsed();
  rocksdb::Status status;
  {
    WritesTo closed(rows, runs, whole);
    LentBatch batch(whole);
    status = database->Write(how, &batch);
    if (status.ok()) {
      closed.SetWritten();
    }
  }
  if (!status.ok()) {
    const char* const what = sync ? "a synced write" : "a write";
    failure.Record(what, status.ToString());
    return ToResult(status, what);
  }
  if (sync) {
    sync_micros += static_cast<std::uint64_t>((options.clock->Elapsed() - begun).count());
    syncs += 1;
  } else if (background_sync != nullptr) {
    background_sync->MarkDirty();
  }
  batches += group.size();
  groups += 1;
  bytes += group_bytes;
  return {};
}

Result<bool> Store::State::WriteNow(WriteBatch& from) {
  CHECK(!from.empty() && !options.read_only);
  TRY_VOID(failure.Check());
  rocksdb::WriteOptions how;
  how.disableWAL = options.in_memory;
  how.no_slowdown = true;
  const std::size_t batch_bytes = from.bytes();
  rocksdb::Status status;
  {
    WritesTo closed(rows, runs, from);
    LentBatch batch(from);
    status = database->Write(how, &batch);
    if (status.ok()) {
      closed.SetWritten();
    }
  }
  if (status.IsIncomplete()) {
    return false;
  }
  if (!status.ok()) {
    failure.Record("a write", status.ToString());
    TRY_VOID(ToResult(status, "a write"));
  }
  if (background_sync != nullptr) {
    background_sync->MarkDirty();
  }
  batches += 1;
  groups += 1;
  bytes += batch_bytes;
  return true;
}

Result<void> Store::State::SyncLog() {
  TRY_VOID(failure.Check());
  // A durable store has RocksDB sync its log with each write.
  if (log_files == nullptr || options.read_only || options.durability == Durability::kDurable) {
    return {};
  }
  const Duration begun = options.clock->Elapsed();
  const rocksdb::IOStatus status = log_files->SyncAll();
  sync_micros += static_cast<std::uint64_t>((options.clock->Elapsed() - begun).count());
  if (!status.ok()) {
    failure.Record("a sync of the log", status.ToString());
    return ToResult(status, "a sync of the log");
  }
  syncs += 1;
  return {};
}

Result<void> Store::Write(WriteBatch&& batch) {
  if (batch.empty() && !state_->options.read_only) {
    return Health();
  }
  const auto write = std::make_shared<InFlight::Write>();
  write->batch = std::move(batch);
  if (TRY(TryWriteNow(*write))) {
    return {};
  }
  base::MayWait();
  const CommitQueue::Placed placed = TRY(Enqueue(write, CommitQueue::Whose::kCaller));
  if (placed.owned) {
    state_->queue->CommitOwned();
  } else {
    placed.group->Await();
  }
  return write->outcome;
}

Result<Store::InFlight> Store::StartWrite(WriteBatch&& batch) {
  CHECK_THAT(!batch.empty(), "there is nothing to write");
  InFlight started;
  started.write_ = std::make_shared<InFlight::Write>();
  started.write_->batch = std::move(batch);
  started.group_ = TRY(Enqueue(started.write_)).group;
  return started;
}

Result<void> Store::InFlight::Await() {
  if (write_ == nullptr) {
    return {};
  }
  base::MayWait();
  group_->Await();
  return write_->outcome;
}

Result<CommitQueue::Placed> Store::Enqueue(QueuedWritePtr write, CommitQueue::Whose commit) {
  if (state_->queue == nullptr) {
    return Fail(ErrorCode::kIo, "the store was opened for reading only");
  }
  return state_->queue->Enqueue(std::move(write), commit);
}

Result<bool> Store::TryWriteNow(QueuedWrite& write) {
  if (state_->queue == nullptr || state_->syncs_each_write()) {
    return false;
  }
  return state_->queue->TryWriteNow(write,
                                    [this](WriteBatch& batch) { return state_->WriteNow(batch); });
}

bool Store::HasRoom() const {
  return state_->queue == nullptr || state_->queue->HasRoom();
}

std::uint64_t Store::VisibleSequence() const {
  return state_->queue == nullptr ? 0 : state_->queue->visible_sequence();
}

CommitQueue& Store::queue() {
  CHECK(state_->queue != nullptr);
  return *state_->queue;
}

Result<void> Store::Health() const {
  return state_->failure.Check();
}

Result<void> Store::CheckPlace() {
  if (state_->log_files == nullptr) {
    return {};
  }
  const rocksdb::IOStatus found = state_->log_files->CheckPlace();
  if (!found.ok()) {
    state_->failure.Record("looking for the directory", found.ToString());
  }
  return Health();
}

const std::vector<std::string>& Store::Losses() const {
  return state_->losses;
}

Result<void> Store::Sync() {
  return state_->SyncLog();
}

// After DB::Resume, DB::Flush no longer waits (7.8 leaves its mark that it was stopped), so we do.
rocksdb::Status Store::State::Flush() {
  const std::uint64_t failures = listener->failures();
  rocksdb::FlushOptions at_once;
  at_once.allow_write_stall = true;
  std::vector<rocksdb::ColumnFamilyHandle*> families = {database->DefaultColumnFamily()};
  if (history != nullptr) {
    families.push_back(history);
  }
  if (rocksdb::Status flushed = database->Flush(at_once, families); !flushed.ok()) {
    return flushed;
  }
  std::uint64_t left = 0;
  listener->Await([&] {
    return listener->failures() != failures ||
           !database->GetAggregatedIntProperty(rocksdb::DB::Properties::kNumImmutableMemTable,
                                               &left) ||
           left == 0;
  });
  if (left == 0) {
    return rocksdb::Status::OK();
  }
  const Result<void> health = failure.Check();
  return rocksdb::Status::IOError(health ? "in the background" : health.error().message);
}

Result<void> Store::Flush() {
  TRY_VOID(Health());
  const rocksdb::Status status = state_->Flush();
  if (!status.ok()) {
    state_->failure.Record("a flush", status.ToString());
  }
  return ToResult(status, "a flush");
}

Result<void> Store::CompactRange(std::string_view begin, std::string_view end, Family family) {
  TRY_VOID(Health());
  const rocksdb::Slice first = ToSlice(begin);
  const rocksdb::Slice last = ToSlice(end);
  rocksdb::CompactRangeOptions how;
  // Other compactions go on meanwhile.
  how.exclusive_manual_compaction = false;
  const rocksdb::Status status = state_->database->CompactRange(how, state_->HandleOf(family),
                                                                begin.empty() ? nullptr : &first,
                                                                end.empty() ? nullptr : &last);
  // RocksDB tells its listener, too, but perhaps after the return.
  if (status.IsIOError() || status.IsCorruption()) {
    state_->failure.Record("a compaction", status.ToString());
  }
  return ToResult(status, "compacting");
}

}  // namespace stator::storage
