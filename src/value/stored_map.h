// A map that is the bytes in which it was stored, or will be. What reads maps as a whole (writing JSON,
// storing, sizes, comparing) takes it from the bytes. The first few entries that are looked for are
// decoded one by one; then, or for whoever walks over them, all of them are, once.
//
// There is one kind, the rows of items (value/stored_item.h). The bytes were checked when it was
// made, so nothing that is asked of it can fail.
//
// INVARIANT: equal maps have equal bytes.
//
// THREADS: everything that is const may be called by several at once.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator::value {

class JsonAppender;

class StoredMap {
 public:
  using Entries = std::vector<Map::value_type>;

  StoredMap(const StoredMap&) = delete;
  StoredMap& operator=(const StoredMap&) = delete;
  virtual ~StoredMap();

  // How many entries it has.
  [[nodiscard]] virtual std::size_t count() const = 0;

  // Decodes them when nobody has before. They live as long as this.
  [[nodiscard]] const Entries& entries() const;

  // The value of that name without the others, null when there is none; nothing when it is time to
  // look into entries() instead. It lives as long as this.
  [[nodiscard]] std::optional<const AttributeValue*> FindAlone(std::string_view name) const;

  // The entries, for the one owner of this, who drops it. What entries() gave stays where it is.
  [[nodiscard]] Entries TakeEntries() const;

  [[nodiscard]] virtual std::unique_ptr<const StoredMap> Clone() const = 0;

  // As a row of item_codec.h.
  [[nodiscard]] virtual std::string_view bytes() const = 0;

  // value/size.h, SizeOfItem.
  [[nodiscard]] virtual std::size_t SizeOfItem() const = 0;

  // value/dynamodb_json.h: {"name":{"S":"x"},...}
  virtual void AppendDynamoDbJson(JsonAppender& out) const = 0;

 protected:
  StoredMap() = default;

 private:
  // A value that was decoded alone.
  struct Found {
    std::optional<AttributeValue> value;
    std::string_view name;  // into the bytes
    Found* next = nullptr;
  };

  [[nodiscard]] virtual Entries Decode() const = 0;
  // Puts the one of that name into `value`, and gives its name in the bytes; nothing when there is none.
  // `before` is a name in the bytes in front of which it is not, or nothing.
  [[nodiscard]] virtual std::optional<std::string_view> DecodeOne(
      std::string_view name, std::string_view before,
      std::optional<AttributeValue>& value) const = 0;

  mutable std::atomic<Entries*> entries_ = nullptr;  // owned; set once
  mutable std::atomic<Found*> found_ = nullptr;      // owned, a list that only grows
  mutable std::atomic<std::uint32_t> searches_ = 0;  // through the bytes
};

}  // namespace stator::value
