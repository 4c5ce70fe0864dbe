#include "stator/api/put_item.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/legacy_shapes.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<PutItemInput> {
  static constexpr std::string_view kName = "PutItemInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Stored("Item", input.item);
    visit.Optional("Expected", input.expected);
    visit.Defaulted("ReturnValues", input.return_values, ReturnValues::kNone);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Defaulted("ReturnItemCollectionMetrics", input.return_item_collection_metrics,
                    ReturnItemCollectionMetrics::kNone);
    visit.Optional("ConditionalOperator", input.conditional_operator);
    visit.Optional("ConditionExpression", input.condition_expression);
    visit.Optional("ExpressionAttributeNames", input.expression_attribute_names);
    visit.Placeholders("ExpressionAttributeValues", input.expression_attribute_values);
    visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                    input.return_values_on_condition_check_failure,
                    ReturnValuesOnConditionCheckFailure::kNone);
  }
};

template <>
struct Shape<PutItemOutput> {
  static constexpr std::string_view kName = "PutItemOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("Attributes", output.attributes);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
    visit.Optional("ItemCollectionMetrics", output.item_collection_metrics);
  }
};

template struct Body<PutItemInput>;
template struct Body<PutItemOutput>;

}  // namespace stator::wire
