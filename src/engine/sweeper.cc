// Removes what time has made superfluous; see background.h.

#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/probe.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/item_change.h"
#include "engine/item_store.h"
#include "engine/job_calls.h"
#include "engine/table_row.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// Deletes the item of an expiry row if it still expires then; otherwise the row was left by a table
// that is gone, and goes too. What was prolonged by a write that is still queued stays.
Result<void> SweepRow(EngineCore& core, const std::string& row_key, const keyspace::ExpiryKey& row,
                      WriterView& view, PendingWrite& write) {
  const TablePtr table = core.catalog.FindId(row.table);
  if (table != nullptr && table->is_closed()) {
    return {};  // another time
  }
  const std::optional<Item> item = TRY(view.ReadItem(row.item_key));
  const bool expires = table != nullptr && table->ttl_attribute && item &&
                       ExpiryOf(*table->ttl_attribute, *item) == row.seconds;
  if (!expires) {
    PROBE("an expiry row is of an item that does not expire then");
    write.batch.Delete(row_key);
    return {};
  }
  TRY_VOID(CheckStoredItem(*table, *item, row.item_key));
  write.tables.push_back(table);
  Usage unused(table->name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *table,
               .item_key = row.item_key,
               .before = &*item,
               .after = nullptr,
               .origin = ChangeOrigin::kExpiry},
              view, write, unused);
  return {};
}

}  // namespace

Result<std::size_t> SweepExpiredItems(EngineCore& core, std::size_t limit) {
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
  JobCalls calls(core);
  for (const std::string& row_key : row_keys) {
    if (core.background->stopping()) {
      break;
    }
    keyspace::ExpiryKey row = TRY(keyspace::DecodeExpiryKey(row_key));
    const std::uint64_t lock = KeyTable::HashOf(row.item_key);
    calls.Begin({lock},
                [&core, &row_key, row = std::move(row)](WriterView& view, PendingWrite& write) {
                  return SweepRow(core, row_key, row, view, write);
                });
  }
  TRY_VOID(calls.Await());
  DCHECK(row_keys.size() <= limit);
  return row_keys.size();
}

Result<void> SaveStatistics(EngineCore& core) {
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
