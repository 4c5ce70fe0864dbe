// Items as rows: where an item of a table is, reading it, and the key that locks it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "engine/table.h"
#include "stator/base/result.h"
#include "storage/pinned_value.h"
#include "storage/snapshot.h"
#include "value/item_codec.h"

namespace stator::engine {

// REQUIRES: `item` has the key attributes of the table, of their types.
std::string ItemKeyOf(const Table& table, const Item& item);

// Whether what was read from the store has the attributes of the table's key, of their types, so
// that KeyOf and its like may be asked for them; kCorruption otherwise.
Result<void> CheckStoredItem(const Table& table, const Item& item);
// And whether it is the item of that row.
Result<void> CheckStoredItem(const Table& table, const Item& item, std::string_view item_key);
// The same when the item was just made of its row, in which its key is found with less work: the item
// is looked at when something is wrong, to say what.
Result<void> CheckStoredRow(const Table& table, std::string_view row, const Item& item,
                            std::string_view item_key);

// What value/item_codec's CheckItem says of `row`, which is at `place`, a cursor or a pinned value.
// What was said once of a row that the store keeps at hand is noted there, as the size and one.
template <class Place>
Result<std::size_t> CheckRow(Place& place, std::string_view row) {
  if (const std::uint32_t note = place.note(); note > 0) {
    return note - 1;
  }
  Result<std::size_t> bytes = value::CheckItem(row);
  if (bytes) {
    place.SetNote(static_cast<std::uint32_t>(*bytes) + 1);
  }
  return bytes;
}

// The item in a row that was read.
Result<Item> OpenRow(const storage::PinnedValue& row);

// The item in the row `item_key`, as of `snapshot` or of now.
Result<std::optional<Item>> ReadItem(const EngineCore& core, const std::string& item_key,
                                     const storage::Snapshot* snapshot = nullptr);

// The same for calls that only read: the work is counted before it is done, so a large item moves
// the call away from a thread that serves others.
Result<std::optional<Item>> FetchItem(const EngineCore& core, const std::string& item_key,
                                      const storage::Snapshot* snapshot = nullptr);

// What a row of that many bytes costs a reader: it is decoded here and encoded for the caller.
std::uint64_t WorkOfRow(std::size_t bytes);

// REQUIRES: the item belongs to the index (BelongsTo).
std::string IndexKeyOf(const Table& table, const Index& index, const Item& item);

}  // namespace stator::engine
