// The part of Store that writes.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "storage/rocksdb_status.h"
#include "storage/store_state.h"

namespace stator::storage {

void StoreListener::OnBackgroundError(rocksdb::BackgroundErrorReason reason,
                                      rocksdb::Status* error) {
  switch (reason) {
    case rocksdb::BackgroundErrorReason::kWriteCallback:
    case rocksdb::BackgroundErrorReason::kMemTable:
      return;  // in the foreground, where the writer sees it too
    case rocksdb::BackgroundErrorReason::kFlush:
    case rocksdb::BackgroundErrorReason::kFlushNoWAL:
      return fuse_.Blow("a flush", error->ToString());
    case rocksdb::BackgroundErrorReason::kCompaction:
      return fuse_.Blow("a compaction", error->ToString());
    case rocksdb::BackgroundErrorReason::kManifestWrite:
    case rocksdb::BackgroundErrorReason::kManifestWriteNoWAL:
      return fuse_.Blow("a write to the list of tables", error->ToString());
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

// A write that somebody waits for, without more.
class PlainWrite final : public QueuedWrite {
 public:
  Result<void> outcome;

 private:
  void OnSettled(const Result<void>& settled) override { outcome = settled; }
  void OnAnswer(const Result<void>& /*settled*/) override {}
};

}  // namespace

Result<void> Store::State::CommitGroup(std::span<const QueuedWritePtr> group) {
  TRY_VOID(fuse.Check());
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
  const std::size_t group_bytes = whole.bytes();
  const Duration begun = options.clock->Elapsed();
  rocksdb::Status status;
  {
    LentBatch batch(whole);
    status = database->Write(how, &batch);
  }
  if (!status.ok()) {
    const char* const what = sync ? "a synced write" : "a write";
    fuse.Blow(what, status.ToString());
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
  TRY_VOID(fuse.Check());
  rocksdb::WriteOptions how;
  how.disableWAL = options.in_memory;
  how.no_slowdown = true;
  const std::size_t batch_bytes = from.bytes();
  rocksdb::Status status;
  {
    LentBatch batch(from);
    status = database->Write(how, &batch);
  }
  if (status.IsIncomplete()) {
    return false;
  }
  if (!status.ok()) {
    fuse.Blow("a write", status.ToString());
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
  TRY_VOID(fuse.Check());
  // A durable store has RocksDB sync its log with each write.
  if (log_files == nullptr || options.read_only || options.durability == Durability::kDurable) {
    return {};
  }
  const Duration begun = options.clock->Elapsed();
  const rocksdb::IOStatus status = log_files->SyncAll();
  sync_micros += static_cast<std::uint64_t>((options.clock->Elapsed() - begun).count());
  if (!status.ok()) {
    fuse.Blow("a sync of the log", status.ToString());
    return ToResult(status, "a sync of the log");
  }
  syncs += 1;
  return {};
}

Result<void> Store::Write(WriteBatch&& batch) {
  if (batch.empty() && !state_->options.read_only) {
    return Health();
  }
  const auto write = std::make_shared<PlainWrite>();
  write->batch = std::move(batch);
  if (TRY(TryWriteNow(*write))) {
    return {};
  }
  const CommitQueue::Placed placed = TRY(Enqueue(write, CommitQueue::Whose::kCaller));
  if (placed.owned) {
    state_->queue->CommitOwned();
  } else {
    placed.group->Await();
  }
  return write->outcome;
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
  return state_->fuse.Check();
}

Result<void> Store::CheckPlace() {
  if (state_->log_files == nullptr) {
    return {};
  }
  const rocksdb::IOStatus found = state_->log_files->CheckPlace();
  if (!found.ok()) {
    state_->fuse.Blow("looking for the directory", found.ToString());
  }
  return Health();
}

const std::vector<std::string>& Store::Losses() const {
  return state_->losses;
}

Result<void> Store::Sync() {
  return state_->SyncLog();
}

Result<void> Store::Flush() {
  TRY_VOID(Health());
  const rocksdb::Status status = state_->database->Flush({});
  if (!status.ok()) {
    state_->fuse.Blow("a flush", status.ToString());
  }
  return ToResult(status, "a flush");
}

Result<void> Store::CompactRange(std::string_view begin, std::string_view end) {
  TRY_VOID(Health());
  const rocksdb::Slice first = ToSlice(begin);
  const rocksdb::Slice last = ToSlice(end);
  rocksdb::CompactRangeOptions how;
  // Other compactions go on meanwhile.
  how.exclusive_manual_compaction = false;
  return ToResult(state_->database->CompactRange(how, begin.empty() ? nullptr : &first,
                                                 end.empty() ? nullptr : &last),
                  "compacting");
}

}  // namespace stator::storage
