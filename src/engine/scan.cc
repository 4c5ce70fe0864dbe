#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/page.h"
#include "engine/read_source.h"
#include "engine/request_expressions.h"
#include "keyspace/key_range.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

struct Expressions {
  std::optional<expression::Condition> filter;
  std::optional<expression::Projection> projection;
};

Result<void> CheckSegments(const ScanInput& input) {
  if (input.segment && !input.total_segments) {
    return Invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (!input.segment && input.total_segments) {
    return Invalid(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (input.segment && *input.segment >= *input.total_segments) {
    return Invalid(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: " +
        std::to_string(*input.segment) +
        " is not less than TotalSegments: " + std::to_string(*input.total_segments));
  }
  return {};
}

Result<Expressions> Check(Core& core, const ScanInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()},
                         {"ScanFilter", input.scan_filter.has_value()},
                         {"ConditionalOperator", input.conditional_operator.has_value()}},
      .expression = {{"ProjectionExpression", input.projection_expression.has_value()},
                     {"FilterExpression", input.filter_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = input.expression_attribute_values ? &*input.expression_attribute_values : nullptr,
  }));
  if (input.exclusive_start_key) {
    TRY_VOID(value::CheckItem(*input.exclusive_start_key));
  }
  TRY_VOID(CheckSelect(input.select, input.index_name.has_value(),
                       input.projection_expression.has_value(),
                       input.attributes_to_get.has_value()));
  TRY_VOID(CheckSegments(input));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  Expressions expressions;
  expressions.filter = TRY(FilterOf(core, input.filter_expression, input.scan_filter,
                                    input.conditional_operator, substitutions));
  expressions.projection =
      TRY(ProjectionOf(core, input.projection_expression, input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

keyspace::KeyRange RangeOf(const ReadSource& source, const ScanInput& input) {
  const auto segment = static_cast<std::uint32_t>(input.segment.value_or(0));
  const auto total = static_cast<std::uint32_t>(input.total_segments.value_or(1));
  if (source.index != nullptr) {
    return keyspace::IndexSegment(source.table->id, source.index->id, segment, total);
  }
  return keyspace::ItemSegment(source.table->id, segment, total);
}

Result<void> CheckStart(const ReadSource& source, const ScanInput& input,
                        const keyspace::KeyRange& range) {
  TRY_VOID(CheckStartKey(source, *input.exclusive_start_key));
  const std::string row_key = source.RowKeyOf(*input.exclusive_start_key);
  if (row_key < range.begin || row_key >= range.end) {
    return Invalid(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
        "ExclusiveStartKey with correct Segment. TotalSegments: " +
        std::to_string(input.total_segments.value_or(1)) +
        " Segment: " + std::to_string(input.segment.value_or(0)));
  }
  return {};
}

}  // namespace

Result<ScanOutput> Scan(Core& core, const ScanInput& input) {
  const Expressions expressions = TRY(Check(core, input));
  TablePtr table = TRY(core.catalog.Find(input.table_name));
  const ReadSource source =
      TRY(FindSource(std::move(table), input.index_name, input.consistent_read));
  keyspace::KeyRange range = RangeOf(source, input);
  if (input.exclusive_start_key) {
    TRY_VOID(CheckStart(source, input, range));
  }
  if (expressions.projection) {
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.projection));
  }
  if (expressions.filter) {
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.filter));
  }
  const Selection selection = TRY(SelectFrom(source, input.select, expressions.projection));

  Usage usage(input.table_name, Usage::Kind::kRead);
  Page page =
      TRY(ReadPage(core,
                   {.source = source,
                    .range = std::move(range),
                    .forward = true,
                    .limit = input.limit,
                    .start_key = input.exclusive_start_key,
                    .filter = expressions.filter ? &*expressions.filter : nullptr,
                    .projection = expressions.projection ? &*expressions.projection : nullptr,
                    .selection = selection,
                    .consistent_read = input.consistent_read},
                   usage));
  ScanOutput output;
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
