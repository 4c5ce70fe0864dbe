#include "value/value_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "value/number_parts.h"
#include "value/row_writer.h"
#include "value/stored_map.h"
#include "value/value_builder.h"
#include "value/value_reader.h"
#include "value/varint.h"

namespace stator::value {
namespace {

void AppendTag(Tag tag, RowWriter& row) {
  row.Byte(static_cast<char>(tag));
}

void AppendNumber(const Number& number, RowWriter& row) {
  const bool negative = number.is_negative();
  if (number.exponent() == 0) {
    AppendTag(negative ? Tag::kNegativeInteger : Tag::kInteger, row);
  } else {
    AppendTag(negative ? Tag::kNegativeNumber : Tag::kNumber, row);
    row.Varint(ZigZag(number.exponent()));
  }
  if (number.coefficient_high() == 0) {
    row.Varint(number.coefficient_low());
  } else {
    row.Varint(value::JoinHalves(number.coefficient_high(), number.coefficient_low()));
  }
}

void AppendMember(const std::string& member, RowWriter& row) {
  row.SizedBytes(member);
}
void AppendMember(const Binary& member, RowWriter& row) {
  row.SizedBytes(member.bytes);
}
void AppendMember(const Number& member, RowWriter& row) {
  AppendNumber(member, row);
}

template <class Member>
void AppendSet(const AttributeSet<Member>& set, RowWriter& row) {
  DCHECK(std::is_sorted(set.begin(), set.end()));
  row.Sized([&] {
    row.Varint<std::uint64_t>(set.size());
    for (const Member& member : set) {
      AppendMember(member, row);
    }
  });
}

void AppendNested(const AttributeValue& value, int depth, RowWriter& row);

void AppendEntriesNested(const Map& map, int depth, RowWriter& row) {
  if (const value::StoredMap* stored = map.stored()) {
    row.Bytes(stored->bytes().substr(kRowVersionBytes));
    return;
  }
  row.Varint<std::uint64_t>(map.size());
  for (const auto& [name, value] : map) {
    row.SizedBytes(name);
    AppendNested(value, depth, row);
  }
}

// One overload for each type.
struct Appender {
  int depth;
  RowWriter& row;

  void operator()(Null) const { AppendTag(Tag::kNull, row); }
  void operator()(bool value) const { AppendTag(value ? Tag::kTrue : Tag::kFalse, row); }
  void operator()(const std::string& value) const {
    AppendTag(Tag::kString, row);
    row.SizedBytes(value);
  }
  void operator()(const Number& value) const { AppendNumber(value, row); }
  void operator()(const Binary& value) const {
    AppendTag(Tag::kBinary, row);
    row.SizedBytes(value.bytes);
  }
  void operator()(const StringSet& value) const {
    AppendTag(Tag::kStringSet, row);
    AppendSet(value, row);
  }
  void operator()(const NumberSet& value) const {
    AppendTag(Tag::kNumberSet, row);
    AppendSet(value, row);
  }
  void operator()(const BinarySet& value) const {
    AppendTag(Tag::kBinarySet, row);
    AppendSet(value, row);
  }
  void operator()(const List& value) const {
    AppendTag(Tag::kList, row);
    row.Sized([&] {
      row.Varint<std::uint64_t>(value.size());
      for (const AttributeValue& element : value) {
        AppendNested(element, depth + 1, row);
      }
    });
  }
  void operator()(const Map& value) const {
    AppendTag(Tag::kMap, row);
    row.Sized([&] { AppendEntriesNested(value, depth + 1, row); });
  }
};

void AppendNested(const AttributeValue& value, int depth, RowWriter& row) {
  if (const auto* text = value.If<std::string>()) {  // what most values are
    AppendTag(Tag::kString, row);
    row.SizedBytes(*text);
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

void AppendValue(const AttributeValue& value, std::string& row) {
  RowWriter writer(row);
  AppendNested(value, 0, writer);
}

bool TakeValue(std::string_view& row, std::optional<AttributeValue>& value) {
  OneBuilder builder(value);
  return ReadValue(row, 0, builder);
}

void AppendEntries(const Map& map, std::string& row) {
  RowWriter writer(row);
  AppendEntriesNested(map, 0, writer);
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

// Everything is inlined, so that `rest` stays in registers.
[[gnu::flatten]] std::optional<std::string_view> FindEntry(std::string_view& entries,
                                                           std::string_view name) {
  std::string_view rest = entries;
  std::uint64_t count = 0;
  CHECK(TakeVarint(rest, count));
  for (; count > 0; --count) {
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
