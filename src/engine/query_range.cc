#include "engine/query_range.h"

#include "base/check.h"
#include "keyspace/key_part.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

keyspace::KeyRange SortRange(const std::string& prefix, const expression::KeyComparison& sort) {
  using Kind = expression::KeyComparison::Kind;
  switch (sort.kind) {
    case Kind::kEqual:
      return keyspace::RangeEqual(prefix, *sort.value);
    case Kind::kLess:
      return keyspace::RangeBelow(prefix, *sort.value);
    case Kind::kLessOrEqual:
      return keyspace::RangeUpTo(prefix, *sort.value);
    case Kind::kGreater:
      return keyspace::RangeAbove(prefix, *sort.value);
    case Kind::kGreaterOrEqual:
      return keyspace::RangeFrom(prefix, *sort.value);
    case Kind::kBetween:
      return keyspace::RangeBetween(prefix, *sort.value, *sort.second);
    case Kind::kBeginsWith:
      return keyspace::RangeBeginningWith(prefix, *sort.value);
    case Kind::kNotIndexable:
      break;  // refused by MatchKeySchema
  }
  base::FailCheck("a matched key comparison selects one run of keys", "");
}

}  // namespace

ExpressionKeys KeysForExpressions(std::span<const KeyAttribute> attributes) {
  ExpressionKeys converted(attributes.size());
  for (std::size_t at = 0; at < attributes.size(); ++at) {
    converted[at] = {.name = attributes[at].name, .type = ValueType(attributes[at].type)};
  }
  return converted;
}

QueryRange RangeOf(const ReadSource& source, const expression::MatchedKeyCondition& key) {
  QueryRange range;
  if (source.index != nullptr) {
    CHECK(key.partition.size() == source.index->partition.size());
    keyspace::AppendIndexPartition(source.table->id, source.index->id, key.partition,
                                   range.partition);
  } else {
    keyspace::AppendItemKey(source.table->id, *key.partition.front(), nullptr, range.partition);
  }
  std::string prefix = range.partition;
  const std::size_t sort_attributes =
      source.index != nullptr ? source.index->sort.size() : (source.table->sort ? 1 : 0);
  CHECK(key.sort_equal.size() + (key.sort_range ? 1 : 0) <= sort_attributes);
  for (const AttributeValue* value : key.sort_equal) {
    keyspace::AppendKeyPart(*value, prefix);
  }
  range.rows =
      key.sort_range ? SortRange(prefix, *key.sort_range) : keyspace::RangeOfPrefix(prefix);
  return range;
}

}  // namespace stator::engine
