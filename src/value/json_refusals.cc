#include "value/json_refusals.h"

#include <utility>

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

Error NullMember(const std::vector<std::string>& /*members*/) {
  return Refusal(
      "One or more parameter values were invalid: An string set may not have a null string as a "
      "member");
}
Error NullMember(const std::vector<Number>& /*members*/) {
  return Number::Parse("").error();
}
Error NullMember(const std::vector<Binary>& /*members*/) {
  return NullValue("");
}

Error Duplicates(const StringSet& /*set*/, const array& sent) {
  return Refusal("One or more parameter values were invalid: Input collection " +
                 PrintStrings(sent) + " contains duplicates.");
}
Error Duplicates(const NumberSet& /*set*/, const array& /*sent*/) {
  return Refusal("Input collection contains duplicates");
}
Error Duplicates(const BinarySet& /*set*/, const array& sent) {
  // The missing space is the service's.
  return Refusal("One or more parameter values were invalid: Input collection " +
                 PrintStrings(sent) + "of type BS contains duplicates.");
}

}  // namespace stator::value
