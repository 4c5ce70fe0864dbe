// Reads the values of a row (value_codec.h) and tells a target what it meets, in order. The one place
// that knows what is a row and what is not: checking, measuring, building values, writing JSON and
// writing rows (row_encoder.h) are targets.
//
//   OnNull()  OnBool(bool)  OnString(bytes)  OnBinary(bytes)  OnNumber(parts)
//   OnStringSet(count)  OnNumberSet(count)  OnBinarySet(count)  OnList(count)  OnMap(count)
//
// The latter return the target for what is inside (itself, by reference, or another one), which is
// handed to OnEnd(inside) when everything was. A count may be anything until then.
//
//   inside a set    OnMember(bytes), or OnMember(number)
//   inside a list   OnElement(), then the value
//   inside a map    OnName(name), then the value
//
// Views are into the row. Numbers come as their parts, which are those of a Number (NumberOf).
//
// DynamoDB JSON is told to the same targets (json_reader.h), with numbers as a Number; so is a
// tree of values that becomes a row (value_codec.cc).
//
// A target of rows that were checked before says so (kRowsWereChecked, inherited by all that it makes):
// the order of names and members is not looked at again, nor what numbers are. Sizes always are.

#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/big_endian.h"
#include "base/limits.h"
#include "stator/value/attribute_value.h"
#include "value/name_order.h"
#include "value/number_parts.h"
#include "value/varint.h"

namespace stator::value {

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
inline constexpr int kDepthMax = 2 * static_cast<int>(limits::kNestingDepthMax);

inline bool TakeTag(std::string_view& row, Tag& tag) {
  if (row.empty()) {
    return false;
  }
  tag = static_cast<Tag>(row[0]);
  row.remove_prefix(1);
  return true;
}

inline bool TakeBytes(std::string_view& row, std::string_view& bytes) {
  std::uint64_t length = 0;
  if (!TakeVarint(row, length) || length > row.size()) {
    return false;
  }
  bytes = {row.data(), static_cast<std::size_t>(length)};
  row.remove_prefix(length);
  return true;
}

// The bytes that a size announces, taken off the front of `row`.
inline bool TakeSized(std::string_view& row, std::string_view& sized) {
  std::uint32_t size = 0;
  if (!base::TakeBigEndian(row, size) || size > row.size()) {
    return false;
  }
  sized = {row.data(), size};
  row.remove_prefix(size);
  return true;
}

Number NumberOf(const NumberParts& parts);

inline bool TakeExponent(std::string_view& row, int& exponent) {
  std::uint64_t zigzag = 0;
  // One of zero has the tag of an integer; the range is checked with the coefficient.
  if (!TakeVarint(row, zigzag) || zigzag == 0 || zigzag > 0xFFFFU) {
    return false;
  }
  exponent = static_cast<int>(UnZigZag(zigzag));
  return true;
}

// Whether the rows that a target reads were checked before.
template <class Target>
consteval bool RowsWereChecked() {
  return requires { Target::kRowsWereChecked; };
}

// As Number::FromParts decides, for coefficients of 64 bits.
template <bool kWasChecked>
bool FinishNumber(NumberParts& parts) {
  parts.digits = value::DigitCount(parts.low);
  if constexpr (kWasChecked) {
    return true;
  }
  if (parts.low == 0) {
    return !parts.negative && parts.exponent == 0;
  }
  const int leading = parts.exponent + parts.digits - 1;
  return parts.low % 10 != 0 &&
         (parts.exponent == 0 ||  // then 64 bits are within the range
          (leading <= limits::kNumberExponentMax && leading >= limits::kNumberExponentMin));
}

// A varint of up to 56 bits whose eight bytes, more than it has perhaps, are in `word`; and how many
// bytes it has, none when it has more.
inline ReadVarint<std::uint64_t> VarintInWord(std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t last_bits = ~word & 0x8080'8080'8080'8080;  // set in bytes without another
  if (last_bits == 0) {
    return {};
  }
  word &= (last_bits ^ (last_bits - 1)) & 0x7F7F'7F7F'7F7F'7F7F;
  // Seven bits and seven make fourteen, and so on.
  word = (word & 0x007F'007F'007F'007F) | (word & 0x7F00'7F00'7F00'7F00) >> 1U;
  word = (word & 0x0000'3FFF'0000'3FFF) | (word & 0x3FFF'0000'3FFF'0000) >> 2U;
  word = (word & 0x0000'0000'0FFF'FFFF) | (word & 0x0FFF'FFFF'0000'0000) >> 4U;
  return {.value = word,
          .bytes = static_cast<std::size_t>(std::countr_zero(last_bits)) / CHAR_BIT + 1};
}

// The rest of a number whose coefficient has more than 63 bits, which hardly any has. Returns how many
// bytes that was, none when it is no number.
std::size_t ReadLongCoefficient(std::string_view row, NumberParts& parts);

// What stands behind one of the four tags of numbers.
template <bool kWasChecked>
bool TakeNumber(Tag tag, std::string_view& row, NumberParts& parts) {
  const bool has_exponent = tag == Tag::kNumber || tag == Tag::kNegativeNumber;
  parts.negative = tag == Tag::kNegativeInteger || tag == Tag::kNegativeNumber;
  if (has_exponent && !TakeExponent(row, parts.exponent)) {
    return false;
  }
  if (!row.empty() && static_cast<unsigned char>(row[0]) < 0x80U) {
    parts.low = static_cast<unsigned char>(row[0]);
    row.remove_prefix(1);
    return FinishNumber<kWasChecked>(parts);
  }
  if (row.size() >= sizeof(std::uint64_t)) [[likely]] {
    std::uint64_t word = 0;
    std::memcpy(&word, row.data(), sizeof(word));
    if (const auto read = VarintInWord(word); read.bytes != 0) [[likely]] {
      const bool is_short = row[read.bytes - 1] != 0;  // no byte is superfluous
      parts.low = read.value;
      row.remove_prefix(read.bytes);
      return is_short && FinishNumber<kWasChecked>(parts);
    }
  }
  std::size_t at = 0;
  for (unsigned shift = 0; shift < 63 && at < row.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(row[at++]);
    parts.low |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80U) {
      row.remove_prefix(at);
      return (byte != 0 || shift == 0) &&
             FinishNumber<kWasChecked>(parts);  // no byte may be superfluous
    }
  }
  NumberParts longer = parts;  // so that the address of `parts` is not taken
  const std::size_t bytes = ReadLongCoefficient(row, longer);
  parts = longer;
  row.remove_prefix(bytes);
  return bytes != 0;
}

template <bool kWasChecked>
bool TakeMember(std::string_view& row, std::string_view& member) {
  return TakeBytes(row, member);
}
template <bool kWasChecked>
bool TakeMember(std::string_view& row, Number& member) {
  Tag tag{};
  NumberParts parts;
  if (!TakeTag(row, tag) || tag < Tag::kInteger || tag > Tag::kNegativeNumber ||
      !TakeNumber<kWasChecked>(tag, row, parts)) {
    return false;
  }
  member = NumberOf(parts);
  return true;
}

inline bool IsBefore(const Number& left, const Number& right) {
  return left < right;
}

// Members of a set: sorted, each once. REQUIRES: `rest` is behind the count, and ends with the set.
template <class Member, class Inside>
bool ReadMembers(std::string_view rest, std::uint64_t count, Inside& inside) {
  constexpr bool kWasChecked = RowsWereChecked<Inside>();
  Member previous{};
  for (std::uint64_t at = 0; at < count; ++at) {
    Member member{};
    if (!TakeMember<kWasChecked>(rest, member)) {
      return false;
    }
    if constexpr (!kWasChecked) {
      if (at > 0 && !IsBefore(previous, member)) {
        return false;
      }
      previous = member;
    }
    inside.OnMember(member);
  }
  return rest.empty();
}

// Takes one value off the front of `row` without looking at more of it than it must. False when there is
// none; then `row` may have been changed.
inline bool SkipValue(std::string_view& row) {
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

// What stands between the size of a container and its end.
template <class Target>
bool ReadContainer(Tag tag, std::string_view rest, int depth, Target& target);

// Takes one value off the front of `row`. False when there is none; then `row` may have been changed
// and the target told anything. Nothing that is not inlined gets the address of `row`, so that it stays
// in registers while values follow each other.
template <class Target>
bool ReadValue(std::string_view& row, int depth, Target& target) {
  Tag tag{};
  std::string_view bytes;
  if (!TakeTag(row, tag)) {
    return false;
  }
  switch (tag) {
    case Tag::kNull:
      target.OnNull();
      return true;
    case Tag::kFalse:
    case Tag::kTrue:
      target.OnBool(tag == Tag::kTrue);
      return true;
    case Tag::kString:
      if (!TakeBytes(row, bytes)) {
        return false;
      }
      target.OnString(bytes);
      return true;
    case Tag::kBinary:
      if (!TakeBytes(row, bytes)) {
        return false;
      }
      target.OnBinary(bytes);
      return true;
    case Tag::kInteger:
    case Tag::kNegativeInteger:
    case Tag::kNumber:
    case Tag::kNegativeNumber: {
      NumberParts parts;
      if (!TakeNumber<RowsWereChecked<Target>()>(tag, row, parts)) {
        return false;
      }
      target.OnNumber(parts);
      return true;
    }
    default:
      return TakeSized(row, bytes) && ReadContainer(tag, bytes, depth, target);
  }
}

// count (length name value)*, taken off the front of `row`.
template <class Inside>
[[gnu::flatten]] bool ReadEntriesOf(std::string_view& row, std::uint64_t count, int depth,
                                    Inside& inside) {
  std::string_view rest = row;
  std::string_view previous;
  for (std::uint64_t at = 0; at < count; ++at) {
    std::string_view name;
    if (!TakeBytes(rest, name)) {
      return false;
    }
    if constexpr (!RowsWereChecked<Inside>()) {
      if (at > 0 && !IsBefore(previous, name)) {
        return false;
      }
      previous = name;
    }
    inside.OnName(name);
    if (!ReadValue(rest, depth, inside)) {
      return false;
    }
  }
  row = rest;
  return true;
}

template <class Target>
[[gnu::noinline]] bool ReadContainer(Tag tag, std::string_view rest, int depth, Target& target) {
  std::uint64_t count = 0;
  if (!TakeVarint(rest, count)) {
    return false;
  }
  const bool may_nest = depth < kDepthMax || count == 0;
  const auto read = [&](auto&& inside, const auto& read_inside) {
    if (!read_inside(inside)) {
      return false;
    }
    target.OnEnd(inside);
    return true;
  };
  const auto texts = [&](auto& inside) {
    return ReadMembers<std::string_view>(rest, count, inside);
  };
  switch (tag) {
    case Tag::kStringSet:
      return read(target.OnStringSet(count), texts);
    case Tag::kBinarySet:
      return read(target.OnBinarySet(count), texts);
    case Tag::kNumberSet:
      return read(target.OnNumberSet(count),
                  [&](auto& inside) { return ReadMembers<Number>(rest, count, inside); });
    case Tag::kList:
      return may_nest && read(target.OnList(count), [&](auto& inside) {
               for (std::uint64_t at = 0; at < count; ++at) {
                 inside.OnElement();
                 if (!ReadValue(rest, depth + 1, inside)) {
                   return false;
                 }
               }
               return rest.empty();
             });
    case Tag::kMap:
      return may_nest && read(target.OnMap(count), [&](auto& inside) {
               return ReadEntriesOf(rest, count, depth + 1, inside) && rest.empty();
             });
    default:
      return false;  // an unknown tag
  }
}

// Named values, as in a map and in an item.
template <class Inside>
bool ReadEntries(std::string_view& row, Inside& inside) {
  std::uint64_t count = 0;
  return TakeVarint(row, count) && ReadEntriesOf(row, count, 0, inside);
}

}  // namespace stator::value
