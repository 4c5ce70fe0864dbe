#include <algorithm>
#include <map>
#include <utility>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/contributors.h"
#include "engine/item_store.h"
#include "engine/seen_keys.h"
#include "engine/statement_action.h"
#include "engine/write_operations.h"
#include "stator/api/error_details.h"
#include "value/size.h"

namespace stator::engine {
namespace {

constexpr std::string_view kValidationError = "ValidationError";

// Nothing for what fails the whole request.
std::optional<std::string_view> CodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
    case ErrorCode::kTooLarge:
    case ErrorCode::kIndexNotFound:
      return kValidationError;
    case ErrorCode::kTableNotFound:
    case ErrorCode::kResourceNotFound:
      return "ResourceNotFound";
    case ErrorCode::kConditionFailed:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItem:
      return "DuplicateItem";
    case ErrorCode::kItemCollectionTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    default:
      return std::nullopt;
  }
}

// Makes the error the answer to one statement. Those that are about a table or an item name it.
Result<void> Record(const Error& error, const std::string& table,
                    BatchStatementResponse& response) {
  const std::optional<std::string_view> code = CodeOf(error.code);
  if (!code) {
    return std::unexpected(error);
  }
  response.error = BatchStatementError{.code = std::string(*code), .message = error.message};
  response.table_name.reset();
  if (code != kValidationError) {
    response.table_name = table;
  }
  if (const auto* detail = dynamic_cast<const ConditionFailedDetail*>(error.detail.get())) {
    response.error->item = detail->item;
  }
  return {};
}

struct ParsedBatch {
  bool is_read = true;
  std::vector<StatementPtr> statements;  // null for those that are none
  std::vector<BatchStatementResponse> responses;
};

Result<StatementPtr> FindMember(EngineCore& core, const BatchStatementRequest& request) {
  StatementPtr statement = TRY(FindStatement(core, request.statement));
  if (statement->If<partiql::Exists>() != nullptr ||
      statement->If<partiql::Unsupported>() != nullptr) {
    return Invalid(std::string(kExistsOnlyInTransactions));
  }
  return statement;
}

// Statements that are none take no part in what is said about all.
Result<ParsedBatch> Parse(EngineCore& core, const BatchExecuteStatementInput& input) {
  ParsedBatch batch;
  batch.responses.resize(input.statements.size());
  std::optional<bool> is_read;
  for (std::size_t at = 0; at < input.statements.size(); ++at) {
    Result<StatementPtr> statement = FindMember(core, input.statements[at]);
    if (!statement) {
      TRY_VOID(Record(statement.error(), "", batch.responses[at]));
      batch.statements.push_back(nullptr);
      continue;
    }
    if (is_read.value_or((*statement)->is_read()) != (*statement)->is_read()) {
      return Invalid("Read and write requests together in the same batch is not supported.");
    }
    is_read = (*statement)->is_read();
    batch.statements.push_back(*std::move(statement));
  }
  batch.is_read = is_read.value_or(true);
  return batch;
}

// Plans each statement with `plan(request, statement)`, which tells the key of its item, or what is
// wrong.
template <class Plan>
Result<void> PlanEach(const BatchExecuteStatementInput& input, const ParsedBatch& batch,
                      std::vector<BatchStatementResponse>& responses, Plan plan) {
  SeenKeys seen;
  for (std::size_t at = 0; at < batch.statements.size(); ++at) {
    if (batch.statements[at] == nullptr) {
      continue;
    }
    const std::string& table = batch.statements[at]->table();
    const Result<std::string> item_key = plan(at, input.statements[at], batch.statements[at]);
    if (!item_key) {
      TRY_VOID(Record(item_key.error(), table, responses[at]));
      continue;
    }
    if (!seen.Add(*item_key)) {
      return Invalid("Provided list of item keys contains duplicates");
    }
    responses[at].table_name = table;
  }
  return {};
}

using Usages = std::map<std::string, Usage>;  // by table

Usage& UsageOf(const std::string& table, Usage::Kind kind, Usages& usages) {
  return usages.try_emplace(table, table, kind).first->second;
}

std::vector<ConsumedCapacity> Report(const Usages& usages, ReturnConsumedCapacity wanted) {
  std::vector<ConsumedCapacity> reports;
  for (const auto& [name, usage] : usages) {
    if (auto report = usage.Report(wanted)) {
      reports.push_back(*std::move(report));
    }
  }
  return reports;
}

Result<BatchExecuteStatementOutput> ReadAll(EngineCore& core,
                                            const BatchExecuteStatementInput& input,
                                            ParsedBatch batch) {
  std::vector<std::optional<StatementRead>> reads(batch.statements.size());
  const auto plan_read = [&](std::size_t at, const BatchStatementRequest& request,
                             const StatementPtr& statement) -> Result<std::string> {
    reads[at] =
        TRY(PlanStatementRead(core, statement, request.parameters, "BatchExecuteStatement"));
    return reads[at]->item_key;
  };
  TRY_VOID(PlanEach(input, batch, batch.responses, plan_read));
  BatchExecuteStatementOutput output;
  Usages usages;
  for (std::size_t at = 0; at < reads.size(); ++at) {
    if (!reads[at]) {
      continue;
    }
    std::optional<Item> item =
        TRY(FetchItem(core, reads[at]->item_key, MomentOf(*reads[at]->table)));
    const double units =
        ReadUnits(item ? value::SizeOfItem(*item) : 0, input.statements[at].consistent_read);
    UsageOf(batch.statements[at]->table(), Usage::Kind::kRead, usages).AddTable(units);
    if (reads[at]->table->contributors) {
      reads[at]->table->contributors->CountItem(reads[at]->item_key, units);
    }
    if (item) {
      batch.responses[at].item = reads[at]->Show(*std::move(item));
    }
  }
  output.responses = std::move(batch.responses);
  output.consumed_capacity = Report(usages, input.return_consumed_capacity);
  return output;
}

// What a statement that failed is charged: the larger of the item that is there and its own.
double UnitsOfFailure(const ItemAction& action, const std::optional<Item>& before) {
  std::size_t bytes = before ? value::SizeOfItem(*before) : 0;
  if (action.kind == ActionKind::kInsert) {
    bytes = std::max(bytes, value::SizeOfItem(*action.key));
  }
  return WriteUnits(bytes);
}

}  // namespace

Result<std::optional<BatchExecuteStatementOutput>> ReadBatchExecuteStatement(
    EngineCore& core, const BatchExecuteStatementInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  ParsedBatch batch = TRY(Parse(core, input));
  if (!batch.is_read) {
    return std::nullopt;
  }
  return TRY(ReadAll(core, input, std::move(batch)));
}

Result<StatementBatchPlan> PlanBatchExecuteStatement(EngineCore& core,
                                                     const BatchExecuteStatementInput& input) {
  ParsedBatch batch = TRY(Parse(core, input));
  StatementBatchPlan plan;
  plan.members.resize(batch.statements.size());
  plan.responses = std::move(batch.responses);
  std::size_t bytes = 0;
  std::size_t indexes = 0;
  const auto plan_write = [&](std::size_t at, const BatchStatementRequest& request,
                              const StatementPtr& statement) -> Result<std::string> {
    plan.members[at] = TRY(PlanStatement(core, statement, request.parameters,
                                         request.return_values_on_condition_check_failure));
    const ItemAction& action = plan.members[at]->action;
    bytes += value::SizeOfItem(*action.key);
    indexes = std::max(indexes, action.table->indexes.size());
    return action.item_key;
  };
  TRY_VOID(PlanEach(input, batch, plan.responses, plan_write));
  plan.is_heavy = IsHeavy(bytes, indexes);
  return plan;
}

// As in BatchWriteItem the writes share one commit; the answers are of each.
Result<BatchExecuteStatementOutput> DecideBatchExecuteStatement(
    EngineCore& core, const BatchExecuteStatementInput& input, const StatementBatchPlan& plan,
    WriterView& view, PendingWrite& write) {
  BatchExecuteStatementOutput output;
  output.responses = plan.responses;
  Usages usages;
  std::map<std::string, double> failed;
  for (std::size_t at = 0; at < plan.members.size(); ++at) {
    if (!plan.members[at]) {
      continue;
    }
    const ItemAction& action = plan.members[at]->action;
    Result<ActionChange> change = DecideAction(action, view);
    if (!change) {
      TRY_VOID(Record(change.error(), *action.table_name, output.responses[at]));
      const std::optional<Item> before = TRY(view.ReadItem(*action.table, action.item_key));
      failed[*action.table_name] += UnitsOfFailure(action, before);
      continue;
    }
    ApplyAction(core, action, *change, view, write,
                UsageOf(*action.table_name, Usage::Kind::kWrite, usages));
    output.responses[at].item = Returned(*plan.members[at], *std::move(change));
  }
  for (const auto& [name, units] : failed) {
    if (const auto usage = usages.find(name); usage != usages.end()) {
      usage->second.AddFailed(units);
    }
  }
  output.consumed_capacity = Report(usages, input.return_consumed_capacity);
  return output;
}

}  // namespace stator::engine
