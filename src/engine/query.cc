#include <algorithm>
#include <span>
#include <utility>

#include "base/try.h"
#include "engine/contributors.h"
#include "engine/key_paths.h"
#include "engine/operations.h"
#include "engine/page.h"
#include "engine/query_range.h"
#include "engine/read_source.h"
#include "keyspace/key_range.h"
#include "request/checks.h"
#include "value/dynamodb_json.h"

namespace stator::engine {
namespace {

Result<QueryRange> RangeOf(const ReadSource& source, const request::BoundKeyCondition& keys) {
  const ExpressionKeys partition = KeysForExpressions(source.Partition());
  const ExpressionKeys sort = KeysForExpressions(source.Sort());
  const std::string_view index_name =
      source.index != nullptr ? std::string_view(source.index->name) : std::string_view();
  return RangeOf(
      source, TRY(expression::MatchKeySchema(
                  keys.comparisons,
                  {.partition = partition.span(), .sort = sort.span(), .index_name = index_name})));
}

// A page can only begin where a page of the same query could have ended.
Result<void> CheckStartInRange(const ReadSource& source, const QueryRange& range,
                               const Item& start_key) {
  TRY_VOID(CheckStartKey(source, start_key, api::kLayerOf<QueryInput>));
  if (source.index == nullptr && !source.table->sort) {
    // Behind the only item of a partition there is nothing.
    return Invalid("The provided exclusive start key is invalid: ExclusiveStartKey: " +
                   value::ToDynamoDbJson(start_key));
  }
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
  const auto check = [&](std::span<const KeyAttribute> keys) -> Result<void> {
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
                        const request::ReadExpressions& expressions) {
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

Result<QueryOutput> Query(EngineCore& core, const QueryInput& input) {
  const request::ReadExpressions expressions = TRY(request::Check(input, core.expressions));
  TablePtr table = TRY(core.catalog.Find(input.table_name));
  const ReadSource source =
      TRY(FindSource(std::move(table), input.index_name, input.consistent_read));
  QueryRange range = TRY(RangeOf(source, expressions.keys));
  if (input.exclusive_start_key) {
    TRY_VOID(CheckStartInRange(source, range, *input.exclusive_start_key));
  }
  TRY_VOID(CheckPaths(source, input, expressions));
  const Selection selection = TRY(SelectFrom(source, input.select, expressions.projection));

  const std::optional<HistoryKeeper::Lease> lease = TRY(LeaseFor(core, source, input.as_of));
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
                    .consistent_read = input.consistent_read,
                    .as_of = lease ? std::optional(lease->time()) : std::nullopt},
                   usage));
  if (Contributors* const contributors = source.contributors()) {
    contributors->CountPartition(range.partition, usage.TotalUnits());
  }
  QueryOutput output;
  if (!selection.count_only) {
    output.items = std::move(page.items);
  }
  output.count = page.count;
  output.scanned_count = page.scanned_count;
  if (source.index != nullptr || source.table->sort) {
    output.last_evaluated_key = std::move(page.last_evaluated_key);
  }
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  if (lease) {
    output.as_of = TimeOfCommit(lease->time());
  }
  return output;
}

}  // namespace stator::engine
