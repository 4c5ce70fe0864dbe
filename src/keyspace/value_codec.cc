#include "keyspace/value_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "keyspace/big_endian.h"
#include "keyspace/varint.h"
#include "value/number_parts.h"

namespace stator::keyspace {
namespace {

using value::Uint128;

// On disk: these values cannot change.
enum class Tag : std::uint8_t {
  kNull = 0x00,
  kFalse = 0x01,
  kTrue = 0x02,
  kString = 0x03,
  kBinary = 0x04,
  kInteger = 0x05,
  kNegativeInteger = 0x06,
  kNumber = 0x07,
  kNegativeNumber = 0x08,
  kStringSet = 0x09,
  kNumberSet = 0x0A,
  kBinarySet = 0x0B,
  kList = 0x0C,
  kMap = 0x0D,
};

// Bounds the recursion; twice what DynamoDB admits, so that nobody has to count exactly alike.
constexpr int kDepthMax = 2 * static_cast<int>(limits::kNestingDepthMax);

void AppendTag(Tag tag, std::string& row) {
  row.push_back(static_cast<char>(tag));
}

void AppendBytes(std::string_view bytes, std::string& row) {
  AppendVarint<std::uint64_t>(bytes.size(), row);
  row.append(bytes);
}

bool TakeBytes(std::string_view& row, std::string_view& bytes) {
  std::uint64_t length = 0;
  if (!TakeVarint(row, length) || length > row.size()) {
    return false;
  }
  bytes = row.substr(0, length);
  row.remove_prefix(length);
  return true;
}

// How many entries to reserve memory for before they are seen: a damaged count must not take more
// than the bytes themselves can justify.
std::size_t Reservation(std::uint64_t count) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, 32));
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

// The bytes that a size announces, taken off the front of `row`.
bool TakeSized(std::string_view& row, std::string_view& sized) {
  std::uint32_t size = 0;
  if (!TakeBigEndian(row, size) || size > row.size()) {
    return false;
  }
  sized = row.substr(0, size);
  row.remove_prefix(size);
  return true;
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

bool TakeExponent(std::string_view& row, int& exponent) {
  std::uint64_t zigzag = 0;
  // One of zero has the tag of an integer; the range is checked with the coefficient.
  if (!TakeVarint(row, zigzag) || zigzag == 0 || zigzag > 0xFFFFU) {
    return false;
  }
  exponent = static_cast<int>(UnZigZag(zigzag));
  return true;
}

// Nearly all coefficients fit 64 bits, which are read much faster.
bool TakeCoefficient(std::string_view& row, Uint128& coefficient) {
  std::string_view rest = row;
  std::uint64_t low = 0;
  if (TakeVarint(rest, low)) {
    coefficient = low;
    row = rest;
    return true;
  }
  return TakeLongVarint(row, coefficient);
}

bool TakeNumber(Tag tag, std::string_view& row, Number& number) {
  const bool has_exponent = tag == Tag::kNumber || tag == Tag::kNegativeNumber;
  const bool negative = tag == Tag::kNegativeInteger || tag == Tag::kNegativeNumber;
  int exponent = 0;
  Uint128 coefficient = 0;
  if ((has_exponent && !TakeExponent(row, exponent)) || !TakeCoefficient(row, coefficient)) {
    return false;
  }
  const Result<Number> taken = Number::FromParts(negative, value::HighHalf(coefficient),
                                                 value::LowHalf(coefficient), exponent);
  if (!taken) {
    return false;
  }
  number = *taken;
  return true;
}

bool TakeTag(std::string_view& row, Tag& tag) {
  if (row.empty()) {
    return false;
  }
  tag = static_cast<Tag>(row[0]);
  row.remove_prefix(1);
  return true;
}

bool IsNumberTag(Tag tag) {
  return tag >= Tag::kInteger && tag <= Tag::kNegativeNumber;
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

bool TakeMember(std::string_view& row, std::string& member) {
  std::string_view bytes;
  if (!TakeBytes(row, bytes)) {
    return false;
  }
  member = bytes;
  return true;
}
bool TakeMember(std::string_view& row, Binary& member) {
  return TakeMember(row, member.bytes);
}
bool TakeMember(std::string_view& row, Number& member) {
  Tag tag{};
  return TakeTag(row, tag) && IsNumberTag(tag) && TakeNumber(tag, row, member);
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

// What becomes of a value that was taken. It is built where it will live: an AttributeValue that is
// made, moved and assigned costs more than reading it.
struct IntoValue {
  AttributeValue& target;
  template <class T>
  void operator()(T&& value) const {
    target = AttributeValue(std::forward<T>(value));
  }
};
struct IntoList {
  List& list;
  template <class T>
  void operator()(T&& value) const {
    list.emplace_back(std::forward<T>(value));
  }
};
struct IntoEntries {
  std::vector<Map::value_type>& entries;
  std::string_view name;
  template <class T>
  void operator()(T&& value) const {
    entries.emplace_back(std::piecewise_construct, std::forward_as_tuple(name),
                         std::forward_as_tuple(std::forward<T>(value)));
  }
};

template <class Member, class Sink>
bool TakeSet(std::string_view& row, const Sink& sink) {
  std::string_view rest;
  std::uint64_t count = 0;
  if (!TakeSized(row, rest) || !TakeVarint(rest, count)) {
    return false;
  }
  std::vector<Member> members;
  members.reserve(Reservation(count));
  for (std::uint64_t at = 0; at < count; ++at) {
    Member member;
    if (!TakeMember(rest, member) || (at > 0 && !(members.back() < member))) {
      return false;
    }
    members.push_back(std::move(member));
  }
  sink(AttributeSet<Member>(std::move(members)));
  return rest.empty();
}

void AppendNested(const AttributeValue& value, int depth, std::string& row);

void AppendEntriesNested(const Map& map, int depth, std::string& row) {
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

template <class Sink>
bool TakeNested(std::string_view& row, int depth, const Sink& sink);

bool TakeEntriesNested(std::string_view& row, int depth, Map& map) {
  std::uint64_t count = 0;
  if (!TakeVarint(row, count)) {
    return false;
  }
  std::vector<Map::value_type> entries;
  entries.reserve(Reservation(count));
  for (std::uint64_t at = 0; at < count; ++at) {
    std::string_view name;
    if (!TakeBytes(row, name) ||
        !TakeNested(row, depth, IntoEntries{.entries = entries, .name = name})) {
      return false;
    }
  }
  return map.AssignSorted(std::move(entries));
}

template <class Sink>
bool TakeList(std::string_view& row, int depth, const Sink& sink) {
  std::string_view rest;
  std::uint64_t count = 0;
  if (!TakeSized(row, rest) || !TakeVarint(rest, count)) {
    return false;
  }
  List list;
  list.reserve(Reservation(count));
  for (std::uint64_t at = 0; at < count; ++at) {
    if (!TakeNested(rest, depth, IntoList{list})) {
      return false;
    }
  }
  sink(std::move(list));
  return rest.empty();
}

template <class Sink>
bool TakeMap(std::string_view& row, int depth, const Sink& sink) {
  std::string_view rest;
  Map map;
  if (!TakeSized(row, rest) || !TakeEntriesNested(rest, depth, map)) {
    return false;
  }
  sink(std::move(map));
  return rest.empty();
}

template <class Text, class Sink>
bool TakeText(std::string_view& row, const Sink& sink) {
  std::string_view bytes;
  if (!TakeBytes(row, bytes)) {
    return false;
  }
  sink(Text{std::string(bytes)});
  return true;
}

template <class Sink>
bool TakeNested(std::string_view& row, int depth, const Sink& sink) {
  Tag tag{};
  if (depth > kDepthMax || !TakeTag(row, tag)) {
    return false;
  }
  switch (tag) {
    case Tag::kNull:
      sink(Null{});
      return true;
    case Tag::kFalse:
    case Tag::kTrue:
      sink(tag == Tag::kTrue);
      return true;
    case Tag::kString:
      return TakeText<std::string>(row, sink);
    case Tag::kBinary:
      return TakeText<Binary>(row, sink);
    case Tag::kInteger:
    case Tag::kNegativeInteger:
    case Tag::kNumber:
    case Tag::kNegativeNumber: {
      Number number;
      const bool taken = TakeNumber(tag, row, number);
      sink(number);
      return taken;
    }
    case Tag::kStringSet:
      return TakeSet<std::string>(row, sink);
    case Tag::kNumberSet:
      return TakeSet<Number>(row, sink);
    case Tag::kBinarySet:
      return TakeSet<Binary>(row, sink);
    case Tag::kList:
      return TakeList(row, depth + 1, sink);
    case Tag::kMap:
      return TakeMap(row, depth + 1, sink);
  }
  return false;  // an unknown tag
}

}  // namespace

void AppendValue(const AttributeValue& value, std::string& row) {
  AppendNested(value, 0, row);
}

bool TakeValue(std::string_view& row, AttributeValue& value) {
  return TakeNested(row, 0, IntoValue{value});
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
  return TakeEntriesNested(row, 0, map);
}

bool TakeName(std::string_view& row, std::string_view& name) {
  return TakeBytes(row, name);
}

}  // namespace stator::keyspace
