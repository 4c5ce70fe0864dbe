// The NextToken of a SELECT: where its next page begins, and of which statement it is a page.
//
// A token is bound to what decides which rows come in which order: table, index, condition with its
// values, direction. Limit, ConsistentRead and the SELECT list may change between pages.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "expression/condition.h"
#include "partiql/statement.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

struct NextPage {
  std::uint32_t range = 0;  // the number of the Query in the plan
  Item start_key;           // the last row that was read
};

// What tokens of this statement are bound to. `where` is null when it has none.
std::string StatementDigest(const partiql::Select& select, const expression::Condition* where);

std::string EncodeNextToken(const std::string& digest, const NextPage& next);

// Fails with kValidation: "Invalid NextToken", or "NextToken does not match request".
Result<NextPage> DecodeNextToken(const std::string& digest, std::string_view token);

}  // namespace stator::engine
