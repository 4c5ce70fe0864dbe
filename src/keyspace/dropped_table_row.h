// A table that is gone and whose rows are not yet: what cleaning up has to know of it, and what it
// was while somebody may still restore it. Stored as an item; docs/format.md, "Dropped tables", names
// its attributes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keyspace/table_row.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct DroppedTableRow {
  std::string name;
  std::optional<std::string> ttl_attribute = std::nullopt;  // whose expiry rows are to be removed
  std::optional<TableRow> table = std::nullopt;             // of one that kept history
  // The commit time behind which nothing was changed; nothing while writes may be under way.
  std::optional<std::uint64_t> dropped_at = std::nullopt;
  bool only_items = false;  // what follows from the items is removed
};

void AppendDroppedTableRow(const DroppedTableRow& row, std::string& bytes);
Result<DroppedTableRow> DecodeDroppedTableRow(std::string_view bytes);

}  // namespace stator::keyspace
