#include "value/size.h"

#include "value/number_parts.h"
#include "value/number_size.h"
#include "value/stored_map.h"

namespace stator::value {
namespace {

// Of 38 digits, an odd number of them behind the point, and a sign.
constexpr std::size_t kNumberBytesMax = 22;

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
  const int digits =
      number.coefficient_high() == 0
          ? DigitCount(number.coefficient_low())
          : DigitCount(JoinHalves(number.coefficient_high(), number.coefficient_low()));
  return SizeOfNumber(digits, number.exponent(), number.is_negative());
}

std::size_t SizeOf(const AttributeValue& value) {
  return value.Visit(ValueSize());
}

std::size_t SizeOfItem(const Item& item) {
  if (const StoredMap* stored = item.stored()) {
    return stored->SizeOfItem();
  }
  std::size_t bytes = 0;
  for (const auto& [name, value] : item) {
    const auto* text = value.If<std::string>();  // what most values are
    bytes += name.size() + (text != nullptr ? text->size() : SizeOf(value));
  }
  return bytes;
}

bool FitsIn(std::size_t bytes, const Item& item) {
  if (const StoredMap* stored = item.stored()) {
    return stored->SizeOfItem() <= bytes;
  }
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
