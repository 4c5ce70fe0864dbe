// Removes what time has made superfluous; see background.h.

#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/item_change.h"
#include "engine/item_store.h"
#include "engine/item_write.h"
#include "engine/table_row.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// Deletes the item of an expiry row if it still expires then; otherwise the row was left by a table
// that is gone, and goes too.
Result<void> SweepRow(Core& core, const std::string& row_key) {
  const keyspace::ExpiryKey row = TRY(keyspace::DecodeExpiryKey(row_key));
  const TablePtr table = core.catalog.FindId(row.table);
  PendingWrite write;
  write.locks = TRY(core.locks.Acquire({KeyLocks::HashOf(row.item_key)}, core.lock_wait_max));
  if (table != nullptr && table->replaced.is_set()) {
    return {};  // it is found again in the next round, and deleted by the new schema
  }
  const std::optional<Item> item = TRY(ReadItem(core, row.item_key));
  const bool expires = table != nullptr && table->ttl_attribute && item &&
                       ExpiryOf(*table->ttl_attribute, *item) == row.seconds;
  if (expires) {
    write.tables.push_back(table);
    Usage unused(table->name, Usage::Kind::kWrite);
    ApplyChange(core,
                {.table = *table,
                 .item_key = row.item_key,
                 .before = &*item,
                 .after = nullptr,
                 .origin = ChangeOrigin::kExpiry},
                write, unused);
  } else {
    write.batch.Delete(row_key);
  }
  TRY_VOID(core.store->Write(std::move(write.batch)));
  write.Committed();
  return {};
}

}  // namespace

Result<std::size_t> SweepExpiredItems(Core& core, std::size_t limit) {
  const std::int64_t now = EpochSeconds(core.clock.Now());
  std::string begin;
  // Values five years or more in the past are taken for something else than an expiry.
  keyspace::AppendExpiryPrefix(now - limits::kTtlIgnoredBeforeSeconds + 1, begin);
  std::string end;
  keyspace::AppendExpiryPrefix(now, end);
  std::vector<std::string> row_keys;
  {
    storage::Cursor cursor = core.store->NewCursor(nullptr, begin, end);
    for (cursor.SeekToFirst(); cursor.Valid() && row_keys.size() < limit; cursor.Next()) {
      row_keys.emplace_back(cursor.key());
    }
    TRY_VOID(cursor.status());
  }
  for (const std::string& row_key : row_keys) {
    if (core.background->stopping()) {
      break;
    }
    TRY_VOID(SweepRow(core, row_key));
  }
  return row_keys.size();
}

Result<void> SaveStatistics(Core& core) {
  const auto lock = core.catalog.ChangeLock();
  storage::WriteBatch batch;
  for (const TablePtr& table : core.catalog.All()) {
    std::string row;
    AppendTable(*table, row);
    const std::string key = keyspace::TableKey(table->name);
    storage::PinnedValue stored;
    if (TRY(core.store->Get(key, stored)) && stored.view() == row) {
      continue;
    }
    batch.Put(key, row);
  }
  if (batch.empty()) {
    return {};
  }
  return core.store->Write(std::move(batch));
}

}  // namespace stator::engine
