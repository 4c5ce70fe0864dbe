// Removing an item and everything that belongs to it. The children go first and the item that
// stands for the whole, the sentinel, goes last, and only when no child is left: as long as
// something remains, there is something by which to find it and to try again.
//
//   const CascadeDeleteOutcome outcome = CascadeDelete(database, {
//       .children = {{.table = kFiles, .keys = file_keys}},
//       .sentinel_table = kSessions, .sentinel = session_key,
//   });
//   if (!outcome.complete()) { TryAgainLater(); }

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/access_pattern.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct TableKeys {
  TableLayout table;
  std::vector<Item> keys;
};

struct CascadeDeleteInput {
  std::vector<TableKeys> children;
  TableLayout sentinel_table;
  Item sentinel;
  // Checked when the sentinel is removed, after the children are gone.
  Condition sentinel_condition = {};
  BatchOptions batch = {};
};

struct [[nodiscard]] CascadeDeleteOutcome {
  std::size_t children_removed = 0;
  bool sentinel_removed = false;
  std::vector<TableKeys> remaining = {};
  std::optional<Error> error = std::nullopt;

  [[nodiscard]] bool complete() const { return sentinel_removed; }
};

CascadeDeleteOutcome CascadeDelete(Database& database, CascadeDeleteInput input,
                                   const Environment& environment = {});

// The keys of all items of a partition, expired ones included, without the sentinel's: what
// CascadeDelete takes for an item whose children share its partition key.
Result<TableKeys> KeysOfPartition(Database& database, const AccessPattern& pattern,
                                  const AttributeValue& partition, const Item& without,
                                  const Environment& environment = {});

}  // namespace stator::patterns
