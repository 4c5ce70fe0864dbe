#include <map>
#include <utility>

#include "api/constraints.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/contributors.h"
#include "engine/item_store.h"
#include "engine/seen_keys.h"
#include "engine/statement_action.h"
#include "engine/write_operations.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// Longer than a token of TransactWriteItems can be, so that the two never meet. On disk: it cannot
// change.
constexpr std::string_view kTokenPrefix = "client token of an ExecuteTransaction: ";

Error InStatement(std::size_t at, const Error& error) {
  return {.code = error.code,
          .message = "Validation failed in TransactStatements[" + std::to_string(at) +
                     "]: " + error.message,
          .detail = error.detail};
}

// What is wrong with a statement fails the request, and says with which.
template <class Planned>
Result<Planned> At(std::size_t at, Result<Planned> planned) {
  if (!planned && (planned.error().code == ErrorCode::kValidation ||
                   planned.error().code == ErrorCode::kTooLarge)) {
    return std::unexpected(InStatement(at, planned.error()));
  }
  return planned;
}

Result<std::vector<StatementPtr>> Parse(EngineCore& core, const ExecuteTransactionInput& input) {
  std::vector<StatementPtr> statements;
  statements.reserve(input.transact_statements.size());
  for (std::size_t at = 0; at < input.transact_statements.size(); ++at) {
    statements.push_back(TRY(At(at, FindStatement(core, input.transact_statements[at].statement))));
    if (statements.back()->If<partiql::Unsupported>() != nullptr) {
      return Invalid("Unsupported operation in transaction.");
    }
  }
  for (const StatementPtr& statement : statements) {
    if (statement->is_read() != statements.front()->is_read()) {
      return Invalid(
          "ExecuteTransaction API does not support both read and write operations in the same "
          "request.");
    }
  }
  // Their texts are bare.
  for (const ParameterizedStatement& each : input.transact_statements) {
    TRY_VOID(partiql::CheckParameterValues(each.parameters));
  }
  return statements;
}

// No item twice.
class Items {
 public:
  Result<void> Add(const std::string& item_key) {
    if (!seen_.Add(item_key)) {
      return Invalid("Transaction request cannot include multiple operations on one item");
    }
    return {};
  }

 private:
  SeenKeys seen_;
};

Result<StatementRead> PlanRead(EngineCore& core, const StatementPtr& statement,
                               const ParameterizedStatement& request) {
  if (statement->If<partiql::Select>()->index) {
    return Invalid("Reads on indices are not supported within transactions.");
  }
  return PlanStatementRead(core, statement, request.parameters, "ExecuteTransaction");
}

Result<ExecuteTransactionOutput> ReadAll(EngineCore& core, const ExecuteTransactionInput& input,
                                         const std::vector<StatementPtr>& statements) {
  std::vector<StatementRead> reads;
  Items items;
  for (std::size_t at = 0; at < statements.size(); ++at) {
    reads.push_back(TRY(At(at, PlanRead(core, statements[at], input.transact_statements[at]))));
    TRY_VOID(items.Add(reads.back().item_key));
  }
  ExecuteTransactionOutput output;
  std::map<std::string, Usage> usages;
  const storage::Snapshot snapshot = core.store->TakeSnapshot();
  std::size_t bytes_total = 0;
  for (const StatementRead& read : reads) {
    std::optional<Item> item =
        TRY(FetchItem(core, read.item_key, MomentOf(*read.table, &snapshot)));
    const std::size_t bytes = item ? value::SizeOfItem(*item) : 0;
    bytes_total += bytes;
    if (bytes_total > limits::kTransactionBytesMax) {
      return Invalid("The aggregated size of all items in a transaction cannot exceed 4 MB");
    }
    const std::string& name = read.statement->table();
    usages.try_emplace(name, name, Usage::Kind::kRead)
        .first->second.AddTable(ReadUnits(bytes, true));
    if (read.table->contributors) {
      read.table->contributors->CountItem(read.item_key, 2 * ReadUnits(bytes, true));
    }
    output.responses.push_back(item ? std::optional(read.Show(*std::move(item))) : std::nullopt);
  }
  for (const auto& [name, usage] : usages) {
    if (auto report = usage.ReportTransaction(input.return_consumed_capacity)) {
      output.consumed_capacity.push_back(*std::move(report));
    }
  }
  return output;
}

Result<StatementAction> PlanWrite(EngineCore& core, const StatementPtr& statement,
                                  const ParameterizedStatement& request) {
  StatementAction planned = TRY(PlanStatement(core, statement, request.parameters,
                                              request.return_values_on_condition_check_failure));
  if (planned.returning != ReturnValues::kNone) {
    return Invalid("RETURNING clause is not supported in ExecuteTransaction.");
  }
  return planned;
}

// The same for the same statements with the same parameters.
std::string DigestOf(const ExecuteTransactionInput& input) {
  std::string bytes;
  for (const ParameterizedStatement& each : input.transact_statements) {
    List parameters;
    if (each.parameters) {
      parameters = *each.parameters;
    }
    value::AppendItem(
        Map{{"statement", each.statement},
            {"parameters", std::move(parameters)},
            {"on_failure", static_cast<int>(each.return_values_on_condition_check_failure)}},
        bytes);
  }
  return base::Sha256(bytes);
}

}  // namespace

Result<std::optional<ExecuteTransactionOutput>> ReadExecuteTransaction(
    EngineCore& core, const ExecuteTransactionInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const std::vector<StatementPtr> statements = TRY(Parse(core, input));
  if (!statements.front()->is_read()) {
    return std::nullopt;
  }
  return TRY(ReadAll(core, input, statements));
}

Result<TransactPlan> PlanExecuteTransaction(EngineCore& core,
                                            const ExecuteTransactionInput& input) {
  const std::vector<StatementPtr> statements = TRY(Parse(core, input));
  TransactPlan plan;
  Items items;
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < statements.size(); ++at) {
    StatementAction planned =
        TRY(At(at, PlanWrite(core, statements[at], input.transact_statements[at])));
    TRY_VOID(items.Add(planned.action.item_key));
    bytes += value::SizeOfItem(*planned.action.key);
    plan.actions.push_back(std::move(planned.action));
  }
  if (bytes > limits::kTransactionBytesMax) {
    return Invalid("Transaction payload size cannot exceed 4MB. Payload Size: " +
                   std::to_string(bytes));
  }
  Weigh(bytes, plan);
  if (input.client_request_token) {
    plan.token = std::string(kTokenPrefix) + *input.client_request_token;
    plan.digest = DigestOf(input);
  }
  return plan;
}

Result<ExecuteTransactionOutput> DecideExecuteTransaction(EngineCore& core,
                                                          const ExecuteTransactionInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write) {
  TransactOutcome outcome =
      TRY(DecideTransaction(core, plan, input.return_consumed_capacity, view, write));
  ExecuteTransactionOutput output;
  output.consumed_capacity = std::move(outcome.consumed_capacity);
  return output;
}

}  // namespace stator::engine
