// What DynamoDB says only in words: errors that share the name ValidationException with every bad
// request, but that programs must tell apart. The one place that reads the text of an error.

#pragma once

#include <string_view>

#include "stator/base/result.h"

namespace stator::wire {

// kTooLarge, kIndexNotFound, or kValidation for every other text.
ErrorCode CodeOfValidation(std::string_view message);

}  // namespace stator::wire
