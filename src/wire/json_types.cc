#include "wire/json_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stator::wire {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::string_view kStructureNotExpected =
    "Start of structure or map found where not expected";

// The service's parser cannot name a type that has parameters of its own.
constexpr std::string_view kParameterizedType =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";

// `wanted` is one of Java's own classes: String, Boolean, Integer, Long.
std::string CannotConvert(element json, std::string_view wanted) {
  const auto convert = [wanted](std::string_view token) {
    return std::string(token).append(" cannot be converted to ").append(wanted);
  };
  switch (json.type()) {
    case element_type::ARRAY:
      return std::string("Unrecognized collection type class java.lang.").append(wanted);
    case element_type::OBJECT:
      return std::string(kStructureNotExpected);
    case element_type::INT64:
    case element_type::UINT64:
      return convert("NUMBER_VALUE");
    case element_type::DOUBLE:
      return convert("DECIMAL_VALUE");
    case element_type::STRING:
      return convert("STRING_VALUE");
    case element_type::BOOL:
      return convert(json.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE");
    case element_type::NULL_VALUE:
      break;
  }
  return convert("NULL_VALUE");
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

std::int64_t ReadWhole(element json, std::string_view wanted, std::int64_t minimum,
                       std::int64_t maximum, Decoding& decoding) {
  std::int64_t whole = 0;
  double decimal = 0;
  if (json.get(whole) == SUCCESS) {
    if (whole >= minimum && whole <= maximum) {
      return whole;
    }
  } else if (json.is_double() && json.get(decimal) == SUCCESS) {
    decimal = std::floor(decimal);
    // The bounds of 64 bits are not doubles; what lies strictly between them converts safely.
    if (decimal > static_cast<double>(minimum) && decimal < static_cast<double>(maximum)) {
      return static_cast<std::int64_t>(decimal);
    }
  }
  decoding.RefuseType(CannotConvert(json, wanted));
  return 0;
}

}  // namespace

std::string_view TextFrom(element json, Decoding& decoding) {
  std::string_view text;
  if (json.get(text) != SUCCESS) {
    decoding.RefuseType(CannotConvert(json, "String"));
  }
  return text;
}

bool BooleanFrom(element json, Decoding& decoding) {
  bool value = false;
  if (json.get(value) == SUCCESS) {
    return value;
  }
  std::string_view text;
  if (json.get(text) != SUCCESS) {
    decoding.RefuseType(CannotConvert(json, "Boolean"));
    return false;
  }
  constexpr std::array<std::string_view, 3> kTrue = {"true", "yes", "1"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "no", "0"};
  const auto is_text = [text](std::string_view word) { return EqualsIgnoringCase(text, word); };
  value = std::any_of(kTrue.begin(), kTrue.end(), is_text);
  if (!value && std::none_of(kFalse.begin(), kFalse.end(), is_text)) {
    decoding.RefuseType("Unexpected token received from parser");
  }
  return value;
}

std::int32_t IntegerFrom(element json, Decoding& decoding) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(
      ReadWhole(json, "Integer", Limits::min(), Limits::max(), decoding));
}

std::int64_t LongFrom(element json, Decoding& decoding) {
  using Limits = std::numeric_limits<std::int64_t>;
  return ReadWhole(json, "Long", Limits::min(), Limits::max(), decoding);
}

double DoubleFrom(element json, Decoding& decoding) {
  double value = 0;
  if (json.get(value) != SUCCESS) {
    decoding.RefuseType(CannotConvert(json, "Double"));
  }
  return value;
}

TimePoint EpochSecondsFrom(element json, Decoding& decoding) {
  constexpr double kMicrosecondsPerSecond = 1e6;
  constexpr double kSecondsMax = 253'402'300'800;  // the year 10000
  const double seconds = DoubleFrom(json, decoding);
  if (std::abs(seconds) > kSecondsMax) {
    decoding.RefuseType("a moment beyond the calendar");
    return {};
  }
  return TimePoint(Duration(std::llround(seconds * kMicrosecondsPerSecond)));
}

std::optional<object> StructureFrom(element json, bool is_value, std::string_view java_type,
                                    Decoding& decoding) {
  object members;
  if (json.get(members) == SUCCESS) {
    return members;
  }
  if (json.is_array()) {
    decoding.RefuseType(std::string("Unrecognized collection type class ").append(java_type));
  } else {
    decoding.RefuseType(is_value ? "Unexpected value type in payload" : "Unexpected field type");
  }
  return std::nullopt;
}

std::optional<object> MapFrom(element json, bool is_value, std::string_view java_type,
                              Decoding& decoding) {
  object entries;
  if (json.get(entries) == SUCCESS) {
    return entries;
  }
  if (json.is_array()) {
    decoding.RefuseType(std::string("Unrecognized collection type ").append(java_type));
  } else {
    decoding.RefuseType(std::string(is_value ? kParameterizedType : "Unexpected field type"));
  }
  return std::nullopt;
}

std::optional<array> ListFrom(element json, bool is_value, Decoding& decoding) {
  array elements;
  if (json.get(elements) == SUCCESS) {
    return elements;
  }
  if (json.is_object()) {
    decoding.RefuseType(std::string(kStructureNotExpected));
  } else {
    decoding.RefuseType(std::string(is_value ? kParameterizedType : "Unexpected field type"));
  }
  return std::nullopt;
}

}  // namespace stator::wire
