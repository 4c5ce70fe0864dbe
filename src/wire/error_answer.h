// Errors as clients read them: the reverse of wire/error_names.h, for any endpoint that speaks
// DynamoDB's protocol and for whatever stands in front of it.

#pragma once

#include <string_view>

#include "api/operations.h"
#include "stator/base/result.h"

namespace stator::wire {

struct ErrorAnswer {
  int status = 400;
  std::string_view body;  // kBodyPaddingBytes (wire/exchange.h) can be read behind it
  std::string_view type;  // the value of x-amzn-ErrorType; counts when the body has no type
  const api::Operation* operation = nullptr;  // what the answer is about
};

// Never fails: an answer that says nothing that we understand becomes an error by its HTTP status.
// The detail of a failed condition and of a canceled transaction comes along.
Error ErrorFrom(const ErrorAnswer& answer);

}  // namespace stator::wire
