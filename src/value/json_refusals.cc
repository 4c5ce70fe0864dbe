#include "value/json_refusals.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "base/base64.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr const char* kUnexpectedStructure = "Start of structure or map found where not expected";

// "[a, b]", as Java prints a collection.
std::string PrintStrings(const array& json) {
  std::string text = "[";
  std::string_view separator;
  for (const element member : json) {
    text.append(separator).append(member.get_string().value_unsafe());
    separator = ", ";
  }
  text.push_back(']');
  return text;
}

// The members before the first that is repeated, in the order of their bytes, then that one, each in
// quotes. `bytes_of` is what orders the text of a member.
template <class BytesOf>
std::string PrintUntilRepeated(const array& json, std::string_view separator, BytesOf bytes_of) {
  std::set<std::pair<std::string, std::string_view>> seen;
  std::string_view repeated;
  for (const element member : json) {
    repeated = member.get_string().value_unsafe();
    if (!seen.emplace(bytes_of(repeated), repeated).second) {
      break;
    }
  }
  std::string text = "[";
  for (const auto& [bytes, member] : seen) {
    text.append("\"").append(member).append("\"").append(separator);
  }
  return text.append("\"").append(repeated).append("\"]");
}

// What the older validator, which counts in 32 bits, makes of a number that is refused: its exponent
// or the place of its last digit is no number to it, and place and digits that do not fit together
// are something small.
enum class OlderRange : std::uint8_t { kInside, kNoNumber, kSmall };

OlderRange OlderRangeOf(std::string_view text) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) {
    return OlderRange::kInside;
  }
  std::string_view written = text.substr(mark + 1);
  written.remove_prefix(written.starts_with('+') ? 1 : 0);
  std::int64_t exponent = 0;
  const auto [end, error] =
      std::from_chars(written.data(), written.data() + written.size(), exponent);
  const std::string_view digits = text.substr(0, mark);
  const std::size_t point = digits.find('.');
  const auto behind_point =
      static_cast<std::int64_t>(point == std::string_view::npos ? 0 : digits.size() - point - 1);
  if (error == std::errc::result_out_of_range || exponent > kMax ||
      exponent < behind_point - kMax) {
    return OlderRange::kNoNumber;
  }
  const auto count = std::count_if(digits.begin(), digits.end(),
                                   [](char each) { return each >= '0' && each <= '9'; });
  return exponent + count > kMax ? OlderRange::kSmall : OlderRange::kInside;
}

}  // namespace

std::string NotConvertible(const element& json, std::string_view wanted) {
  const std::string name(wanted);
  switch (json.type()) {
    case element_type::ARRAY:
      return "Unrecognized collection type class java.lang." + name;
    case element_type::OBJECT:
      return kUnexpectedStructure;
    case element_type::INT64:
    case element_type::UINT64:
      return "NUMBER_VALUE cannot be converted to " + name;
    case element_type::DOUBLE:
      return "DECIMAL_VALUE cannot be converted to " + name;
    case element_type::BOOL:
      return (json.get_bool().value_unsafe() ? "TRUE" : "FALSE") +
             ("_VALUE cannot be converted to " + name);
    default:
      return "Unexpected token received from parser";
  }
}

std::string NotBytes(const element& json) {
  switch (json.type()) {
    case element_type::ARRAY:
      return "Unrecognized collection type class java.nio.ByteBuffer";
    case element_type::OBJECT:
      return kUnexpectedStructure;
    default:
      return "only base-64-encoded strings are convertible to bytes";
  }
}

std::string NotBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return "Base64 encoded length is expected a multiple of 4 bytes but found: " +
           std::to_string(text.size());
  }
  return "Invalid last non-pad Base64 character dectected";
}

std::string NotArray(const element& json) {
  return json.is_object() ? kUnexpectedStructure : "Unexpected field type";
}

std::string NotMap(const element& json) {
  return json.is_array() ? "Unrecognized collection type java.util.Map<java.lang.String, "
                           "com.amazonaws.dynamodb.v20120810.AttributeValue>"
                         : "Unexpected field type";
}

std::string NotValue(const element& json) {
  return json.is_array() ? "Unrecognized collection type class "
                           "com.amazonaws.dynamodb.v20120810.AttributeValue"
                         : "Unexpected value type in payload";
}

Error NoTag() {
  return Refusal(
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

Error ManyTags() {
  return Refusal(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes");
}

Error FalseNull() {
  return Refusal(
      "One or more parameter values were invalid: Null attribute value types must have the value "
      "of true");
}

Error NullValue(std::string_view name) {
  std::string message = "The supplied Item contains a null AttributeValue";
  if (!name.empty()) {
    message.append(": ").append(name).append(" is null");
  }
  return Refusal(std::move(message));
}

Error NotNumber(std::string_view text, Error refusal, Words words) {
  if (words == Words::kCurrent) {
    return refusal;
  }
  if (text.empty()) {
    return Refusal("The parameter cannot be converted to a numeric value");
  }
  switch (OlderRangeOf(text)) {
    case OlderRange::kNoNumber:
      return Refusal("The parameter cannot be converted to a numeric value: " + std::string(text));
    case OlderRange::kSmall:
      return Refusal(
          "Number underflow. Attempting to store a number with magnitude smaller than supported "
          "range");
    case OlderRange::kInside:
      break;
  }
  return refusal;
}

Error NullMember(const StringSet& /*set*/, Words /*words*/) {
  return Refusal(
      "One or more parameter values were invalid: An string set may not have a null string as a "
      "member");
}
Error NullMember(const NumberSet& /*set*/, Words words) {
  return NotNumber("", Number::Parse("").error(), words);
}
Error NullMember(const BinarySet& /*set*/, Words /*words*/) {
  return NullValue("");
}

Error Duplicates(const StringSet& /*set*/, const array& sent, Words words) {
  const auto bytes_of = [](std::string_view text) { return std::string(text); };
  return Refusal(
      "One or more parameter values were invalid: Input collection " +
      (words == Words::kCurrent ? PrintUntilRepeated(sent, ", ", bytes_of) : PrintStrings(sent)) +
      " contains duplicates.");
}
Error Duplicates(const NumberSet& /*set*/, const array& /*sent*/, Words words) {
  return Refusal(words == Words::kCurrent
                     ? "One or more parameter values were invalid: Input collection contains "
                       "duplicates."
                     : "Input collection contains duplicates");
}
Error Duplicates(const BinarySet& /*set*/, const array& sent, Words words) {
  const auto bytes_of = [](std::string_view text) {
    return base::DecodeBase64(text).value_or(std::string());
  };
  // The missing space is the service's.
  return Refusal(
      "One or more parameter values were invalid: Input collection " +
      (words == Words::kCurrent ? PrintUntilRepeated(sent, ",", bytes_of) : PrintStrings(sent)) +
      "of type BS contains duplicates.");
}

}  // namespace stator::value
