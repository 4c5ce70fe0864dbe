// An item as the value of a row: of a table's item rows (whole items) and of index rows (projected
// ones). docs/format.md, "Items".
//
// FORMAT (on disk)
//
//   row     := 0x01 entries                      the first byte is the version of the row
//   entries := count entry*                      sorted by name, each name once
//   entry   := length name value
//
//   count, length: varints (varint.h). value: value_codec.h.
//
// INVARIANTS
//
//   (1) An item has one encoding: equal items have equal bytes.
//   (2) Decoding accepts exactly what encoding writes; everything else is kCorruption. So decoded
//       rows encode to the same bytes.
//   (3) Decoding takes time and memory linear in the bytes, and recursion is bounded by the nesting
//       that DynamoDB allows.
//
// THREADS: pure functions.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::value {

// REQUIRES: values as value/check_value.h admits them.
void AppendItem(const Item& item, std::string& row);

// The same, for who only looks at the row: the one that the item still is (value/stored_map.h), or one
// that is made in `made`. `item_bytes` is the item's size (value/size.h).
std::string_view RowOf(const Item& item, std::size_t item_bytes, std::string& made);

// The item, for those who look at all of it.
Result<Item> DecodeItem(std::string_view row);

// The item, still in its bytes: checked now, decoded when somebody looks into it
// (value/stored_map.h). For what is read on behalf of others.
Result<Item> OpenItem(std::string_view row);

// The two halves of that: checks that DecodeItem would take the row, and gives the size of its item
// (value/size.h); and makes the item of a row that was checked, and has that size.
Result<std::size_t> CheckItem(std::string_view row);
Item OpenCheckedItem(std::string_view row, std::size_t item_bytes);

// Memory of items that are made one behind the other, as those of a page. Small ones but the first
// share pieces of it, each of which goes with the last item inside; so who keeps one keeps a piece.
// REQUIRES: it is gone before another thread has one of the items.
class ItemMemory {
 public:
  ItemMemory() = default;
  ItemMemory(const ItemMemory&) = delete;
  ItemMemory& operator=(const ItemMemory&) = delete;
  ~ItemMemory() { LeavePiece(); }

  // The largest size of which allocators keep some at hand for each thread.
  static constexpr std::size_t kPieceBytes = 1 << 10;

 private:
  friend class StoredItem;
  struct Piece {
    std::atomic<std::size_t> users;
  };
  // Room in a piece; false when the object has to stand alone.
  bool Take(std::size_t bytes, Piece*& piece, char*& room);
  void LeavePiece();
  static void Release(Piece& piece);

  Piece* piece_ = nullptr;  // of which this is a user, too
  char* at_ = nullptr;
  std::size_t left_ = 0;
  bool has_first_ = false;
};

// The same in memory that is shared with others.
Item OpenCheckedItem(std::string_view row, std::size_t item_bytes, ItemMemory& memory);

// One attribute, without building or checking the others; nothing when the item does not have it.
Result<std::optional<AttributeValue>> DecodeAttribute(std::string_view row, std::string_view name);

// The attributes that are named, without building or checking the others.
// REQUIRES: names are sorted, each once.
Result<Item> DecodeItemOnly(std::string_view row, std::span<const std::string_view> names);

}  // namespace stator::value
