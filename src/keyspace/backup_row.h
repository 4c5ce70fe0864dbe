// A backup as a row, stored as an item: which table it is of, as it was then, and the moment.
// docs/format.md, "Backups", names its attributes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keyspace/table_row.h"
#include "stator/api/backups.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct BackupRow {
  std::string name;
  BackupType type = BackupType::kUser;
  std::uint64_t time = 0;                           // the commit time of the moment
  std::optional<TimePoint> expires = std::nullopt;  // of system backups
  TableRow table = {};
};

void AppendBackupRow(const BackupRow& row, std::string& bytes);
Result<BackupRow> DecodeBackupRow(std::string_view bytes);

}  // namespace stator::keyspace
