#include "stator/api/batch_execute_statement.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<BatchStatementRequest> {
  static constexpr std::string_view kName = "BatchStatementRequest";
  static void Visit(auto& visit, auto& request) {
    visit.Required("Statement", request.statement);
    visit.Optional("Parameters", request.parameters);
    visit.Defaulted("ConsistentRead", request.consistent_read, false);
    visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                    request.return_values_on_condition_check_failure,
                    ReturnValuesOnConditionCheckFailure::kNone);
  }
};

template <>
struct Shape<BatchExecuteStatementInput> {
  static constexpr std::string_view kName = "BatchExecuteStatementInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("Statements", input.statements);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
  }
};

template <>
struct Shape<BatchStatementError> {
  static constexpr std::string_view kName = "BatchStatementError";
  static void Visit(auto& visit, auto& error) {
    visit.Required("Code", error.code);
    visit.Required("Message", error.message);
    visit.Optional("Item", error.item);
  }
};

template <>
struct Shape<BatchStatementResponse> {
  static constexpr std::string_view kName = "BatchStatementResponse";
  static void Visit(auto& visit, auto& response) {
    visit.Optional("Error", response.error);
    visit.Optional("TableName", response.table_name);
    visit.Optional("Item", response.item);
  }
};

template <>
struct Shape<BatchExecuteStatementOutput> {
  static constexpr std::string_view kName = "BatchExecuteStatementOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Responses", output.responses);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<BatchExecuteStatementInput>;
template struct Body<BatchExecuteStatementOutput>;

}  // namespace stator::wire
