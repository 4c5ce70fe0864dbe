// An item in the bytes of its row (value/stored_map.h): the row, checked, in one piece of memory.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "value/item_codec.h"
#include "value/stored_map.h"
#include "value/value_codec.h"

namespace stator::value {

class StoredItem final : public value::StoredMap {
 public:
  // A copy of the row, in memory that it shares with others, or of its own when that is null.
  // REQUIRES: CheckItem(row) is `item_bytes` (item_codec.h).
  static std::unique_ptr<const StoredItem> Make(std::string_view row, std::size_t item_bytes,
                                                ItemMemory* memory = nullptr);

  [[nodiscard]] std::size_t count() const override;
  [[nodiscard]] std::unique_ptr<const value::StoredMap> Clone() const override;
  [[nodiscard]] std::string_view bytes() const override { return {row(), row_bytes_}; }
  [[nodiscard]] std::size_t SizeOfItem() const override { return item_bytes_; }
  void AppendDynamoDbJson(value::JsonAppender& out) const override;

  // The row stands behind the object, and a word in front of it.
  struct Room {
    std::size_t row_bytes;
    ItemMemory* memory;
  };
  static void* operator new(std::size_t object_bytes, Room room);
  static void operator delete(void* object, Room /*room*/) { operator delete(object); }
  static void operator delete(void* object);

 private:
  StoredItem(std::string_view row, std::size_t item_bytes);

  [[nodiscard]] Entries Decode() const override;
  [[nodiscard]] std::optional<std::string_view> DecodeOne(
      std::string_view name, std::string_view before,
      std::optional<AttributeValue>& value) const override;
  [[nodiscard]] char* row() const {
    return const_cast<char*>(reinterpret_cast<const char*>(this + 1));
  }
  // The row without its version.
  [[nodiscard]] std::string_view entries_bytes() const { return bytes().substr(kRowVersionBytes); }

  std::size_t row_bytes_;
  std::size_t item_bytes_;
};

}  // namespace stator::value
