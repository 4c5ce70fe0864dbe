// Constraints of the requests that hold statements.

#include <string>

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "base/limits.h"

namespace stator::api {
namespace {

constexpr LengthRange kStatementLength = {1, limits::kStatementLengthMax};
constexpr LengthRange kTokenLength = {1, limits::kNextTokenLengthMax};
constexpr LengthRange kClientTokenLength = {1, limits::kClientRequestTokenLengthMax};
constexpr LengthRange kBatchStatements = {1, limits::kBatchStatementsMax};
constexpr LengthRange kTransactStatements = {1, limits::kTransactionActionsMax};

// Calls `check` with a checker at each element of the list.
template <class Statements>
void CheckStatements(Violations& violations, std::string_view member,
                     const Statements& statements) {
  const MemberPath list = MemberPath::Member(nullptr, member);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const MemberPath element = MemberPath::Element(&list, i);
    if (violations.ReportUnreadable(element)) {
      continue;
    }
    ConstraintChecker checker(violations, &element);
    checker.Text("Statement", statements[i].statement, kStatementLength);
    checker.Read("ReturnValuesOnConditionCheckFailure");
  }
}

}  // namespace

void CheckConstraints(const ExecuteStatementInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("Statement", input.statement, kStatementLength);
  checker.Text("NextToken", input.next_token, kTokenLength);
  checker.Read("ReturnConsumedCapacity");
  checker.AtLeast("Limit", input.limit, 1);
  checker.Read("ReturnValuesOnConditionCheckFailure");
}

void CheckConstraints(const BatchExecuteStatementInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnConsumedCapacity");
  checker.Length("Statements", input.statements.size(), kBatchStatements,
                 PrintedCount(input.statements.size()));
  CheckStatements(violations, "Statements", input.statements);
}

void CheckConstraints(const ExecuteTransactionInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnConsumedCapacity");
  checker.Text("ClientRequestToken", input.client_request_token, kClientTokenLength);
  checker.Length("TransactStatements", input.transact_statements.size(), kTransactStatements,
                 PrintedCount(input.transact_statements.size()));
  CheckStatements(violations, "TransactStatements", input.transact_statements);
}

}  // namespace stator::api
