// The part of CheckDatabase that looks at items and at what hangs on them: index entries and expiry
// rows.

#include <utility>

#include "base/hex.h"
#include "base/limits.h"
#include "engine/check_context.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "keyspace/keys.h"
#include "value/check_value.h"
#include "value/item_codec.h"
#include "value/plain_json.h"
#include "value/size.h"

namespace stator::engine {
namespace {

bool HasKeyOf(const Table& table, const Item& item) {
  return item.contains(table.partition.name) && (!table.sort || item.contains(table.sort->name)) &&
         CheckKey(table, KeyOf(table, item)).has_value();
}

void CheckEntryOf(CheckContext& context, CheckedTable& checked, const Index& index,
                  const Item& item, const std::string& name) {
  if (index.status == IndexStatus::kDeleting || !BelongsTo(index, item)) {
    return;
  }
  storage::PinnedValue row;
  const std::optional<bool> found = context.Find(IndexKeyOf(checked.table, index, item), row);
  if (!found) {
    return;
  }
  if (!*found) {
    if (index.status != IndexStatus::kCreating) {
      context.Problem(name + ": it has no entry in the index " + index.name);
    }
    return;
  }
  const Item projected = ProjectionOf(checked.table, index, item);
  std::string expected;
  value::AppendItem(projected, expected);
  if (row.view() != expected) {
    context.Problem(name + ": its entry in the index " + index.name + " is not what is projected");
  }
  checked.index_figures[index.id].Add(value::SizeOfItem(projected));
}

void CheckExpiryOf(CheckContext& context, const Table& table, const Item& item,
                   std::string_view item_key, const std::string& name) {
  if (!table.ttl_attribute || table.ttl_enabling) {
    return;
  }
  const std::optional<std::int64_t> expiry = ExpiryOf(*table.ttl_attribute, item);
  if (!expiry) {
    return;
  }
  std::string key;
  keyspace::AppendExpiryKey(*expiry, item_key, key);
  storage::PinnedValue row;
  if (const std::optional<bool> found = context.Find(key, row); found && !*found) {
    context.Problem(name + ": it expires, but has no expiry row");
  }
}

// The key of the item that an index entry is of: its last parts are the key in the table.
std::optional<std::string> ItemKeyOfEntry(const Table& table, const Index& index,
                                          const keyspace::IndexKey& key) {
  const std::size_t own_parts = index.partition.size() + index.sort.size();
  if (key.parts.size() != own_parts + (table.sort ? 2 : 1)) {
    return std::nullopt;
  }
  std::string item_key;
  keyspace::AppendItemKey(table.id, key.parts[own_parts],
                          table.sort ? &key.parts[own_parts + 1] : nullptr, item_key);
  return item_key;
}

}  // namespace

std::string NameOfItem(const Table& table, const keyspace::ItemKey& key) {
  std::string name = "table " + table.name + ", item " + value::ToPlainJson(key.partition);
  if (key.sort) {
    name += " " + value::ToPlainJson(*key.sort);
  }
  return name;
}

std::optional<Item> CheckStoredRow(CheckContext& context, const Table& table,
                                   const std::string& name, std::string_view item_key,
                                   std::string_view row) {
  Result<Item> item = value::DecodeItem(row);
  if (!item) {
    context.Problem(name + ": " + item.error().message);
    return std::nullopt;
  }
  if (!HasKeyOf(table, *item) || ItemKeyOf(table, *item) != item_key) {
    context.Problem(name + ": its attributes do not give the key under which it is stored");
    return std::nullopt;
  }
  if (const Result<void> valid = value::CheckItem(*item); !valid) {
    context.Problem(name + ": " + valid.error().message);
  } else if (value::SizeOfItem(*item) > limits::kItemBytesMax) {
    context.Problem(name + ": it is larger than an item may be");
  }
  return *std::move(item);
}

void CheckItemRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::ItemKey> decoded = keyspace::DecodeItemKey(key);
  if (!decoded) {
    return context.Problem("an item: " + decoded.error().message + ": " + base::HexOf(key));
  }
  CheckedTable* checked = context.TableOfRow(decoded->table, "an item");
  if (checked == nullptr) {
    return;
  }
  ++context.report.items;
  const std::string name = NameOfItem(checked->table, *decoded);
  const std::optional<Item> item = CheckStoredRow(context, checked->table, name, key, row);
  if (!item) {
    return;
  }
  checked->figures.Add(value::SizeOfItem(*item));
  for (const Index& index : checked->table.indexes) {
    CheckEntryOf(context, *checked, index, *item, name);
  }
  CheckExpiryOf(context, checked->table, *item, key, name);
}

void CheckIndexRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::IndexKey> decoded = keyspace::DecodeIndexKey(key);
  if (!decoded) {
    return context.Problem("an index entry: " + decoded.error().message + ": " + base::HexOf(key));
  }
  const CheckedTable* checked = context.TableOfRow(decoded->table, "an index entry");
  if (checked == nullptr) {
    return;
  }
  ++context.report.index_entries;
  const Table& table = checked->table;
  const Index* index = checked->FindIndex(decoded->index);
  if (index == nullptr) {
    return context.Problem("table " + table.name + ": an entry is of no index, but of the id " +
                           std::to_string(decoded->index));
  }
  const std::string name =
      "table " + table.name + ", index " + index->name + ", entry " + base::HexOf(key);
  if (const Result<Item> entry = value::DecodeItem(row); !entry) {
    return context.Problem(name + ": " + entry.error().message);
  }
  if (index->status == IndexStatus::kDeleting) {
    return;
  }
  const std::optional<std::string> item_key = ItemKeyOfEntry(table, *index, *decoded);
  if (!item_key) {
    return context.Problem(name + ": it has an impossible number of key attributes");
  }
  storage::PinnedValue item_row;
  const std::optional<bool> found = context.Find(*item_key, item_row);
  if (!found) {
    return;
  }
  if (!*found) {
    return context.Problem(name + ": its item is not there");
  }
  // An item that cannot be read is reported with its own row.
  const Result<Item> item = value::DecodeItem(item_row.view());
  if (item && (!HasKeyOf(table, *item) || !BelongsTo(*index, *item) ||
               IndexKeyOf(table, *index, *item) != key)) {
    context.Problem(name + ": its item belongs elsewhere in the index");
  }
}

void CheckExpiryRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::ExpiryKey> decoded = keyspace::DecodeExpiryKey(key);
  if (!decoded) {
    return context.Problem("an expiry row: " + decoded.error().message + ": " + base::HexOf(key));
  }
  const CheckedTable* checked = context.TableOfRow(decoded->table, "an expiry row");
  if (checked == nullptr) {
    return;
  }
  ++context.report.expiry_rows;
  const Table& table = checked->table;
  const std::string name = "table " + table.name + ", expiry row " + base::HexOf(key);
  if (!row.empty()) {
    context.Problem(name + ": it has a value");
  }
  const std::string* attribute = table.ttl_attribute   ? &*table.ttl_attribute
                                 : table.ttl_disabling ? &*table.ttl_disabling
                                                       : nullptr;
  if (attribute == nullptr) {
    return context.Problem(name + ": the items of this table do not expire");
  }
  storage::PinnedValue item_row;
  const std::optional<bool> found = context.Find(decoded->item_key, item_row);
  if (!found) {
    return;
  }
  if (!*found) {
    return context.Problem(name + ": its item is not there");
  }
  const Result<Item> item = value::DecodeItem(item_row.view());
  if (item && ExpiryOf(*attribute, *item) != decoded->seconds) {
    context.Problem(name + ": its item does not expire then");
  }
}

}  // namespace stator::engine
