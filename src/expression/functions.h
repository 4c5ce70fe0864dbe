// The names of the functions of the expression language. They are case-sensitive.

#pragma once

#include <optional>
#include <string_view>

#include "expression/condition_tree.h"
#include "expression/update_tree.h"

namespace stator::expression {

// Nothing when conditions have no function of that name.
std::optional<ConditionNode::Kind> ConditionFunction(std::string_view name);

// Nothing when updates have no function of that name.
std::optional<UpdateOperand::Kind> UpdateFunction(std::string_view name);

// Said of a function that gives a value where a condition is wanted, and the other way round.
inline constexpr std::string_view kMisusedFunction =
    "The function is not allowed to be used this way in an expression";

}  // namespace stator::expression
