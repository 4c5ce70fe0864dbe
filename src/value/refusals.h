// DynamoDB's words for values that it refuses, each said once, for values that come in as JSON and
// for values that a program built.

#pragma once

#include "base/limits.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::value {

inline Error Refusal(std::string message) {
  return {.code = ErrorCode::kValidation, .message = std::move(message)};
}

// An attribute of an item is on level 1. A list or a map puts its entries one level below itself,
// and on the last level there is no room for that, even if it is empty.
inline bool MayHoldEntries(std::size_t level) {
  return level < limits::kNestingDepthMax;
}

inline Error TooDeep() {
  return Refusal(
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit");
}

inline Error EmptyName() {
  return Refusal("Empty attribute name");
}

inline Error NameTooLong() {
  return Refusal("Attribute name is too large, must be less than 65536 bytes");
}

// The grammar and the double space are the service's.
inline Error EmptySet(const StringSet& /*set*/) {
  return Refusal("One or more parameter values were invalid: An string set  may not be empty");
}
inline Error EmptySet(const NumberSet& /*set*/) {
  return Refusal("One or more parameter values were invalid: An number set  may not be empty");
}
inline Error EmptySet(const BinarySet& /*set*/) {
  return Refusal("One or more parameter values were invalid: Binary sets should not be empty");
}

}  // namespace stator::value
