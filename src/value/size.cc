#include "value/size.h"

#include <algorithm>

#include "value/number_parts.h"

namespace stator::value {
namespace {

// What a list or a map costs beside its entries, and what each entry costs beside its content.
constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kEntryBytes = 1;

// Of 38 digits, an odd number of them behind the point, and a sign.
constexpr std::size_t kNumberBytesMax = 22;

// Two digits share a byte.
constexpr std::size_t DigitBytes(int digits) {
  return static_cast<std::size_t>(digits + 1) / 2;
}

struct ValueSize {
  std::size_t operator()(Null) const { return 1; }
  std::size_t operator()(bool) const { return 1; }
  std::size_t operator()(const std::string& text) const { return text.size(); }
  std::size_t operator()(const Number& number) const { return SizeOf(number); }
  std::size_t operator()(const Binary& binary) const { return binary.bytes.size(); }

  template <class Member>
  std::size_t operator()(const AttributeSet<Member>& set) const {
    std::size_t bytes = 0;
    for (const Member& member : set) {
      bytes += (*this)(member);
    }
    return bytes;
  }

  std::size_t operator()(const List& list) const {
    std::size_t bytes = kContainerBytes;
    for (const AttributeValue& value : list) {
      bytes += kEntryBytes + SizeOf(value);
    }
    return bytes;
  }

  std::size_t operator()(const Map& map) const {
    return kContainerBytes + kEntryBytes * map.size() + SizeOfItem(map);
  }
};

}  // namespace

std::size_t SizeOf(const Number& number) {
  if (number.is_zero()) {
    return 1;
  }
  const int digits = DigitCount(JoinHalves(number.coefficient_high(), number.coefficient_low()));
  // Digits before and behind the point are packed apart.
  const int fraction = std::clamp(-number.exponent(), 0, digits);
  return 1 + DigitBytes(digits - fraction) + DigitBytes(fraction) + (number.is_negative() ? 1 : 0);
}

std::size_t SizeOf(const AttributeValue& value) {
  return value.Visit(ValueSize());
}

std::size_t SizeOfItem(const Item& item) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : item) {
    const auto* text = value.If<std::string>();  // what most values are
    bytes += name.size() + (text != nullptr ? text->size() : SizeOf(value));
  }
  return bytes;
}

bool FitsIn(std::size_t bytes, const Item& item) {
  std::size_t at_most = 0;
  for (const auto& [name, value] : item) {
    const auto* text = value.If<std::string>();
    at_most += name.size() + (text != nullptr      ? text->size()
                              : value.Is<Number>() ? kNumberBytesMax
                                                   : SizeOf(value));
  }
  return at_most <= bytes || SizeOfItem(item) <= bytes;
}

}  // namespace stator::value
