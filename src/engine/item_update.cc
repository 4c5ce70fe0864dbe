#include "engine/item_update.h"

#include <string>

#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/request_expressions.h"
#include "value/check_value.h"

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
  TRY_VOID(CheckUpdatedIndexKeys(table, after));
  TRY_VOID(value::CheckItem(after));
  TRY_VOID(CheckUpdatedItemSize(after));
  return after;
}

}  // namespace stator::engine
