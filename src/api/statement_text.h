// What can be told of a statement without parsing it.

#pragma once

#include <string_view>

#include "stator/api/database.h"

namespace stator::api {

// Whether the text can only be a read: it begins, behind blanks, comments and parentheses, with
// SELECT.
bool IsSelect(std::string_view statement);

// Whether all statements of the request are.
bool IsSelect(const ExecuteStatementInput& input);
bool IsSelect(const BatchExecuteStatementInput& input);
bool IsSelect(const ExecuteTransactionInput& input);

}  // namespace stator::api
