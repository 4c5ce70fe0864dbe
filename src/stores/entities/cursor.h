// Where a query goes on, as a text that can be given away: to a client, which brings it back with
// its next request. It says nothing that a caller should rely on, and fits the query that it came
// from alone.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::entities::detail {

// `scope` names the table, the index and the partition. 0-9A-Za-z-_ only.
std::string MakeCursor(std::string_view scope, const Item& key);

// Fails with kValidation when the text was not made by MakeCursor for the same scope.
Result<Item> ReadCursor(std::string_view scope, std::string_view cursor);

}  // namespace stator::entities::detail
