#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/idempotency.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/request_expressions.h"
#include "engine/transaction.h"
#include "engine/write_operations.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {
namespace {

const Item& KeyIn(const TransactPut& put) {
  return put.item;
}
template <class Keyed>
const Item& KeyIn(const Keyed& action) {
  return action.key;
}

template <class Each>
constexpr ActionKind KindOf() {
  if constexpr (std::is_same_v<Each, TransactPut>) {
    return ActionKind::kPut;
  } else if constexpr (std::is_same_v<Each, TransactDelete>) {
    return ActionKind::kDelete;
  } else if constexpr (std::is_same_v<Each, TransactUpdate>) {
    return ActionKind::kUpdate;
  } else {
    return ActionKind::kCheck;
  }
}

template <class Each>
Result<TransactAction> CheckAction(Core& core, const Each& each) {
  TransactAction action;
  action.kind = KindOf<Each>();
  action.table_name = &each.table_name;
  action.key = &KeyIn(each);
  action.on_failure = each.return_values_on_condition_check_failure;
  const std::optional<std::string> condition_text = each.condition_expression;
  std::vector<expression::Parameter> expressions;
  if constexpr (KindOf<Each>() == ActionKind::kUpdate) {
    expressions.push_back({"UpdateExpression", true});
  }
  expressions.push_back({"ConditionExpression", condition_text.has_value()});
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {},
      .expression = std::move(expressions),
      .names = each.expression_attribute_names,
      .values = each.expression_attribute_values ? &*each.expression_attribute_values : nullptr,
  }));
  TRY_VOID(value::CheckItem(*action.key));
  if constexpr (KindOf<Each>() == ActionKind::kPut) {
    TRY_VOID(CheckItemSize(each.item));
  }
  expression::Substitutions substitutions =
      SubstitutionsOf(each.expression_attribute_names, each.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  // They become part of the token's digest, which encodes only what could be stored.
  TRY_VOID(substitutions.CheckValues());
  if constexpr (KindOf<Each>() == ActionKind::kUpdate) {
    action.update = TRY(core.expressions.BindUpdate(each.update_expression, substitutions));
  }
  if (condition_text) {
    action.condition = TRY(core.expressions.BindCondition(expression::ExpressionKind::kCondition,
                                                          *condition_text, substitutions));
  }
  TRY_VOID(substitutions.CheckAllUsed());
  return action;
}

Result<std::vector<TransactAction>> CheckActions(Core& core, const TransactWriteItemsInput& input,
                                                 std::size_t& bytes) {
  std::vector<TransactAction> actions;
  actions.reserve(input.transact_items.size());
  for (const TransactWriteItem& item : input.transact_items) {
    actions.push_back(
        TRY(std::visit([&](const auto& each) { return CheckAction(core, each); }, item)));
    bytes += value::SizeOfItem(*actions.back().key);
  }
  if (bytes > limits::kTransactionBytesMax) {
    return Invalid("Transaction payload size cannot exceed 4MB. Payload Size: " +
                   std::to_string(bytes));
  }
  return actions;
}

Result<void> CheckAgainstTable(const TransactAction& action) {
  TRY_VOID(action.kind == ActionKind::kPut ? CheckItemKeys(*action.table, *action.key)
                                           : CheckKey(*action.table, *action.key));
  if (action.update) {
    TRY_VOID(CheckUpdateAgainstKeys(*action.table, *action.update));
  }
  if (action.condition) {
    TRY_VOID(CheckKeyPaths(*action.table, *action.condition));
  }
  return {};
}

// Finds tables and rows. A missing table and two actions on one item fail the request; what does
// not fit its table cancels the transaction.
Result<void> FindItems(Core& core, std::vector<TransactAction>& actions) {
  Cancellation cancellation(actions.size());
  std::set<std::string> seen;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    TransactAction& action = actions[at];
    action.table = TRY(core.catalog.Find(*action.table_name));
    if (Result<void> fits = CheckAgainstTable(action); !fits) {
      cancellation.Add(at, fits.error());
      continue;
    }
    action.item_key = ItemKeyOf(*action.table, *action.key);
    if (!seen.insert(action.item_key).second) {
      return Invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return cancellation.ToResult();
}

struct Change {
  std::optional<Item> before;
  std::optional<Item> after;
};

// What the action makes of its item, or why it cannot.
Result<Change> Decide(const TransactAction& action, WriterView& view) {
  Change change{.before = TRY(view.ReadItem(action.item_key)), .after = std::nullopt};
  TRY_VOID(CheckCondition(action.condition, change.before, action.on_failure));
  switch (action.kind) {
    case ActionKind::kCheck:
      change.after = change.before;
      break;
    case ActionKind::kPut:
      change.after = *action.key;
      break;
    case ActionKind::kDelete:
      break;
    case ActionKind::kUpdate:
      change.after = TRY(UpdatedItem(*action.table, action.update, change.before, *action.key));
      break;
  }
  return change;
}

Result<std::vector<Change>> DecideAll(const std::vector<TransactAction>& actions,
                                      WriterView& view) {
  Cancellation cancellation(actions.size());
  std::vector<Change> changes(actions.size());
  for (std::size_t at = 0; at < actions.size(); ++at) {
    Result<Change> change = Decide(actions[at], view);
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

// What each table's part of the transaction cost, by the name that the request used.
class Usages {
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

void Apply(Core& core, const TransactAction& action, const Change& change, WriterView& view,
           PendingWrite& write, Usages& usages) {
  Usage& usage = usages.Of(*action.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *action.table,
               .item_key = action.item_key,
               .before = change.before ? &*change.before : nullptr,
               .after = change.after ? &*change.after : nullptr},
              view, write, usage);
}

// The answer to a repeated request: nothing is written, reading it back costs read units.
Result<TransactWriteItemsOutput> AnswerAgain(const std::vector<TransactAction>& actions,
                                             ReturnConsumedCapacity wanted, WriterView& view) {
  Usages usages;
  for (const TransactAction& action : actions) {
    const std::optional<Item> item = TRY(view.ReadItem(action.item_key));
    usages.Of(*action.table_name, Usage::Kind::kRead)
        .AddTable(ReadUnits(item ? value::SizeOfItem(*item) : 0, true));
  }
  TransactWriteItemsOutput output;
  output.consumed_capacity = usages.Report(wanted);
  return output;
}

}  // namespace

Result<TransactPlan> PlanTransactWriteItems(Core& core, const TransactWriteItemsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TransactPlan plan;
  std::size_t bytes = 0;
  plan.actions = TRY(CheckActions(core, input, bytes));
  TRY_VOID(FindItems(core, plan.actions));
  std::size_t indexes = 0;
  for (const TransactAction& action : plan.actions) {
    indexes = std::max(indexes, action.table->indexes.size());
  }
  plan.is_heavy = IsHeavy(bytes, indexes);
  if (input.client_request_token) {
    plan.token_lock = TokenLock(*input.client_request_token);
    plan.digest = RequestDigest(input);
  }
  return plan;
}

Error ConflictOf(const TransactPlan& plan) {
  Cancellation cancellation(plan.actions.size());
  cancellation.Add(0, {.code = ErrorCode::kTransactionConflict,
                       .message = "Transaction is ongoing for the item"});
  return cancellation.ToResult().error();
}

Result<TransactWriteItemsOutput> DecideTransactWriteItems(Core& core,
                                                          const TransactWriteItemsInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write) {
  const std::optional<std::string>& token = input.client_request_token;
  if (token && TRY(LookUpToken(core, *token, plan.digest, view)) == TokenState::kFinished) {
    return AnswerAgain(plan.actions, input.return_consumed_capacity, view);
  }
  const std::vector<Change> changes = TRY(DecideAll(plan.actions, view));

  TransactWriteItemsOutput output;
  Usages usages;
  for (std::size_t at = 0; at < plan.actions.size(); ++at) {
    const TransactAction& action = plan.actions[at];
    Apply(core, action, changes[at], view, write, usages);
    if (auto metrics =
            CollectionMetrics(*action.table, *action.key, input.return_item_collection_metrics)) {
      output.item_collection_metrics[*action.table_name].push_back(*std::move(metrics));
    }
  }
  if (token) {
    RememberToken(core, *token, plan.digest, write);
  }
  output.consumed_capacity = usages.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace stator::engine
