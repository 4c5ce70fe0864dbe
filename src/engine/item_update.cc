#include "engine/item_update.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/limits.h"
#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/key_paths.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {

Result<void> CheckUpdateAgainstKeys(const Table& table, const expression::Update& update) {
  for (const std::string_view attribute : update.WrittenAttributes()) {
    if (table.IsKeyAttribute(attribute)) {
      return Invalid("One or more parameter values were invalid: Cannot update attribute " +
                     std::string(attribute) + ". This attribute is part of the key");
    }
  }
  return CheckKeyPaths(table, update);
}

namespace {

using Action = expression::UpdateAction;

// What an action leaves behind: the name that its path ends with, and what stands there.
std::size_t WrittenBytes(const expression::Update& update, const Action& action,
                         const Item& after) {
  const expression::UpdateTree& tree = update.tree();
  const expression::Path path = tree.paths[action.path];
  const expression::PathStep last = tree.symbols.StepsOf(path).back();
  const AttributeValue* value = expression::FindPath(tree.symbols, update.bindings(), path, &after);
  return (value == nullptr ? 0 : value::SizeOf(*value)) +
         (last.is_index ? 0 : update.bindings().names[last.number].size());
}

// An attribute that is set to what another one holds, or to what is computed.
bool IsComputed(const expression::Update& update, std::string_view attribute) {
  const expression::UpdateTree& tree = update.tree();
  return std::ranges::any_of(tree.actions, [&](const Action& action) {
    const expression::Path path = tree.paths[action.path];
    const std::uint32_t name = tree.symbols.StepsOf(path).front().number;
    return action.kind == Action::Kind::kSet && path.step_count == 1 &&
           update.bindings().names[name] == attribute &&
           tree.operands[action.operand].kind != expression::UpdateOperand::Kind::kValue;
  });
}

Result<void> CheckComputedKeys(const Table& table, const expression::Update& update,
                               const Item& after) {
  for (const Index& index : table.indexes) {
    for (const KeyAttribute& attribute : index.KeyAttributes()) {
      const AttributeValue* value = after.Find(attribute.name);
      if (value != nullptr && value->type() != ValueType(attribute.type) &&
          IsComputed(update, attribute.name)) {
        return Invalid(
            "The update expression attempted to update the secondary index key to unsupported "
            "type");
      }
    }
  }
  return {};
}

}  // namespace

Result<void> CheckStatementSize(const expression::Update& update, const Item& after) {
  constexpr std::size_t kStatementBytes = 3;
  constexpr std::size_t kWriteBytes = 19;
  constexpr std::size_t kRemovalBytes = 2;
  std::size_t bytes = kStatementBytes;
  for (const Action& action : update.tree().actions) {
    if (action.kind == Action::Kind::kRemove || action.kind == Action::Kind::kDelete) {
      bytes += kRemovalBytes;
      continue;
    }
    const expression::Path path = update.tree().paths[action.path];
    const bool through_list =
        std::ranges::any_of(update.tree().symbols.StepsOf(path), &expression::PathStep::is_index);
    bytes += kWriteBytes + (through_list ? 1 : 0) + WrittenBytes(update, action, after);
  }
  if (bytes > limits::kItemBytesMax) {
    return Fail(ErrorCode::kTooLarge, "Item size to update has exceeded the maximum allowed size");
  }
  return {};
}

Result<std::optional<Item>> UpdatedItem(const Table& table,
                                        const std::optional<expression::Update>& update,
                                        const std::optional<Item>& before, const Item& key) {
  if (!update) {
    return before ? before : std::optional(key);
  }
  if (!before && !update->CreatesItem()) {
    return std::nullopt;
  }
  Item after = TRY(update->Apply(before ? &*before : nullptr, key));
  TRY_VOID(CheckComputedKeys(table, *update, after));
  TRY_VOID(CheckUpdatedIndexKeys(table, after));
  TRY_VOID(value::CheckItem(after));
  TRY_VOID(CheckUpdatedItemSize(after));
  return after;
}

std::optional<Item> ReturnedItem(ReturnValues wanted,
                                 const std::optional<expression::Update>& update,
                                 std::optional<Item> before, std::optional<Item> after) {
  const auto unless_empty = [](Item item) {
    return item.empty() ? std::nullopt : std::optional(std::move(item));
  };
  switch (wanted) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return before;
    case ReturnValues::kAllNew:
      return after;
    case ReturnValues::kUpdatedOld:
      return update && before ? unless_empty(update->UpdatedOld(&*before)) : std::nullopt;
    case ReturnValues::kUpdatedNew:
      return update && after ? unless_empty(update->UpdatedNew(*after)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace stator::engine
