#include "engine/item_action.h"

#include <utility>

#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_update.h"
#include "engine/item_write.h"

namespace stator::engine {
namespace {

const Item* Pointer(const std::optional<Item>& item) {
  return item ? &*item : nullptr;
}

}  // namespace

const Item* ActionChange::After(const ItemAction& action) const {
  switch (action.kind) {
    case ActionKind::kCheck:
      return Pointer(before);
    case ActionKind::kPut:
    case ActionKind::kInsert:
      return action.key;
    case ActionKind::kDelete:
      return nullptr;
    case ActionKind::kUpdate:
      return Pointer(updated);
  }
  std::unreachable();
}

Result<ActionChange> DecideAction(const ItemAction& action, WriterView& view) {
  ActionChange change{.before = TRY(view.ReadItem(*action.table, action.item_key)),
                      .updated = std::nullopt};
  if (action.kind == ActionKind::kInsert && change.before) {
    return Fail(ErrorCode::kDuplicateItem, "Duplicate primary key exists in table");
  }
  if (change.before || !action.allows_absence) {
    TRY_VOID(CheckCondition(action.condition, change.before, action.on_failure));
  }
  if (action.kind == ActionKind::kUpdate) {
    change.updated = TRY(UpdatedItem(*action.table, action.update, change.before, *action.key));
  }
  return change;
}

void ApplyAction(EngineCore& core, const ItemAction& action, const ActionChange& change,
                 WriterView& view, PendingWrite& write, Usage& usage) {
  ApplyChange(core,
              {.table = *action.table,
               .item_key = action.item_key,
               .before = Pointer(change.before),
               .after = change.After(action)},
              view, write, usage);
}

}  // namespace stator::engine
