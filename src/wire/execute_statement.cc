#include "stator/api/execute_statement.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<ExecuteStatementInput> {
  static constexpr std::string_view kName = "ExecuteStatementInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("Statement", input.statement);
    visit.Optional("Parameters", input.parameters);
    visit.Defaulted("ConsistentRead", input.consistent_read, false);
    visit.Optional("NextToken", input.next_token);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Optional("Limit", input.limit);
    visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                    input.return_values_on_condition_check_failure,
                    ReturnValuesOnConditionCheckFailure::kNone);
  }
};

template <>
struct Shape<ExecuteStatementOutput> {
  static constexpr std::string_view kName = "ExecuteStatementOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Items", output.items);
    visit.Optional("NextToken", output.next_token);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<ExecuteStatementInput>;
template struct Body<ExecuteStatementOutput>;

}  // namespace stator::wire
