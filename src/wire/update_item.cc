#include "stator/api/update_item.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/legacy_shapes.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<UpdateItemInput> {
  static constexpr std::string_view kName = "UpdateItemInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("Key", input.key);
    visit.Optional("AttributeUpdates", input.attribute_updates);
    visit.Optional("Expected", input.expected);
    visit.Optional("ConditionalOperator", input.conditional_operator);
    visit.Defaulted("ReturnValues", input.return_values, ReturnValues::kNone);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Defaulted("ReturnItemCollectionMetrics", input.return_item_collection_metrics,
                    ReturnItemCollectionMetrics::kNone);
    visit.Optional("UpdateExpression", input.update_expression);
    visit.Optional("ConditionExpression", input.condition_expression);
    visit.Optional("ExpressionAttributeNames", input.expression_attribute_names);
    visit.Placeholders("ExpressionAttributeValues", input.expression_attribute_values);
    visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                    input.return_values_on_condition_check_failure,
                    ReturnValuesOnConditionCheckFailure::kNone);
  }
};

template <>
struct Shape<UpdateItemOutput> {
  static constexpr std::string_view kName = "UpdateItemOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("Attributes", output.attributes);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
    visit.Optional("ItemCollectionMetrics", output.item_collection_metrics);
  }
};

template struct Body<UpdateItemInput>;
template struct Body<UpdateItemOutput>;

}  // namespace stator::wire
