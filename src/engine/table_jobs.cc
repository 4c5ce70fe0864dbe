// The jobs behind schema changes; see background.h.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/free_memory.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/backups.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_walk.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator::engine {
namespace {

const Index* FindIndexById(const Table& table, std::uint32_t index_id) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.id == index_id; });
  return found == table.indexes.end() ? nullptr : &*found;
}

// Changes the table, if it is still there, in one published step.
template <class Change>
Result<void> ChangeTable(EngineCore& core, std::uint32_t table_id, const Change& change) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = core.catalog.FindId(table_id);
  if (current == nullptr) {
    return {};
  }
  Table next = *current;
  change(next);
  CHECK_THAT(next.id == current->id && next.name == current->name, "a job made another table");
  TRY_VOID(core.catalog.Publish(std::move(next)));
  return {};
}

}  // namespace

Result<void> BackfillIndex(EngineCore& core, std::uint32_t table_id, std::uint32_t index_id) {
  TablePtr table = core.catalog.FindId(table_id);
  const Index* index = table != nullptr ? FindIndexById(*table, index_id) : nullptr;
  if (index == nullptr || index->status != IndexStatus::kCreating) {
    return {};
  }
  const auto visit = [&](const std::string&, const Item& item, WriterView& view,
                         PendingWrite& write) -> Result<void> {
    if (!BelongsTo(*index, item)) {
      return {};
    }
    TRY_VOID(CheckStoredItem(*table, item));
    const std::string key = IndexKeyOf(*table, *index, item);
    const bool found = TRY(view.HasRow(key));
    const Item projected = ProjectionOf(*table, *index, item);
    std::string row;
    value::AppendItem(projected, row);
    write.PutRow(key, row, PendingWrite::LockOf::kItem);
    if (!found) {
      write.Count(index->statistics, 1, static_cast<std::int64_t>(value::SizeOfItem(projected)));
    }
    return {};
  };
  TRY_VOID(WalkItems(core, *table, visit));
  table.reset();
  return ChangeTable(core, table_id, [&](Table& next) {
    for (Index& each : next.indexes) {
      if (each.id == index_id) {
        each.status = IndexStatus::kActive;
        each.backfilling = false;
      }
    }
  });
}

Result<void> DropIndex(EngineCore& core, std::uint32_t table_id, std::uint32_t index_id) {
  if (core.catalog.FindId(table_id) == nullptr) {
    return {};
  }
  std::string prefix;
  keyspace::AppendIndexPrefix(table_id, index_id, prefix);
  TRY_VOID(DeleteRows(core, prefix, keyspace::PrefixEnd(prefix)));
  return ChangeTable(core, table_id, [&](Table& next) {
    std::erase_if(next.indexes, [&](const Index& index) { return index.id == index_id; });
    // Attributes that were only keys of this index are no longer defined.
    std::erase_if(next.attribute_definitions, [&](const AttributeDefinition& definition) {
      const auto uses = [&](const Index& index) {
        const std::vector<KeyAttribute> keys = index.KeyAttributes();
        return std::any_of(keys.begin(), keys.end(), [&](const KeyAttribute& key) {
          return key.name == definition.attribute_name;
        });
      };
      return !next.IsKeyAttribute(definition.attribute_name) &&
             std::none_of(next.indexes.begin(), next.indexes.end(), uses);
    });
  });
}

namespace {

// What hangs on the items of a dropped table: expiry rows, index rows.
Result<void> RemoveBesidesItems(EngineCore& core, std::uint32_t table_id,
                                const keyspace::DroppedTableRow& dropped) {
  if (const std::optional<std::string>& ttl = dropped.ttl_attribute) {
    Table table;
    table.id = table_id;
    TRY_VOID(WalkItems(core, table,
                       [&](const std::string& item_key, const Item& item, WriterView&,
                           PendingWrite& write) -> Result<void> {
                         if (const auto expiry = ExpiryOf(*ttl, item)) {
                           std::string key;
                           keyspace::AppendExpiryKey(*expiry, item_key, key);
                           write.batch.Delete(key);
                         }
                         return {};
                       }));
  }
  std::string indexes;
  keyspace::AppendIndexesPrefix(table_id, indexes);
  return DeleteRows(core, indexes, keyspace::PrefixEnd(indexes));
}

Result<void> RemoveItems(EngineCore& core, std::uint32_t table_id) {
  std::string items;
  keyspace::AppendItemsPrefix(table_id, items);
  TRY_VOID(DeleteRows(core, items, keyspace::PrefixEnd(items)));
  if (core.store->HasHistory()) {
    std::string undo;
    keyspace::AppendUndoRowsPrefix(table_id, undo);
    TRY_VOID(DeleteRows(core, undo, keyspace::PrefixEnd(undo), storage::Family::kHistory));
    core.history->Forget(table_id);
  }
  return {};
}

}  // namespace

Result<void> CleanDroppedTable(EngineCore& core, std::uint32_t table_id) {
  storage::PinnedValue value;
  const std::string dropped_key = keyspace::DroppedTableKey(table_id);
  if (!TRY(core.store->Get(dropped_key, value))) {
    return {};
  }
  keyspace::DroppedTableRow dropped = TRY(keyspace::DecodeDroppedTableRow(value.view()));
  if (dropped.table && !dropped.dropped_at) {
    TRY_VOID(KeepDroppedTable(core, table_id, dropped));
  }
  if (!dropped.only_items) {
    TRY_VOID(RemoveBesidesItems(core, table_id, dropped));
  }
  storage::WriteBatch batch;
  if (core.history->IsPinned(table_id)) {
    if (dropped.only_items) {
      return {};
    }
    dropped.only_items = true;
    dropped.ttl_attribute.reset();
    std::string row;
    keyspace::AppendDroppedTableRow(dropped, row);
    batch.Put(dropped_key, row);
    return core.store->Write(std::move(batch));
  }
  TRY_VOID(RemoveItems(core, table_id));
  batch.Delete(dropped_key);
  TRY_VOID(core.store->Write(std::move(batch)));
  base::ReturnFreeMemory();
  return {};
}

Result<void> FinishTtlChange(EngineCore& core, std::uint32_t table_id) {
  TablePtr table = core.catalog.FindId(table_id);
  if (table == nullptr || !(table->ttl_enabling || table->ttl_disabling)) {
    return {};
  }
  const bool enabling = table->ttl_enabling;
  const std::string attribute = enabling ? *table->ttl_attribute : *table->ttl_disabling;
  TRY_VOID(WalkItems(core, *table,
                     [&](const std::string& item_key, const Item& item, WriterView&,
                         PendingWrite& write) -> Result<void> {
                       const std::optional<std::int64_t> expiry = ExpiryOf(attribute, item);
                       if (!expiry) {
                         return {};
                       }
                       std::string key;
                       keyspace::AppendExpiryKey(*expiry, item_key, key);
                       if (enabling) {
                         write.batch.Put(key, "");
                       } else {
                         write.batch.Delete(key);
                       }
                       return {};
                     }));
  table.reset();
  return ChangeTable(core, table_id, [](Table& next) {
    next.ttl_enabling = false;
    next.ttl_disabling.reset();
  });
}

}  // namespace stator::engine
