#include "stator/api/transact_write_items.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/union.h"

namespace stator::wire {
namespace {

// What all four actions end with.
void VisitPlaceholders(auto& visit, auto& action) {
  visit.Optional("ExpressionAttributeNames", action.expression_attribute_names);
  visit.Placeholders("ExpressionAttributeValues", action.expression_attribute_values);
  visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                  action.return_values_on_condition_check_failure,
                  ReturnValuesOnConditionCheckFailure::kNone);
}

}  // namespace

template <>
struct Shape<TransactConditionCheck> {
  static constexpr std::string_view kName = "ConditionCheck";
  static void Visit(auto& visit, auto& action) {
    visit.Required("Key", action.key);
    visit.Required("TableName", action.table_name);
    visit.Required("ConditionExpression", action.condition_expression);
    VisitPlaceholders(visit, action);
  }
};

template <>
struct Shape<TransactPut> {
  static constexpr std::string_view kName = "Put";
  static void Visit(auto& visit, auto& action) {
    visit.Stored("Item", action.item);
    visit.Required("TableName", action.table_name);
    visit.Optional("ConditionExpression", action.condition_expression);
    VisitPlaceholders(visit, action);
  }
};

template <>
struct Shape<TransactDelete> {
  static constexpr std::string_view kName = "Delete";
  static void Visit(auto& visit, auto& action) {
    visit.Required("Key", action.key);
    visit.Required("TableName", action.table_name);
    visit.Optional("ConditionExpression", action.condition_expression);
    VisitPlaceholders(visit, action);
  }
};

template <>
struct Shape<TransactUpdate> {
  static constexpr std::string_view kName = "Update";
  static void Visit(auto& visit, auto& action) {
    visit.Required("Key", action.key);
    visit.Required("UpdateExpression", action.update_expression);
    visit.Required("TableName", action.table_name);
    visit.Optional("ConditionExpression", action.condition_expression);
    VisitPlaceholders(visit, action);
  }
};

template <>
struct UnionShape<TransactWriteItem> {
  static constexpr std::string_view kName = "TransactWriteItem";
  static constexpr std::array<std::string_view, 4> kMembers = {"ConditionCheck", "Put", "Delete",
                                                               "Update"};
  static constexpr std::string_view kNone =
      "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
  static constexpr std::string_view kSeveral =
      "TransactItems can only contain one of Check, Put, Update or Delete";
};

template <>
struct Shape<TransactWriteItemsInput> {
  static constexpr std::string_view kName = "TransactWriteItemsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TransactItems", input.transact_items);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Defaulted("ReturnItemCollectionMetrics", input.return_item_collection_metrics,
                    ReturnItemCollectionMetrics::kNone);
    visit.Optional("ClientRequestToken", input.client_request_token);
  }
};

template <>
struct Shape<TransactWriteItemsOutput> {
  static constexpr std::string_view kName = "TransactWriteItemsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
    visit.Optional("ItemCollectionMetrics", output.item_collection_metrics);
  }
};

template struct Body<TransactWriteItemsInput>;
template struct Body<TransactWriteItemsOutput>;

}  // namespace stator::wire
