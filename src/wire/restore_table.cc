#include "stator/api/restore_table.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {
namespace {

// The overrides stand among the other members.
void VisitOverrides(auto& visit, auto& overrides) {
  visit.Optional("BillingModeOverride", overrides.billing_mode_override);
  visit.Optional("GlobalSecondaryIndexOverride", overrides.global_secondary_index_override);
  visit.Optional("LocalSecondaryIndexOverride", overrides.local_secondary_index_override);
  visit.Optional("ProvisionedThroughputOverride", overrides.provisioned_throughput_override);
  visit.Optional("OnDemandThroughputOverride", overrides.on_demand_throughput_override);
  visit.Optional("SSESpecificationOverride", overrides.sse_specification_override);
  visit.Unsupported("VectorIndexOverride");
}

}  // namespace

template <>
struct Shape<RestoreTableFromBackupInput> {
  static constexpr std::string_view kName = "RestoreTableFromBackupInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TargetTableName", input.target_table_name);
    visit.Required("BackupArn", input.backup_arn);
    VisitOverrides(visit, input.overrides);
  }
};

template <>
struct Shape<RestoreTableFromBackupOutput> {
  static constexpr std::string_view kName = "RestoreTableFromBackupOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

template <>
struct Shape<RestoreTableToPointInTimeInput> {
  static constexpr std::string_view kName = "RestoreTableToPointInTimeInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("SourceTableArn", input.source_table_arn);
    visit.Optional("SourceTableName", input.source_table_name);
    visit.Required("TargetTableName", input.target_table_name);
    visit.Optional("UseLatestRestorableTime", input.use_latest_restorable_time);
    visit.Optional("RestoreDateTime", input.restore_date_time);
    VisitOverrides(visit, input.overrides);
  }
};

template <>
struct Shape<RestoreTableToPointInTimeOutput> {
  static constexpr std::string_view kName = "RestoreTableToPointInTimeOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

template struct Body<RestoreTableFromBackupInput>;
template struct Body<RestoreTableFromBackupOutput>;
template struct Body<RestoreTableToPointInTimeInput>;
template struct Body<RestoreTableToPointInTimeOutput>;

}  // namespace stator::wire
