// Why a value cannot be stored, or a stored one not be read: where, what was expected, what is
// there.

#pragma once

#include <string>

#include "stator/base/result.h"

namespace stator {

// The detail of every kValidation error of ToItem and FromItem. The message says the same:
// "Account.lines[2].price: expected N, an integer from 0 to 255, found S".
struct MappingErrorDetail final : ErrorDetail {
  std::string path;  // in stored names: lines[2].price; empty for the item itself
  std::string expected;
  std::string found;  // a type, or a number or name; never other text, which may be a secret
};

}  // namespace stator
