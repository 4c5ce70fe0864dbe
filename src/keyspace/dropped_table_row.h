// A table that is gone and whose rows are not yet: what cleaning up has to know of it. Stored as an
// item; docs/format.md, "Dropped tables", names its attributes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::keyspace {

struct DroppedTableRow {
  std::string name;
  std::optional<std::string> ttl_attribute = std::nullopt;  // whose expiry rows are to be removed
};

void AppendDroppedTableRow(const DroppedTableRow& row, std::string& bytes);
Result<DroppedTableRow> DecodeDroppedTableRow(std::string_view bytes);

}  // namespace stator::keyspace
