#include <map>
#include <set>
#include <utility>
#include <variant>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/idempotency.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/operations.h"
#include "engine/request_expressions.h"
#include "engine/transaction.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {
namespace {

enum class ActionKind : std::uint8_t { kCheck, kPut, kDelete, kUpdate };

// One action of the request, in one form for all kinds, checked as far as the table is not needed.
struct Action {
  ActionKind kind = ActionKind::kCheck;
  const std::string* table_name = nullptr;
  const Item* key = nullptr;  // the key, or the whole item of a put
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;
  ReturnValuesOnConditionCheckFailure on_failure = ReturnValuesOnConditionCheckFailure::kNone;

  TablePtr table;
  std::string item_key;
};

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
Result<Action> CheckAction(Core& core, const Each& each) {
  Action action;
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

Result<std::vector<Action>> CheckActions(Core& core, const TransactWriteItemsInput& input) {
  std::vector<Action> actions;
  actions.reserve(input.transact_items.size());
  std::size_t bytes = 0;
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

Result<void> CheckAgainstTable(const Action& action) {
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
Result<void> FindItems(Core& core, std::vector<Action>& actions) {
  Cancellation cancellation(actions.size());
  std::set<std::string> seen;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    Action& action = actions[at];
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
Result<Change> Decide(Core& core, const Action& action) {
  Change change{.before = TRY(ReadItem(core, action.item_key)), .after = std::nullopt};
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

Result<std::vector<Change>> DecideAll(Core& core, const std::vector<Action>& actions) {
  Cancellation cancellation(actions.size());
  std::vector<Change> changes(actions.size());
  for (std::size_t at = 0; at < actions.size(); ++at) {
    Result<Change> change = Decide(core, actions[at]);
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

// A conflict over a lock is reported like one that the service finds: by action.
Result<KeyLocks::Held> LockAll(Core& core, const std::vector<Action>& actions,
                               const std::optional<std::string>& token) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(actions.size() + 1);
  for (const Action& action : actions) {
    hashes.push_back(KeyLocks::HashOf(action.item_key));
  }
  if (token) {
    hashes.push_back(TokenLock(*token));
  }
  Result<KeyLocks::Held> held = core.locks.Acquire(std::move(hashes), core.lock_wait_max);
  if (!held) {
    Cancellation cancellation(actions.size());
    cancellation.Add(0, held.error());
    return std::unexpected(cancellation.ToResult().error());
  }
  return held;
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

void Apply(Core& core, const Action& action, const Change& change, PendingWrite& write,
           Usages& usages) {
  Usage& usage = usages.Of(*action.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *action.table,
               .item_key = action.item_key,
               .before = change.before ? &*change.before : nullptr,
               .after = change.after ? &*change.after : nullptr},
              write, usage);
}

// The answer to a repeated request: nothing is written, reading it back costs read units.
Result<Prepared<TransactWriteItemsOutput>> AnswerAgain(Core& core,
                                                       const std::vector<Action>& actions,
                                                       ReturnConsumedCapacity wanted) {
  Usages usages;
  for (const Action& action : actions) {
    const std::optional<Item> item = TRY(ReadItem(core, action.item_key));
    usages.Of(*action.table_name, Usage::Kind::kRead)
        .AddTable(ReadUnits(item ? value::SizeOfItem(*item) : 0, true));
  }
  Prepared<TransactWriteItemsOutput> prepared;
  prepared.output.consumed_capacity = usages.Report(wanted);
  return prepared;
}

}  // namespace

Result<Prepared<TransactWriteItemsOutput>> PrepareTransactWriteItems(
    Core& core, const TransactWriteItemsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  std::vector<Action> actions = TRY(CheckActions(core, input));
  TRY_VOID(FindItems(core, actions));

  const std::optional<std::string>& token = input.client_request_token;
  KeyLocks::Held held = TRY(LockAll(core, actions, token));
  std::string digest;
  if (token) {
    digest = RequestDigest(input);
    if (TRY(LookUpToken(core, *token, digest)) == TokenState::kFinished) {
      return AnswerAgain(core, actions, input.return_consumed_capacity);
    }
  }
  const std::vector<Change> changes = TRY(DecideAll(core, actions));

  Prepared<TransactWriteItemsOutput> prepared;
  prepared.write.locks = std::move(held);
  Usages usages;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    const Action& action = actions[at];
    Apply(core, action, changes[at], prepared.write, usages);
    prepared.write.tables.push_back(action.table);
    if (auto metrics =
            CollectionMetrics(*action.table, *action.key, input.return_item_collection_metrics)) {
      prepared.output.item_collection_metrics[*action.table_name].push_back(*std::move(metrics));
    }
  }
  if (token) {
    RememberToken(core, *token, digest, prepared.write.batch);
  }
  prepared.output.consumed_capacity = usages.Report(input.return_consumed_capacity);
  return prepared;
}

}  // namespace stator::engine
