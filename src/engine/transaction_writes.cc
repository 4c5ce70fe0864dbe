#include "engine/transaction_writes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"
#include "engine/cancellation.h"
#include "engine/idempotency.h"
#include "engine/write_operations.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// What each table's part of the transaction cost, by the name that the request used.
class TableUsages {
 public:
  Usage& Of(const std::string& table_name, Usage::Kind kind) {
    return usages_.try_emplace(table_name, table_name, kind).first->second;
  }

  [[nodiscard]] std::vector<ConsumedCapacity> Report(ReturnConsumedCapacity wanted) const {
    std::vector<ConsumedCapacity> reports;
    for (const auto& [name, usage] : usages_) {
      if (auto report = usage.ReportTransaction(wanted)) {
        reports.push_back(*std::move(report));
      }
    }
    return reports;
  }

 private:
  std::map<std::string, Usage> usages_;
};

Result<std::vector<ActionChange>> DecideAll(const std::vector<ItemAction>& actions,
                                            WriterView& view) {
  Cancellation cancellation(actions.size());
  std::vector<ActionChange> changes(actions.size());
  for (std::size_t at = 0; at < actions.size(); ++at) {
    Result<ActionChange> change = DecideAction(actions[at], view);
    if (change) {
      changes[at] = *std::move(change);
    } else if (CancelsTransaction(change.error())) {
      cancellation.Add(at, change.error());
    } else {
      return std::unexpected(std::move(change).error());
    }
  }
  TRY_VOID(cancellation.ToResult());
  return changes;
}

// The answer to a repeated request: nothing is written, reading it back costs read units.
Result<TransactOutcome> AnswerAgain(const std::vector<ItemAction>& actions,
                                    ReturnConsumedCapacity wanted, WriterView& view) {
  PROBE("a transaction is sent again with its token");
  CHECK(!actions.empty());
  TableUsages usages;
  for (const ItemAction& action : actions) {
    const std::optional<Item> item = TRY(view.ReadItem(*action.table, action.item_key));
    usages.Of(*action.table_name, Usage::Kind::kRead)
        .AddTable(ReadUnits(item ? value::SizeOfItem(*item) : 0, true));
  }
  return TransactOutcome{.was_done_before = true, .consumed_capacity = usages.Report(wanted)};
}

}  // namespace

void Weigh(std::size_t bytes, TransactPlan& plan) {
  std::size_t indexes = 0;
  for (const ItemAction& action : plan.actions) {
    indexes = std::max(indexes, action.table->indexes.size());
  }
  plan.is_heavy = IsHeavy(bytes, indexes);
}

Result<TransactOutcome> DecideTransaction(EngineCore& core, const TransactPlan& plan,
                                          ReturnConsumedCapacity wanted, WriterView& view,
                                          PendingWrite& write) {
  if (plan.token &&
      TRY(LookUpToken(core, *plan.token, plan.digest, view)) == TokenState::kFinished) {
    return AnswerAgain(plan.actions, wanted, view);
  }
  const std::vector<ActionChange> changes = TRY(DecideAll(plan.actions, view));
  TableUsages usages;
  for (std::size_t at = 0; at < plan.actions.size(); ++at) {
    const ItemAction& action = plan.actions[at];
    ApplyAction(core, action, changes[at], view, write,
                usages.Of(*action.table_name, Usage::Kind::kWrite));
  }
  if (plan.token) {
    RememberToken(core, *plan.token, plan.digest, write);
  }
  return TransactOutcome{.was_done_before = false, .consumed_capacity = usages.Report(wanted)};
}

Error ConflictOf(const TransactPlan& plan) {
  Cancellation cancellation(plan.actions.size());
  cancellation.Add(0, {.code = ErrorCode::kTransactionConflict,
                       .message = "Transaction is ongoing for the item"});
  return cancellation.ToResult().error();
}

}  // namespace stator::engine
