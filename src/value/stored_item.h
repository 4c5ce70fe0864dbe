// An item in the bytes of its row (value/stored_map.h): the row, checked, in one piece of memory.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "value/stored_map.h"
#include "value/value_codec.h"

namespace stator::value {

class StoredItem final : public value::StoredMap {
 public:
  // A copy of the row. REQUIRES: CheckItem(row) is `item_bytes` (item_codec.h).
  static std::unique_ptr<const StoredItem> Make(std::string_view row, std::size_t item_bytes);

  [[nodiscard]] std::size_t count() const override;
  [[nodiscard]] std::unique_ptr<const value::StoredMap> Clone() const override;
  [[nodiscard]] std::string_view bytes() const override;
  [[nodiscard]] std::size_t SizeOfItem() const override { return item_bytes_; }
  void AppendDynamoDbJson(value::JsonAppender& out) const override;

  // The row stands behind the object.
  struct RowBytes {
    std::size_t count;
  };
  static void* operator new(std::size_t object_bytes, RowBytes row) {
    return ::operator new(object_bytes + row.count);
  }
  static void operator delete(void* memory, RowBytes /*row*/) { ::operator delete(memory); }
  static void operator delete(void* memory) { ::operator delete(memory); }

 private:
  StoredItem(std::string_view row, std::size_t item_bytes);

  [[nodiscard]] Entries Decode() const override;
  [[nodiscard]] std::optional<std::string_view> DecodeOne(
      std::string_view name, std::string_view before,
      std::optional<AttributeValue>& value) const override;
  [[nodiscard]] char* row() const;
  // The row without its version.
  [[nodiscard]] std::string_view entries_bytes() const { return bytes().substr(kRowVersionBytes); }

  std::size_t row_bytes_;
  std::size_t item_bytes_;
};

}  // namespace stator::value
