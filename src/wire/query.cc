#include "stator/api/query.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/legacy_shapes.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<QueryInput> {
  static constexpr std::string_view kName = "QueryInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Optional("IndexName", input.index_name);
    visit.Optional("Select", input.select);
    visit.Optional("AttributesToGet", input.attributes_to_get);
    visit.Optional("Limit", input.limit);
    visit.Defaulted("ConsistentRead", input.consistent_read, false);
    visit.Optional("KeyConditions", input.key_conditions);
    visit.Optional("QueryFilter", input.query_filter);
    visit.Optional("ConditionalOperator", input.conditional_operator);
    visit.Defaulted("ScanIndexForward", input.scan_index_forward, true);
    visit.Optional("ExclusiveStartKey", input.exclusive_start_key);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Optional("ProjectionExpression", input.projection_expression);
    visit.Optional("FilterExpression", input.filter_expression);
    visit.Optional("KeyConditionExpression", input.key_condition_expression);
    visit.Optional("ExpressionAttributeNames", input.expression_attribute_names);
    visit.Placeholders("ExpressionAttributeValues", input.expression_attribute_values);
  }
};

template <>
struct Shape<QueryOutput> {
  static constexpr std::string_view kName = "QueryOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("Items", output.items);
    visit.Required("Count", output.count);
    visit.Required("ScannedCount", output.scanned_count);
    visit.Optional("LastEvaluatedKey", output.last_evaluated_key);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<QueryInput>;
template struct Body<QueryOutput>;

}  // namespace stator::wire
