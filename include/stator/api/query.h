// Query: one page of the items of one partition key, of a table or an index, in key order.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"
#include "stator/api/legacy_parameters.h"

namespace stator {

struct QueryInput {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  std::optional<std::string> key_condition_expression = std::nullopt;
  std::optional<std::string> filter_expression = std::nullopt;
  std::optional<std::string> projection_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  std::optional<std::int32_t> limit = std::nullopt;  // items read, before the filter
  bool scan_index_forward = true;
  std::optional<Item> exclusive_start_key = std::nullopt;  // last_evaluated_key of a page
  bool consistent_read = false;
  std::optional<Select> select = std::nullopt;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<Conditions> key_conditions = std::nullopt;
  std::optional<Conditions> query_filter = std::nullopt;
  std::optional<ConditionalOperator> conditional_operator = std::nullopt;
  std::optional<std::vector<std::string>> attributes_to_get = std::nullopt;
  std::optional<TimePoint> as_of = std::nullopt;  // see common.h, "Reading the past"
};

struct QueryOutput {
  std::optional<std::vector<Item>> items = std::nullopt;  // absent when only counting
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;                         // before the filter
  std::optional<Item> last_evaluated_key = std::nullopt;  // present when there may be more
  std::optional<ConsumedCapacity> consumed_capacity = std::nullopt;
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

}  // namespace stator
