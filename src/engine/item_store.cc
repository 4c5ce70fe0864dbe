#include "engine/item_store.h"

#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "base/work.h"
#include "keyspace/key_part.h"
#include "keyspace/keys.h"
#include "value/item_codec.h"

namespace stator::engine {

std::string ItemKeyOf(const Table& table, const Item& item) {
  std::string key;
  keyspace::AppendItemKey(table.id, item.at(table.partition.name),
                          table.sort ? &item.at(table.sort->name) : nullptr, key);
  return key;
}

Result<void> CheckStoredItem(const Table& table, const Item& item) {
  const auto has = [&](const KeyAttribute& attribute) {
    const AttributeValue* value = item.Find(attribute.name);
    return value != nullptr && value->type() == ValueType(attribute.type);
  };
  if (!has(table.partition) || (table.sort && !has(*table.sort))) {
    return Fail(ErrorCode::kCorruption,
                "table " + table.name + ": a stored item does not have its key");
  }
  return {};
}

Result<void> CheckStoredItem(const Table& table, const Item& item, std::string_view item_key) {
  TRY_VOID(CheckStoredItem(table, item));
  if (ItemKeyOf(table, item) != item_key) {
    return Fail(ErrorCode::kCorruption,
                "table " + table.name + ": a stored item is under another item's key");
  }
  return {};
}

Result<void> CheckStoredRow(const Table& table, std::string_view row, const Item& item,
                            std::string_view item_key) {
  if (keyspace::IsKeyOfRow(item_key, table.id, row, table.partition.name,
                           table.sort ? &table.sort->name : nullptr)) {
    return {};
  }
  return CheckStoredItem(table, item, item_key);
}

Result<Item> OpenRow(const storage::PinnedValue& row) {
  const std::size_t bytes = TRY(CheckRow(row, row.view()));
  return value::OpenCheckedItem(row.view(), bytes);
}

Result<std::optional<Item>> ReadItem(const EngineCore& core, const std::string& item_key,
                                     const storage::Snapshot* snapshot) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(item_key, value, snapshot))) {
    return std::nullopt;
  }
  return TRY(OpenRow(value));
}

Result<std::optional<Item>> FetchItem(const EngineCore& core, const std::string& item_key,
                                      const storage::Snapshot* snapshot) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(item_key, value, snapshot))) {
    return std::nullopt;
  }
  TRY_VOID(base::SpendWork(WorkOfRow(value.view().size())));
  return TRY(OpenRow(value));
}

std::uint64_t WorkOfRow(std::size_t bytes) {
  return base::kRowUnits + 2 * bytes;
}

std::string IndexKeyOf(const Table& table, const Index& index, const Item& item) {
  CHECK(!index.partition.empty());
  std::vector<const AttributeValue*> partition;
  partition.reserve(index.partition.size());
  for (const KeyAttribute& attribute : index.partition) {
    partition.push_back(&item.at(attribute.name));
  }
  std::string key;
  keyspace::AppendIndexPartition(table.id, index.id, partition, key);
  for (const KeyAttribute& attribute : index.sort) {
    keyspace::AppendKeyPart(item.at(attribute.name), key);
  }
  keyspace::AppendKeyPart(item.at(table.partition.name), key);
  if (table.sort) {
    keyspace::AppendKeyPart(item.at(table.sort->name), key);
  }
  return key;
}

}  // namespace stator::engine
