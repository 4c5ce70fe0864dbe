#include "stator/api/backups.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<BackupDetails> {
  static constexpr std::string_view kName = "BackupDetails";
  static void Visit(auto& visit, auto& details) {
    visit.Required("BackupArn", details.backup_arn);
    visit.Required("BackupName", details.backup_name);
    visit.Required("BackupSizeBytes", details.backup_size_bytes);
    visit.Required("BackupStatus", details.backup_status);
    visit.Required("BackupType", details.backup_type);
    visit.Required("BackupCreationDateTime", details.backup_creation_date_time);
    visit.Optional("BackupExpiryDateTime", details.backup_expiry_date_time);
  }
};

template <>
struct Shape<SourceTableDetails> {
  static constexpr std::string_view kName = "SourceTableDetails";
  static void Visit(auto& visit, auto& table) {
    visit.Required("TableName", table.table_name);
    visit.Required("TableId", table.table_id);
    visit.Optional("TableArn", table.table_arn);
    visit.Required("TableSizeBytes", table.table_size_bytes);
    visit.Required("KeySchema", table.key_schema);
    visit.Required("TableCreationDateTime", table.table_creation_date_time);
    visit.Required("ProvisionedThroughput", table.provisioned_throughput);
    visit.Optional("OnDemandThroughput", table.on_demand_throughput);
    visit.Required("ItemCount", table.item_count);
    visit.Required("BillingMode", table.billing_mode);
  }
};

template <>
struct Shape<LocalSecondaryIndexInfo> {
  static constexpr std::string_view kName = "LocalSecondaryIndexInfo";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
  }
};

template <>
struct Shape<GlobalSecondaryIndexInfo> {
  static constexpr std::string_view kName = "GlobalSecondaryIndexInfo";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
    visit.Optional("ProvisionedThroughput", index.provisioned_throughput);
    visit.Optional("OnDemandThroughput", index.on_demand_throughput);
  }
};

template <>
struct Shape<TimeToLiveDescription> {
  static constexpr std::string_view kName = "TimeToLiveDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Required("TimeToLiveStatus", description.time_to_live_status);
    visit.Optional("AttributeName", description.attribute_name);
  }
};

template <>
struct Shape<SourceTableFeatureDetails> {
  static constexpr std::string_view kName = "SourceTableFeatureDetails";
  static void Visit(auto& visit, auto& features) {
    visit.Optional("LocalSecondaryIndexes", features.local_secondary_indexes);
    visit.Optional("GlobalSecondaryIndexes", features.global_secondary_indexes);
    visit.Optional("StreamDescription", features.stream_description);
    visit.Optional("TimeToLiveDescription", features.time_to_live_description);
    visit.Optional("SSEDescription", features.sse_description);
  }
};

template <>
struct Shape<BackupDescription> {
  static constexpr std::string_view kName = "BackupDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Required("BackupDetails", description.backup_details);
    visit.Required("SourceTableDetails", description.source_table_details);
    visit.Required("SourceTableFeatureDetails", description.source_table_feature_details);
  }
};

template <>
struct Shape<BackupSummary> {
  static constexpr std::string_view kName = "BackupSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("TableName", summary.table_name);
    visit.Required("TableId", summary.table_id);
    visit.Required("TableArn", summary.table_arn);
    visit.Required("BackupArn", summary.backup_arn);
    visit.Required("BackupName", summary.backup_name);
    visit.Required("BackupCreationDateTime", summary.backup_creation_date_time);
    visit.Optional("BackupExpiryDateTime", summary.backup_expiry_date_time);
    visit.Required("BackupStatus", summary.backup_status);
    visit.Required("BackupType", summary.backup_type);
    visit.Required("BackupSizeBytes", summary.backup_size_bytes);
  }
};

template <>
struct Shape<CreateBackupInput> {
  static constexpr std::string_view kName = "CreateBackupInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("BackupName", input.backup_name);
  }
};

template <>
struct Shape<CreateBackupOutput> {
  static constexpr std::string_view kName = "CreateBackupOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("BackupDetails", output.backup_details);
  }
};

template <>
struct Shape<DescribeBackupInput> {
  static constexpr std::string_view kName = "DescribeBackupInput";
  static void Visit(auto& visit, auto& input) { visit.Required("BackupArn", input.backup_arn); }
};

template <>
struct Shape<DescribeBackupOutput> {
  static constexpr std::string_view kName = "DescribeBackupOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("BackupDescription", output.backup_description);
  }
};

template <>
struct Shape<DeleteBackupInput> {
  static constexpr std::string_view kName = "DeleteBackupInput";
  static void Visit(auto& visit, auto& input) { visit.Required("BackupArn", input.backup_arn); }
};

template <>
struct Shape<DeleteBackupOutput> {
  static constexpr std::string_view kName = "DeleteBackupOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("BackupDescription", output.backup_description);
  }
};

template <>
struct Shape<ListBackupsInput> {
  static constexpr std::string_view kName = "ListBackupsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("TableName", input.table_name);
    visit.Optional("Limit", input.limit);
    visit.Optional("TimeRangeLowerBound", input.time_range_lower_bound);
    visit.Optional("TimeRangeUpperBound", input.time_range_upper_bound);
    visit.Optional("ExclusiveStartBackupArn", input.exclusive_start_backup_arn);
    visit.Optional("BackupType", input.backup_type);
  }
};

template <>
struct Shape<ListBackupsOutput> {
  static constexpr std::string_view kName = "ListBackupsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("BackupSummaries", output.backup_summaries);
    visit.Optional("LastEvaluatedBackupArn", output.last_evaluated_backup_arn);
  }
};

template struct Body<CreateBackupInput>;
template struct Body<CreateBackupOutput>;
template struct Body<DescribeBackupInput>;
template struct Body<DescribeBackupOutput>;
template struct Body<DeleteBackupInput>;
template struct Body<DeleteBackupOutput>;
template struct Body<ListBackupsInput>;
template struct Body<ListBackupsOutput>;

}  // namespace stator::wire
