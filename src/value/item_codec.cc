#include "value/item_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "value/measure.h"
#include "value/stored_item.h"
#include "value/value_codec.h"
#include "value/value_reader.h"
#include "value/varint.h"

namespace stator::value {
namespace {

std::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kCorruption, "an item on disk is damaged");
}

std::unexpected<Error> UnknownVersion() {
  return Fail(ErrorCode::kCorruption, "an item on disk has an unknown version");
}

Result<std::string_view> TakeRowVersion(std::string_view row) {
  if (row.empty() || row[0] != kRowVersion) {
    return UnknownVersion();
  }
  return row.substr(kRowVersionBytes);
}

}  // namespace

void AppendItem(const Item& item, std::string& row) {
  if (const value::StoredMap* stored = item.stored()) {
    row.append(stored->bytes());
    return;
  }
  row.push_back(kRowVersion);
  AppendEntries(item, row);
}

std::string_view RowOf(const Item& item, std::size_t item_bytes, std::string& made) {
  if (const StoredMap* stored = item.stored()) {
    return stored->bytes();
  }
  made.clear();
  made.reserve(item_bytes + item_bytes / 8 + 16);  // with tags and lengths
  AppendItem(item, made);
  return made;
}

Result<Item> DecodeItem(std::string_view row) {
  std::string_view rest = TRY(TakeRowVersion(row));
  Result<Item> item;
  if (!TakeEntries(rest, *item) || !rest.empty()) {
    return Damaged();
  }
  return item;
}

Result<std::size_t> CheckItem(std::string_view row) {
  if (row.empty() || row[0] != kRowVersion) [[unlikely]] {
    return UnknownVersion();
  }
  std::string_view rest(row.data() + kRowVersionBytes, row.size() - kRowVersionBytes);
  Measure measure;
  if (!ReadEntries(rest, measure) || !rest.empty()) [[unlikely]] {
    return Damaged();
  }
  return measure.bytes;
}

Result<Item> OpenItem(std::string_view row) {
  const std::size_t bytes = TRY(CheckItem(row));
  return OpenCheckedItem(row, bytes);
}

Item OpenCheckedItem(std::string_view row, std::size_t item_bytes) {
  return Map::FromStored(StoredItem::Make(row, item_bytes));
}

Item OpenCheckedItem(std::string_view row, std::size_t item_bytes, ItemMemory& memory) {
  return Map::FromStored(StoredItem::Make(row, item_bytes, &memory));
}

Result<std::optional<AttributeValue>> DecodeAttribute(std::string_view row, std::string_view name) {
  std::string_view rest = TRY(TakeRowVersion(row));
  std::uint64_t count = 0;
  if (!TakeVarint(rest, count)) {
    return Damaged();
  }
  for (std::uint64_t at = 0; at < count; ++at) {
    std::string_view found;
    if (!TakeName(rest, found)) {
      return Damaged();
    }
    if (found > name) {
      break;
    }
    if (found == name) {
      std::optional<AttributeValue> value;
      if (!TakeValue(rest, value)) {
        return Damaged();
      }
      return value;
    }
    if (!SkipValue(rest)) {
      return Damaged();
    }
  }
  return std::nullopt;
}

Result<Item> DecodeItemOnly(std::string_view row, std::span<const std::string_view> names) {
  DCHECK(std::adjacent_find(names.begin(), names.end(), std::greater_equal<>()) == names.end());
  std::string_view rest = TRY(TakeRowVersion(row));
  std::uint64_t count = 0;
  if (!TakeVarint(rest, count)) {
    return Damaged();
  }
  Result<Item> item;
  std::string_view previous;
  std::size_t wanted = 0;
  for (std::uint64_t at = 0; at < count && wanted < names.size(); ++at) {
    std::string_view found;
    if (!TakeName(rest, found) || (at > 0 && found <= previous)) {
      return Damaged();
    }
    previous = found;
    while (wanted < names.size() && names[wanted] < found) {
      ++wanted;
    }
    if (wanted == names.size() || names[wanted] != found) {
      if (!SkipValue(rest)) {
        return Damaged();
      }
      continue;
    }
    std::optional<AttributeValue> value;
    if (!TakeValue(rest, value)) {
      return Damaged();
    }
    item->Append(std::string(found), *std::move(value));
  }
  return item;
}

}  // namespace stator::value
