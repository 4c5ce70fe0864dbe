// What the patterns have to know about a table. A program says it once, beside the table's name;
// nothing here asks the database, so no program needs the permission to describe tables.
//
//   const TableLayout kUsers{.table_name = "users", .key_attributes = {"pk"}};
//   const TableLayout kSessions{.table_name = "sessions", .key_attributes = {"PK", "SK"},
//                               .expiry_attribute = "expiresAt"};

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct TableLayout {
  std::string table_name;
  // The partition key's name, and the sort key's if there is one.
  std::vector<std::string> key_attributes;
  // Where items hold when they expire (patterns/expiry.h). Declared, it makes every read of the
  // patterns hide what has expired, and every insert take the place of it.
  std::optional<std::string> expiry_attribute = std::nullopt;
  // Items carry a revision (patterns/versioned_items.h), so nothing may overwrite them unseen.
  bool versioned = false;
};

// The key of an item; fails with kValidation when a part of it is missing.
Result<Item> KeyOf(const TableLayout& layout, const Item& item);

// One text per key, equal exactly when the keys are: for maps and for finding duplicates. Numbers
// count as equal whatever way they were written.
std::string KeyText(const Item& key);

// The item of the written key exists, or does not.
Condition ItemExists(const TableLayout& layout);
Condition ItemNotExists(const TableLayout& layout);

}  // namespace stator::patterns
