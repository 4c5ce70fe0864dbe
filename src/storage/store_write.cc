// The part of Store that writes.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <utility>

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

Result<void> Store::State::CommitDurably(WriteBatch&& group, std::uint32_t merged) {
  TRY_VOID(fuse.Check());
  rocksdb::WriteOptions how;
  how.sync = true;
  const std::size_t group_bytes = group.bytes();
  rocksdb::WriteBatch batch(group.TakeRepresentation());
  const Duration begun = options.clock->Elapsed();
  const rocksdb::Status status = database->Write(how, &batch);
  sync_micros += static_cast<std::uint64_t>((options.clock->Elapsed() - begun).count());
  if (!status.ok()) {
    fuse.Blow("a synced write", status.ToString());
    return ToResult(status, "a synced write");
  }
  batches += merged;
  groups += 1;
  syncs += 1;
  bytes += group_bytes;
  return {};
}

Result<void> Store::State::WriteUnsynced(WriteBatch&& from) {
  TRY_VOID(fuse.Check());
  rocksdb::WriteOptions how;
  // In memory there is nothing that a log could be replayed from.
  how.disableWAL = options.in_memory;
  const std::size_t batch_bytes = from.bytes();
  rocksdb::WriteBatch batch(from.TakeRepresentation());
  if (const rocksdb::Status status = database->Write(how, &batch); !status.ok()) {
    fuse.Blow("a write", status.ToString());
    return ToResult(status, "a write");
  }
  if (background_sync != nullptr) {
    background_sync->MarkDirty();
  }
  batches += 1;
  groups += 1;
  bytes += batch_bytes;
  return {};
}

Result<void> Store::State::SyncLog() {
  TRY_VOID(fuse.Check());
  if (log_files == nullptr) {
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
  if (state_->options.read_only) {
    return Fail(ErrorCode::kIo, "the store was opened for reading only");
  }
  if (batch.empty()) {
    return Health();
  }
  return state_->queue != nullptr ? state_->queue->Write(std::move(batch))
                                  : state_->WriteUnsynced(std::move(batch));
}

void Store::Submit(WriteBatch&& batch, Done done) {
  if (state_->queue != nullptr && !batch.empty()) {
    state_->queue->Submit(std::move(batch), std::move(done));
  } else {
    done(Write(std::move(batch)));
  }
}

Result<void> Store::Health() const {
  return state_->fuse.Check();
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
