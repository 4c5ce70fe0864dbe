// Which rows of a table or an index a Query reads.

#pragma once

#include <span>
#include <string>

#include "base/limits.h"
#include "engine/read_source.h"
#include "expression/inline_array.h"
#include "expression/key_condition.h"
#include "keyspace/key_range.h"

namespace stator::engine {

// Key attributes as expressions see them; borrows the names.
using ExpressionKeys =
    expression::InlineArray<expression::KeyAttribute, limits::kIndexKeyAttributesMax>;
ExpressionKeys KeysForExpressions(std::span<const KeyAttribute> attributes);

struct QueryRange {
  std::string partition;  // all rows of the partition begin with this
  keyspace::KeyRange rows;
};

// REQUIRES: `key` fits the keys of the source.
QueryRange RangeOf(const ReadSource& source, const expression::MatchedKeyCondition& key);

}  // namespace stator::engine
