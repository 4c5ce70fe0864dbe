// For tests: what PutItem, UpdateItem and DeleteItem say of a request before they look at the table.

#pragma once

#include <string>
#include <string_view>

#include "contract/contract_test.h"

namespace stator::contract {

template <class T>
testing::AssertionResult RefusedAtOnce(const Result<T>& result, std::string_view message) {
  return Refused(result, "1 validation error detected: " + std::string(message));
}

}  // namespace stator::contract
