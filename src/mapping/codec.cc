#include "stator/mapping/detail/codec.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "stator/mapping/detail/set_codec.h"

namespace stator::mapping {
namespace {

// The number if it is an integer of at most 64 bits.
std::optional<Integer> WholeNumber(const Number& number) {
  if (number.exponent() < 0 || number.coefficient_high() != 0) {
    return std::nullopt;  // a coefficient has no trailing zeros, so it is a fraction, or too large
  }
  std::uint64_t magnitude = number.coefficient_low();
  for (int power = 0; power < number.exponent(); ++power) {
    if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude)) {
      return std::nullopt;
    }
  }
  return Integer{.negative = number.is_negative(), .magnitude = magnitude};
}

bool IsBetween(const Integer& integer, std::int64_t min, std::uint64_t max) {
  return integer.negative ? min < 0 && integer.magnitude <= ~static_cast<std::uint64_t>(min) + 1
                          : integer.magnitude <= max;
}

template <class Floating>
bool Encode(Floating value, AttributeValue& out, Problem& problem) {
  std::array<char, 64> text = {};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  const auto number =
      std::isfinite(value)
          ? Number::Parse({text.data(), static_cast<std::size_t>(written.ptr - text.data())})
          : Invalid("");
  if (!number) {
    return problem.Expected("zero, or a magnitude from 1E-130 to 9.99E+125",
                            std::string(text.data(), written.ptr));
  }
  out = AttributeValue(*number);
  return true;
}

template <class Floating>
bool Decode(const AttributeValue& from, std::string_view type, Floating& out, Problem& problem) {
  const auto* number = from.If<Number>();
  if (number == nullptr) {
    return problem.WrongType("N", from);
  }
  std::array<char, Number::kTextBytesMax> text = {};
  const char* end = number->WriteTo(text.data());
  if (std::from_chars(text.data(), end, out).ec != std::errc()) {
    return problem.Expected("N in the range of " + std::string(type), number->ToString());
  }
  return true;
}

template <class Member>
AttributeValue Collect(std::vector<AttributeValue> values) {
  std::vector<Member> members;
  members.reserve(values.size());
  for (AttributeValue& value : values) {
    if (auto* member = value.If<Member>(); member != nullptr) {
      members.push_back(std::move(*member));
    }
  }
  return AttributeSet<Member>(std::move(members));
}

template <class Member>
bool Spread(const AttributeValue& from, std::vector<AttributeValue>& members) {
  const auto* set = from.If<AttributeSet<Member>>();
  if (set != nullptr) {
    members.assign(set->begin(), set->end());
  }
  return set != nullptr;
}

}  // namespace

bool DecodeInteger(const AttributeValue& from, std::int64_t min, std::uint64_t max, Integer& out,
                   Problem& problem) {
  const auto* number = from.If<Number>();
  const std::optional<Integer> integer = number == nullptr ? std::nullopt : WholeNumber(*number);
  if (!integer || !IsBetween(*integer, min, max)) {
    return problem.Expected(
        "N, an integer from " + std::to_string(min) + " to " + std::to_string(max),
        number == nullptr ? std::string(TypeName(from.type())) : number->ToString());
  }
  out = *integer;
  return true;
}

bool EncodeFloating(double value, AttributeValue& out, Problem& problem) {
  return Encode(value, out, problem);
}
bool EncodeFloating(float value, AttributeValue& out, Problem& problem) {
  return Encode(value, out, problem);
}
bool DecodeFloating(const AttributeValue& from, double& out, Problem& problem) {
  return Decode(from, "double", out, problem);
}
bool DecodeFloating(const AttributeValue& from, float& out, Problem& problem) {
  return Decode(from, "float", out, problem);
}

Encoded Codec<std::vector<std::byte>>::Encode(const Bytes& value, const FieldOptions& /*options*/,
                                              AttributeValue& out, Problem& /*problem*/) {
  Binary binary;
  binary.bytes.reserve(value.size());
  for (const std::byte byte : value) {
    binary.bytes.push_back(static_cast<char>(byte));
  }
  out = AttributeValue(std::move(binary));
  return Encoded::kValue;
}

bool Codec<std::vector<std::byte>>::Decode(const AttributeValue& from,
                                           const FieldOptions& /*options*/, Bytes& out,
                                           Problem& problem) {
  const auto* binary = from.If<Binary>();
  if (binary == nullptr) {
    return problem.WrongType("B", from);
  }
  out.clear();
  out.reserve(binary->bytes.size());
  for (const char byte : binary->bytes) {
    out.push_back(static_cast<std::byte>(byte));
  }
  return true;
}

AttributeValue SetOf(Type type, std::vector<AttributeValue> members) {
  switch (type) {
    case Type::kNumber:
      return Collect<Number>(std::move(members));
    case Type::kBinary:
      return Collect<Binary>(std::move(members));
    default:
      return Collect<std::string>(std::move(members));
  }
}

bool MembersOfSet(const AttributeValue& from, Type type, std::vector<AttributeValue>& members,
                  Problem& problem) {
  if (from.Is<Null>()) {
    return true;
  }
  switch (type) {
    case Type::kNumber:
      return Spread<Number>(from, members) || problem.WrongType("NS", from);
    case Type::kBinary:
      return Spread<Binary>(from, members) || problem.WrongType("BS", from);
    default:
      return Spread<std::string>(from, members) || problem.WrongType("SS", from);
  }
}

}  // namespace stator::mapping
