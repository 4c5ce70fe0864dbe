// For tests: the cases of the contract in which DynamoDB Local is not like Amazon DynamoDB.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stator::contract {

// Why the case "Suite.Name" has to fail on DynamoDB Local; nothing when it has to pass.
std::optional<std::string_view> DifferenceOfLocal(const std::string& name);

}  // namespace stator::contract
