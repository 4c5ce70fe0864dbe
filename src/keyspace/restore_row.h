// How far the restoring or the rewinding of a table has come, as a row, stored as an item.
// docs/format.md, "Restores", names its attributes.

#pragma once

#include <string>
#include <string_view>

#include "keyspace/table_row.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct RestoreRow {
  std::string next;  // of the source's item keys, the first that is not done yet
  Figures figures;   // of what is copied, or of what was taken back
};

void AppendRestoreRow(const RestoreRow& row, std::string& bytes);
Result<RestoreRow> DecodeRestoreRow(std::string_view bytes);

}  // namespace stator::keyspace
