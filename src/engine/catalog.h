// The tables that there are, in memory and on disk.
//
// Looking a table up is a shared lock and a hash; changing the catalog is rare, serialised, and
// durable before it is visible.
//
// THREADS: all methods from any thread. Changes are made under ChangeLock.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/serving_thread.h"
#include "base/shared_mutex.h"
#include "engine/table.h"
#include "engine/transient_states.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

class Catalog {
 public:
  Catalog(storage::Store& store, const TransientStates& transient_states)
      : store_(store), transient_states_(transient_states) {}

  // Reads every table row.
  Result<void> Load();

  // The table of that name or ARN; kTableNotFound in the words of the item operations, also when
  // it is CREATING, as one is that is being restored. kThrottled when its items are partly what they
  // were, because the program ended while it was rewound.
  [[nodiscard]] Result<TablePtr> Find(std::string_view name_or_arn) const;
  // The same in the words of the table operations, which name the table.
  [[nodiscard]] Result<TablePtr> FindNamed(std::string_view name_or_arn) const;
  // The same, and tables that are being restored, too.
  [[nodiscard]] Result<TablePtr> FindAny(std::string_view name_or_arn) const;
  // By id, also one that is being restored; null when the table is gone.
  [[nodiscard]] TablePtr FindId(std::uint32_t id) const;

  // Whether an operation still goes by a schema of this table that was replaced or removed.
  [[nodiscard]] bool IsOldSchemaInUse(std::uint32_t id);

  // Whether an operation may still write records of this stream: it is enabled, or a schema that
  // had it is in use.
  [[nodiscard]] bool IsStreamInUse(std::uint32_t stream_id) const;

  // All tables in the order of their names.
  [[nodiscard]] std::vector<TablePtr> All() const;
  // Names behind `after`, in order, at most `limit`.
  [[nodiscard]] std::vector<std::string> NamesAfter(std::string_view after,
                                                    std::size_t limit) const;

  // Held while a table is looked at, changed and put back. Clang sees in its callers what they are
  // given, but not here that it is given away.
  [[nodiscard]] MutexLock ChangeLock()
      STATOR_ACQUIRE(change_mutex_) STATOR_NO_THREAD_SAFETY_ANALYSIS {
    base::MayWait();  // for a change that writes and builds
    return MutexLock(change_mutex_);
  }

  // For functions that are called with it.
  [[nodiscard]] Mutex& change_mutex() STATOR_RETURN_CAPABILITY(change_mutex_) {
    return change_mutex_;
  }

  // A number that no table (or stream) has had. `batch` gets the row that remembers it, and must be
  // written. REQUIRES: ChangeLock is held until the batch is written.
  std::uint32_t TakeTableId(storage::WriteBatch& batch) STATOR_REQUIRES(change_mutex_);
  std::uint32_t TakeStreamId(storage::WriteBatch& batch) STATOR_REQUIRES(change_mutex_);

  // Writes the batch and the row of the table together, then publishes the table in place of the
  // one with its name. REQUIRES: ChangeLock is held.
  Result<TablePtr> Publish(Table table, storage::WriteBatch batch = {})
      STATOR_REQUIRES(change_mutex_);

  // Publishes the table in place of the one with its name, without writing: what differs is in no row.
  // REQUIRES: ChangeLock is held.
  void Show(Table table) STATOR_REQUIRES(change_mutex_);

  // Writes the batch, then has these tables and no others. REQUIRES: ChangeLock is held, and the batch
  // has what the rows of tables need for that.
  Result<void> Replace(std::vector<Table> tables, storage::WriteBatch batch)
      STATOR_REQUIRES(change_mutex_);

  // Writes the batch and the removal together, then forgets the table. REQUIRES: ChangeLock.
  Result<void> Remove(const Table& table, storage::WriteBatch batch) STATOR_REQUIRES(change_mutex_);

 private:
  // Null when there is none.
  [[nodiscard]] TablePtr Look(std::string_view name_or_arn) const;

  storage::Store& store_;
  const TransientStates& transient_states_;
  Mutex change_mutex_;
  std::uint64_t next_table_id_ STATOR_GUARDED_BY(change_mutex_) = 1;
  std::uint64_t next_stream_id_ STATOR_GUARDED_BY(change_mutex_) = 1;

  void Put(const TablePtr& table);
  // Remembers a schema that is not in tables_ any more.
  void Retire(const TablePtr& table) STATOR_REQUIRES(mutex_);

  mutable SharedMutex mutex_;
  std::map<std::string, TablePtr, std::less<>> tables_ STATOR_GUARDED_BY(mutex_);
  std::map<std::uint32_t, std::vector<std::weak_ptr<const Table>>> retired_
      STATOR_GUARDED_BY(mutex_);  // by table id
};

}  // namespace stator::engine
