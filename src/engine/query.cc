#include <algorithm>
#include <utility>

#include "api/constraints.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/page.h"
#include "engine/read_source.h"
#include "engine/request_expressions.h"
#include "keyspace/key_part.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

struct Expressions {
  KeyQuestion keys;
  std::optional<expression::Condition> filter;
  std::optional<expression::Projection> projection;
};

Result<Expressions> Check(Core& core, const QueryInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  // KeyConditions may stand beside expressions, unless there is a KeyConditionExpression.
  const bool key_conditions_clash = input.key_conditions && input.key_condition_expression;
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()},
                         {"QueryFilter", input.query_filter.has_value()},
                         {"ConditionalOperator", input.conditional_operator.has_value()},
                         {"KeyConditions", key_conditions_clash}},
      .expression = {{"ProjectionExpression", input.projection_expression.has_value()},
                     {"FilterExpression", input.filter_expression.has_value()},
                     {"KeyConditionExpression", input.key_condition_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = input.expression_attribute_values ? &*input.expression_attribute_values : nullptr,
  }));
  if (input.exclusive_start_key) {
    TRY_VOID(value::CheckItem(*input.exclusive_start_key));
  }
  TRY_VOID(CheckSelect(input.select, input.index_name.has_value(),
                       input.projection_expression.has_value(),
                       input.attributes_to_get.has_value()));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  Expressions expressions;
  expressions.keys =
      TRY(KeyQuestionOf(core, input.key_condition_expression, input.key_conditions, substitutions));
  expressions.filter = TRY(FilterOf(core, input.filter_expression, input.query_filter,
                                    input.conditional_operator, substitutions));
  expressions.projection =
      TRY(ProjectionOf(core, input.projection_expression, input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

std::vector<expression::KeyAttribute> Convert(const std::vector<KeyAttribute>& attributes) {
  std::vector<expression::KeyAttribute> converted;
  converted.reserve(attributes.size());
  for (const KeyAttribute& attribute : attributes) {
    converted.push_back({.name = attribute.name, .type = ValueType(attribute.type)});
  }
  return converted;
}

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

struct QueryRange {
  std::string partition;  // all rows of the partition begin with this
  keyspace::KeyRange rows;
};

Result<QueryRange> RangeOf(const ReadSource& source, const KeyQuestion& keys) {
  const std::vector<KeyAttribute> partition_attributes = source.Partition();
  const std::vector<KeyAttribute> sort_attributes = source.Sort();
  const std::vector<expression::KeyAttribute> partition = Convert(partition_attributes);
  const std::vector<expression::KeyAttribute> sort = Convert(sort_attributes);
  const std::string_view index_name =
      source.index != nullptr ? std::string_view(source.index->name) : std::string_view();
  const expression::KeyRange key = TRY(expression::MatchKeySchema(
      keys.comparisons, {.partition = partition, .sort = sort, .index_name = index_name}));
  QueryRange range;
  if (source.index != nullptr) {
    keyspace::AppendIndexPartition(source.table->id, source.index->id, key.partition,
                                   range.partition);
  } else {
    keyspace::AppendItemKey(source.table->id, *key.partition.front(), nullptr, range.partition);
  }
  std::string prefix = range.partition;
  for (const AttributeValue* value : key.sort_equal) {
    keyspace::AppendKeyPart(*value, prefix);
  }
  range.rows =
      key.sort_range ? SortRange(prefix, *key.sort_range) : keyspace::RangeOfPrefix(prefix);
  return range;
}

// A page can only begin where a page of the same query could have ended.
Result<void> CheckStartInRange(const ReadSource& source, const QueryRange& range,
                               const Item& start_key) {
  TRY_VOID(CheckStartKey(source, start_key));
  const std::string row_key = source.RowKeyOf(start_key);
  if (row_key >= range.rows.begin && row_key < range.rows.end) {
    return {};
  }
  const bool whole_partition = range.rows == keyspace::RangeOfPrefix(range.partition);
  if (whole_partition) {
    return Invalid(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  return Invalid("The provided starting key does not match the range key predicate");
}

// Keys are compared by the key condition, not by the filter.
Result<void> CheckFilterHasNoKeys(const ReadSource& source, const QueryInput& input,
                                  const expression::Condition& filter) {
  const std::vector<std::string_view> attributes = filter.TopLevelAttributes();
  const auto check = [&](const std::vector<KeyAttribute>& keys) -> Result<void> {
    for (const KeyAttribute& key : keys) {
      if (std::binary_search(attributes.begin(), attributes.end(), key.name)) {
        return Invalid(
            std::string(input.filter_expression ? "Filter Expression" : "QueryFilter") +
            " can only contain non-primary key attributes: Primary key attribute: " + key.name);
      }
    }
    return {};
  };
  TRY_VOID(check(source.Partition()));
  return check(source.Sort());
}

Result<void> CheckPaths(const ReadSource& source, const QueryInput& input,
                        const Expressions& expressions) {
  if (expressions.projection) {
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.projection));
  }
  if (expressions.filter) {
    TRY_VOID(CheckFilterHasNoKeys(source, input, *expressions.filter));
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.filter));
  }
  return CheckFilterIsProjected(source, expressions.filter);
}

}  // namespace

Result<QueryOutput> Query(Core& core, const QueryInput& input) {
  const Expressions expressions = TRY(Check(core, input));
  TablePtr table = TRY(core.catalog.Find(input.table_name));
  const ReadSource source =
      TRY(FindSource(std::move(table), input.index_name, input.consistent_read));
  QueryRange range = TRY(RangeOf(source, expressions.keys));
  if (input.exclusive_start_key) {
    TRY_VOID(CheckStartInRange(source, range, *input.exclusive_start_key));
  }
  TRY_VOID(CheckPaths(source, input, expressions));
  const Selection selection = TRY(SelectFrom(source, input.select, expressions.projection));

  Usage usage(input.table_name, Usage::Kind::kRead);
  Page page =
      TRY(ReadPage(core,
                   {.source = source,
                    .range = std::move(range.rows),
                    .forward = input.scan_index_forward,
                    .limit = input.limit,
                    .start_key = input.exclusive_start_key,
                    .filter = expressions.filter ? &*expressions.filter : nullptr,
                    .projection = expressions.projection ? &*expressions.projection : nullptr,
                    .selection = selection,
                    .consistent_read = input.consistent_read},
                   usage));
  QueryOutput output;
  if (!selection.count_only) {
    output.items = std::move(page.items);
  }
  output.count = page.count;
  output.scanned_count = page.scanned_count;
  output.last_evaluated_key = std::move(page.last_evaluated_key);
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace stator::engine
