// What DynamoDB checks of a request before it looks at anything else: lengths, ranges, patterns. It
// needs neither the table nor the expressions, and it reports everything that is wrong at once.
// Every home of the data calls it first, so that C++ callers and HTTP clients hear the same.

#pragma once

#include "api/violations.h"
#include "stator/api/database.h"

namespace stator::api {

#define STATOR_OPERATION(Name, ...) \
  void CheckConstraints(const Name##Input& input, Violations& violations);
#include "stator/api/operations.inc"

// The first thing that an operation does with its input.
template <class Input>
Result<void> CheckConstraints(const Input& input) {
  Violations violations;
  CheckConstraints(input, violations);
  return violations.ToResult();
}

}  // namespace stator::api
