// RestoreTableFromBackup and RestoreTableToPointInTime: a new table with the items of another one as they
// were. It is CREATING, and without items, until all of them are there.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/base/clock.h"

namespace stator {

// What the new table has in place of what the other one had. A list of indexes that is there and empty
// means none; every index of a list is one that the other table had, perhaps under another name.
struct RestoreOverrides {
  std::optional<BillingMode> billing_mode_override = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_index_override = std::nullopt;
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_index_override = std::nullopt;
  std::optional<ProvisionedThroughput> provisioned_throughput_override = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput_override = std::nullopt;
  std::optional<SseSpecification> sse_specification_override = std::nullopt;
};

struct RestoreTableFromBackupInput {
  std::string target_table_name;
  std::string backup_arn;
  RestoreOverrides overrides = {};
};
struct RestoreTableFromBackupOutput {
  TableDescription table_description = {};
};

// Of a table with point-in-time recovery. Exactly one of the sources, and one of the times.
struct RestoreTableToPointInTimeInput {
  std::string target_table_name;
  std::optional<std::string> source_table_name = std::nullopt;
  std::optional<std::string> source_table_arn = std::nullopt;
  std::optional<bool> use_latest_restorable_time = std::nullopt;
  std::optional<TimePoint> restore_date_time = std::nullopt;
  RestoreOverrides overrides = {};
};
struct RestoreTableToPointInTimeOutput {
  TableDescription table_description = {};
};

}  // namespace stator
