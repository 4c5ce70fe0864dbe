// One write of one item, in one form for all kinds: an action of a transaction, or a statement.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/capacity.h"
#include "engine/engine_core.h"
#include "engine/pending_write.h"
#include "engine/table.h"
#include "engine/writer_view.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "stator/api/common.h"
#include "stator/base/result.h"

namespace stator::engine {

enum class ActionKind : std::uint8_t {
  kCheck,
  kPut,
  kInsert,  // a put that takes a free place only
  kDelete,
  kUpdate,
};

struct ItemAction {
  ActionKind kind = ActionKind::kCheck;
  const std::string* table_name = nullptr;  // as the request has it
  const Item* key = nullptr;                // the key, or the whole item of a put
  std::optional<expression::Condition> condition;
  // Whether the condition is about an item that is there, and nothing to do is success.
  bool allows_absence = false;
  std::optional<expression::Update> update;
  ReturnValuesOnConditionCheckFailure on_failure = ReturnValuesOnConditionCheckFailure::kNone;

  TablePtr table;
  std::string item_key;

  // What the members above point into, where it is not the request.
  std::unique_ptr<const Item> owned_key;
  std::shared_ptr<const void> owned_statement;
};

// What an action makes of its item.
struct ActionChange {
  std::optional<Item> before;
  std::optional<Item> updated;  // of an update

  // Null when there is no item afterwards.
  [[nodiscard]] const Item* After(const ItemAction& action) const;
};

// Fails with why it cannot: kConditionFailed, kDuplicateItem, kValidation of an update.
Result<ActionChange> DecideAction(const ItemAction& action, WriterView& view);

// Adds the rows of the change to `write`, what it costs to `usage`.
void ApplyAction(EngineCore& core, const ItemAction& action, const ActionChange& change,
                 WriterView& view, PendingWrite& write, Usage& usage);

}  // namespace stator::engine
