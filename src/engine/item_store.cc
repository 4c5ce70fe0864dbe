#include "engine/item_store.h"

#include <vector>

#include "base/try.h"
#include "base/work.h"
#include "keyspace/item_codec.h"
#include "keyspace/key_part.h"
#include "keyspace/keys.h"

namespace stator::engine {

std::string ItemKeyOf(const Table& table, const Item& item) {
  std::string key;
  keyspace::AppendItemKey(table.id, item.at(table.partition.name),
                          table.sort ? &item.at(table.sort->name) : nullptr, key);
  return key;
}

Result<std::optional<Item>> ReadItem(const Core& core, const std::string& item_key,
                                     const storage::Snapshot* snapshot) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(item_key, value, snapshot))) {
    return std::nullopt;
  }
  return TRY(keyspace::DecodeItem(value.view()));
}

Result<std::optional<Item>> FetchItem(const Core& core, const std::string& item_key,
                                      const storage::Snapshot* snapshot) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(item_key, value, snapshot))) {
    return std::nullopt;
  }
  TRY_VOID(base::SpendWork(WorkOfRow(value.view().size())));
  return TRY(keyspace::DecodeItem(value.view()));
}

std::uint64_t WorkOfRow(std::size_t bytes) {
  return base::kRowUnits + 2 * bytes;
}

std::string IndexKeyOf(const Table& table, const Index& index, const Item& item) {
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
