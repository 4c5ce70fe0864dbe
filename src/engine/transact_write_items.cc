#include <utility>
#include <variant>

#include "base/try.h"
#include "engine/cancellation.h"
#include "engine/idempotency.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/key_paths.h"
#include "engine/seen_keys.h"
#include "engine/write_operations.h"
#include "request/checks.h"
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
ItemAction ActionOf(const Each& each, request::WriteExpressions expressions) {
  ItemAction action;
  action.kind = KindOf<Each>();
  action.table_name = &each.table_name;
  action.key = &KeyIn(each);
  action.on_failure = each.return_values_on_condition_check_failure;
  action.condition = std::move(expressions.condition);
  action.update = std::move(expressions.update);
  return action;
}

std::vector<ItemAction> ActionsOf(const TransactWriteItemsInput& input,
                                  std::vector<request::WriteExpressions> expressions,
                                  std::size_t& bytes) {
  std::vector<ItemAction> actions;
  actions.reserve(input.transact_items.size());
  for (const TransactWriteItem& item : input.transact_items) {
    request::WriteExpressions& own = expressions[actions.size()];
    actions.push_back(
        std::visit([&](const auto& each) { return ActionOf(each, std::move(own)); }, item));
    bytes += value::SizeOfItem(*actions.back().key);
  }
  return actions;
}

Result<void> CheckAgainstTable(const ItemAction& action) {
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
Result<void> FindItems(EngineCore& core, std::vector<ItemAction>& actions) {
  Cancellation cancellation(actions.size());
  SeenKeys seen;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    ItemAction& action = actions[at];
    action.table = TRY(core.catalog.Find(*action.table_name));
    TRY_VOID(CheckKeyNotEmpty(*action.table, *action.key));
    if (Result<void> fits = CheckAgainstTable(action); !fits) {
      cancellation.Add(at, fits.error());
      continue;
    }
    action.item_key = ItemKeyOf(*action.table, *action.key);
    if (!seen.Add(action.item_key)) {
      return Invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return cancellation.ToResult();
}

}  // namespace

Result<TransactPlan> PlanTransactWriteItems(EngineCore& core,
                                            const TransactWriteItemsInput& input) {
  TransactPlan plan;
  std::size_t bytes = 0;
  plan.actions = ActionsOf(input, TRY(request::Check(input, core.expressions)), bytes);
  TRY_VOID(FindItems(core, plan.actions));
  Weigh(bytes, plan);
  if (input.client_request_token) {
    plan.token = input.client_request_token;
    plan.digest = RequestDigest(input);
  }
  return plan;
}

Result<TransactWriteItemsOutput> DecideTransactWriteItems(EngineCore& core,
                                                          const TransactWriteItemsInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write) {
  TransactOutcome outcome =
      TRY(DecideTransaction(core, plan, input.return_consumed_capacity, view, write));
  TransactWriteItemsOutput output;
  output.consumed_capacity = std::move(outcome.consumed_capacity);
  if (outcome.was_done_before) {
    return output;
  }
  for (const ItemAction& action : plan.actions) {
    if (auto metrics =
            CollectionMetrics(*action.table, *action.key, input.return_item_collection_metrics)) {
      output.item_collection_metrics[*action.table_name].push_back(*std::move(metrics));
    }
  }
  return output;
}

}  // namespace stator::engine
