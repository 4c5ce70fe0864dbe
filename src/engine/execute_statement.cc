#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/select_statement.h"
#include "engine/statement_action.h"
#include "engine/write_operations.h"

namespace stator::engine {

Result<std::optional<ExecuteStatementOutput>> ReadExecuteStatement(
    EngineCore& core, const ExecuteStatementInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const StatementPtr statement = TRY(FindStatement(core, input.statement));
  if (const auto* select = statement->If<partiql::Select>()) {
    TRY_VOID(partiql::CheckParameters(*statement, input.parameters));
    return TRY(
        RunSelect(core, input, partiql::BoundStatement(*statement, input.parameters), *select));
  }
  if (statement->If<partiql::Exists>() != nullptr) {
    return Invalid(std::string(kExistsOnlyInTransactions));
  }
  if (input.as_of) {
    return Invalid("Only a SELECT can be of a moment; what was is not changed");
  }
  if (input.next_token) {
    return Invalid("NextToken does not match request");
  }
  return std::nullopt;
}

Result<StatementPlan> PlanExecuteStatement(EngineCore& core, const ExecuteStatementInput& input) {
  return PlanStatement(core, TRY(FindStatement(core, input.statement)), input.parameters,
                       input.return_values_on_condition_check_failure);
}

Result<ExecuteStatementOutput> DecideExecuteStatement(EngineCore& core,
                                                      const ExecuteStatementInput& input,
                                                      const StatementPlan& plan, WriterView& view,
                                                      PendingWrite& write) {
  ActionChange change = TRY(DecideAction(plan.action, view));
  Usage usage(*plan.action.table_name, Usage::Kind::kWrite);
  ApplyAction(core, plan.action, change, view, write, usage);
  ExecuteStatementOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  if (std::optional<Item> returned = Returned(plan, std::move(change))) {
    output.items.push_back(*std::move(returned));
  }
  return output;
}

}  // namespace stator::engine
