#include "keyspace/value_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "keyspace/value_builder.h"
#include "keyspace/value_reader.h"
#include "keyspace/varint.h"
#include "value/number_parts.h"
#include "value/stored_map.h"

namespace stator::keyspace {
namespace {

using value::Uint128;

// A row begins with it, behind which its entries stand (item_codec.h).
constexpr std::size_t kRowVersionBytes = 1;

void AppendTag(Tag tag, std::string& row) {
  row.push_back(static_cast<char>(tag));
}

void AppendBytes(std::string_view bytes, std::string& row) {
  AppendVarint<std::uint64_t>(bytes.size(), row);
  row.append(bytes);
}

// Appends what `append` appends, behind its size.
template <class Append>
void AppendSized(std::string& row, const Append& append) {
  const std::size_t size_at = row.size();
  row.append(sizeof(std::uint32_t), '\0');
  append();
  CHECK(row.size() - size_at - sizeof(std::uint32_t) <= std::numeric_limits<std::uint32_t>::max());
  auto size = static_cast<std::uint32_t>(row.size() - size_at - sizeof(std::uint32_t));
  for (std::size_t byte = sizeof(std::uint32_t); byte-- > 0;) {
    row[size_at + byte] = static_cast<char>(size);
    size >>= 8U;
  }
}

void AppendNumber(const Number& number, std::string& row) {
  const bool negative = number.is_negative();
  if (number.exponent() == 0) {
    AppendTag(negative ? Tag::kNegativeInteger : Tag::kInteger, row);
  } else {
    AppendTag(negative ? Tag::kNegativeNumber : Tag::kNumber, row);
    AppendVarint(ZigZag(number.exponent()), row);
  }
  if (number.coefficient_high() == 0) {
    AppendVarint(number.coefficient_low(), row);
  } else {
    AppendVarint(value::JoinHalves(number.coefficient_high(), number.coefficient_low()), row);
  }
}

void AppendMember(const std::string& member, std::string& row) {
  AppendBytes(member, row);
}
void AppendMember(const Binary& member, std::string& row) {
  AppendBytes(member.bytes, row);
}
void AppendMember(const Number& member, std::string& row) {
  AppendNumber(member, row);
}

template <class Member>
void AppendSet(const AttributeSet<Member>& set, std::string& row) {
  DCHECK(std::is_sorted(set.begin(), set.end()));
  AppendSized(row, [&] {
    AppendVarint<std::uint64_t>(set.size(), row);
    for (const Member& member : set) {
      AppendMember(member, row);
    }
  });
}

void AppendNested(const AttributeValue& value, int depth, std::string& row);

void AppendEntriesNested(const Map& map, int depth, std::string& row) {
  if (const value::StoredMap* stored = map.stored()) {
    row.append(stored->bytes().substr(kRowVersionBytes));
    return;
  }
  AppendVarint<std::uint64_t>(map.size(), row);
  for (const auto& [name, value] : map) {
    AppendBytes(name, row);
    AppendNested(value, depth, row);
  }
}

// One overload for each type.
struct Appender {
  int depth;
  std::string& row;

  void operator()(Null) const { AppendTag(Tag::kNull, row); }
  void operator()(bool value) const { AppendTag(value ? Tag::kTrue : Tag::kFalse, row); }
  void operator()(const std::string& value) const {
    AppendTag(Tag::kString, row);
    AppendBytes(value, row);
  }
  void operator()(const Number& value) const { AppendNumber(value, row); }
  void operator()(const Binary& value) const {
    AppendTag(Tag::kBinary, row);
    AppendBytes(value.bytes, row);
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
    AppendSized(row, [&] {
      AppendVarint<std::uint64_t>(value.size(), row);
      for (const AttributeValue& element : value) {
        AppendNested(element, depth + 1, row);
      }
    });
  }
  void operator()(const Map& value) const {
    AppendTag(Tag::kMap, row);
    AppendSized(row, [&] { AppendEntriesNested(value, depth + 1, row); });
  }
};

void AppendNested(const AttributeValue& value, int depth, std::string& row) {
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
  AppendNested(value, 0, row);
}

bool TakeValue(std::string_view& row, std::optional<AttributeValue>& value) {
  OneBuilder builder(value);
  return ReadValue(row, 0, builder);
}

bool SkipValue(std::string_view& row) {
  Tag tag{};
  if (!TakeTag(row, tag)) {
    return false;
  }
  std::string_view skipped;
  switch (tag) {
    case Tag::kNull:
    case Tag::kFalse:
    case Tag::kTrue:
      return true;
    case Tag::kString:
    case Tag::kBinary:
      return TakeBytes(row, skipped);
    case Tag::kInteger:
    case Tag::kNegativeInteger:
      return SkipVarint(row);
    case Tag::kNumber:
    case Tag::kNegativeNumber:
      return SkipVarint(row) && SkipVarint(row);
    case Tag::kStringSet:
    case Tag::kNumberSet:
    case Tag::kBinarySet:
    case Tag::kList:
    case Tag::kMap:
      return TakeSized(row, skipped);
  }
  return false;  // an unknown tag
}

void AppendEntries(const Map& map, std::string& row) {
  AppendEntriesNested(map, 0, row);
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

}  // namespace stator::keyspace
