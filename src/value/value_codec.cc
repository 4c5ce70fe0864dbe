#include "value/value_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "value/number_parts.h"
#include "value/row_encoder.h"
#include "value/row_writer.h"
#include "value/stored_map.h"
#include "value/value_builder.h"
#include "value/value_reader.h"
#include "value/varint.h"

namespace stator::value {
namespace {

using TreeEncoder = RowEncoder<Unmeasured>;

void AppendNested(const AttributeValue& value, int depth, TreeEncoder& row);

// The map's entries; their count was written.
void AppendEntriesNested(const Map& map, int depth, TreeEncoder& row) {
  for (const auto& [name, value] : map) {
    row.OnName(name);
    AppendNested(value, depth, row);
  }
}

template <class Inside, class Member>
void AppendMembers(const AttributeSet<Member>& set, TreeEncoder& row, Inside inside) {
  DCHECK(std::is_sorted(set.begin(), set.end()));
  for (const Member& member : set) {
    if constexpr (std::is_same_v<Member, Binary>) {
      inside.OnMember(member.bytes);
    } else {
      inside.OnMember(member);
    }
  }
  row.OnEnd(inside);
}

// One overload for each type.
struct Appender {
  int depth;
  TreeEncoder& row;

  void operator()(Null) const { row.OnNull(); }
  void operator()(bool value) const { row.OnBool(value); }
  void operator()(const std::string& value) const { row.OnString(value); }
  void operator()(const Number& value) const { row.OnNumber(value); }
  void operator()(const Binary& value) const { row.OnBinary(value.bytes); }
  void operator()(const StringSet& value) const {
    AppendMembers(value, row, row.OnStringSet(value.size()));
  }
  void operator()(const NumberSet& value) const {
    AppendMembers(value, row, row.OnNumberSet(value.size()));
  }
  void operator()(const BinarySet& value) const {
    AppendMembers(value, row, row.OnBinarySet(value.size()));
  }
  void operator()(const List& value) const {
    auto inside = row.OnList(value.size());
    for (const AttributeValue& element : value) {
      AppendNested(element, depth + 1, inside);
    }
    row.OnEnd(inside);
  }
  void operator()(const Map& value) const {
    if (const StoredMap* stored = value.stored()) {
      row.OnEntries(stored->bytes().substr(kRowVersionBytes));
      return;
    }
    auto inside = row.OnMap(value.size());
    AppendEntriesNested(value, depth + 1, inside);
    row.OnEnd(inside);
  }
};

void AppendNested(const AttributeValue& value, int depth, TreeEncoder& row) {
  if (const auto* text = value.If<std::string>()) {  // what most values are
    row.OnString(*text);
    return;
  }
  CHECK(depth <= kDepthMax);
  value.Visit(Appender{.depth = depth, .row = row});
}

}  // namespace

std::size_t ReadLongCoefficient(std::string_view row, NumberParts& parts) {
  const auto [coefficient, bytes] = ReadLongVarint<Uint128>(row);
  parts.high = value::HighHalf(coefficient);
  parts.low = value::LowHalf(coefficient);
  parts.digits = value::DigitCount(coefficient);
  return Number::FromParts(parts.negative, parts.high, parts.low, parts.exponent) ? bytes : 0;
}

Number NumberOf(const NumberParts& parts) {
  const Result<Number> number =
      Number::FromParts(parts.negative, parts.high, parts.low, parts.exponent);
  CHECK(number.has_value());
  return *number;
}

bool TakeValue(std::string_view& row, std::optional<AttributeValue>& value) {
  OneBuilder builder(value);
  return ReadValue(row, 0, builder);
}

void AppendEntries(const Map& map, std::string& row) {
  RowWriter writer(row);
  Unmeasured size;
  TreeEncoder encoder{writer, size};
  writer.Varint<std::uint64_t>(map.size());
  AppendEntriesNested(map, 0, encoder);
}

bool TakeEntries(std::string_view& row, Map& map) {
  std::uint64_t count = 0;
  if (!TakeVarint(row, count)) {
    return false;
  }
  EntriesBuilder builder(count);
  return ReadEntriesOf(row, count, 0, builder) && map.AssignSorted(std::move(builder.entries));
}

bool TakeName(std::string_view& row, std::string_view& name) {
  return TakeBytes(row, name);
}

std::string_view EntriesOf(std::string_view row) {
  row.remove_prefix(kRowVersionBytes);
  std::uint64_t count = 0;
  CHECK(TakeVarint(row, count));
  return row;
}

// Everything is inlined, so that `rest` stays in registers.
[[gnu::flatten]] std::optional<std::string_view> FindEntry(std::string_view& entries,
                                                           std::string_view name) {
  std::string_view rest = entries;
  while (!rest.empty()) {
    std::string_view found;
    CHECK(TakeBytes(rest, found));
    if (!IsBefore(found, name)) {
      entries = rest;
      return found == name ? std::optional(found) : std::nullopt;
    }
    CHECK(SkipValue(rest));
  }
  return std::nullopt;
}

}  // namespace stator::value
