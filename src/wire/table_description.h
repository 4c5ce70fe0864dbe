// A table as answers describe it.

#pragma once

#include "stator/api/table_types.h"
#include "wire/table_shapes.h"

namespace stator::wire {

template <>
struct Shape<ProvisionedThroughputDescription> {
  static constexpr std::string_view kName = "ProvisionedThroughputDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Optional("LastIncreaseDateTime", description.last_increase_date_time);
    visit.Optional("LastDecreaseDateTime", description.last_decrease_date_time);
    visit.Required("NumberOfDecreasesToday", description.number_of_decreases_today);
    visit.Required("ReadCapacityUnits", description.read_capacity_units);
    visit.Required("WriteCapacityUnits", description.write_capacity_units);
  }
};

template <>
struct Shape<WarmThroughputDescription> {
  static constexpr std::string_view kName = "TableWarmThroughputDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Required("ReadUnitsPerSecond", description.read_units_per_second);
    visit.Required("WriteUnitsPerSecond", description.write_units_per_second);
    visit.Required("Status", description.status);
  }
};

template <>
struct Shape<LocalSecondaryIndexDescription> {
  static constexpr std::string_view kName = "LocalSecondaryIndexDescription";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
    visit.Required("IndexSizeBytes", index.index_size_bytes);
    visit.Required("ItemCount", index.item_count);
    visit.Required("IndexArn", index.index_arn);
  }
};

template <>
struct Shape<GlobalSecondaryIndexDescription> {
  static constexpr std::string_view kName = "GlobalSecondaryIndexDescription";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
    visit.Required("IndexStatus", index.index_status);
    visit.Optional("Backfilling", index.backfilling);
    visit.Required("ProvisionedThroughput", index.provisioned_throughput);
    visit.Required("IndexSizeBytes", index.index_size_bytes);
    visit.Required("ItemCount", index.item_count);
    visit.Required("IndexArn", index.index_arn);
    visit.Optional("OnDemandThroughput", index.on_demand_throughput);
    visit.Required("WarmThroughput", index.warm_throughput);
  }
};

template <>
struct Shape<BillingModeSummary> {
  static constexpr std::string_view kName = "BillingModeSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("BillingMode", summary.billing_mode);
    visit.Optional("LastUpdateToPayPerRequestDateTime",
                   summary.last_update_to_pay_per_request_date_time);
  }
};

template <>
struct Shape<TableClassSummary> {
  static constexpr std::string_view kName = "TableClassSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("TableClass", summary.table_class);
    visit.Optional("LastUpdateDateTime", summary.last_update_date_time);
  }
};

template <>
struct Shape<SseDescription> {
  static constexpr std::string_view kName = "SSEDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Text("Status", "ENABLED");
    visit.Required("SSEType", description.sse_type);
    visit.Optional("KMSMasterKeyArn", description.kms_master_key_arn);
  }
};

template <>
struct Shape<RestoreSummary> {
  static constexpr std::string_view kName = "RestoreSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Optional("SourceBackupArn", summary.source_backup_arn);
    visit.Optional("SourceTableArn", summary.source_table_arn);
    visit.Required("RestoreDateTime", summary.restore_date_time);
    visit.Required("RestoreInProgress", summary.restore_in_progress);
  }
};

template <>
struct Shape<TableDescription> {
  static constexpr std::string_view kName = "TableDescription";
  static void Visit(auto& visit, auto& table) {
    visit.Optional("AttributeDefinitions", table.attribute_definitions);
    visit.Required("TableName", table.table_name);
    visit.Optional("KeySchema", table.key_schema);
    visit.Required("TableStatus", table.table_status);
    visit.Optional("CreationDateTime", table.creation_date_time);
    visit.Required("ProvisionedThroughput", table.provisioned_throughput);
    visit.Required("TableSizeBytes", table.table_size_bytes);
    visit.Required("ItemCount", table.item_count);
    visit.Optional("TableArn", table.table_arn);
    visit.Optional("TableId", table.table_id);
    visit.Optional("BillingModeSummary", table.billing_mode_summary);
    visit.Optional("LocalSecondaryIndexes", table.local_secondary_indexes);
    visit.Optional("GlobalSecondaryIndexes", table.global_secondary_indexes);
    visit.Optional("StreamSpecification", table.stream_specification);
    visit.Optional("LatestStreamLabel", table.latest_stream_label);
    visit.Optional("LatestStreamArn", table.latest_stream_arn);
    visit.Optional("SSEDescription", table.sse_description);
    visit.Optional("TableClassSummary", table.table_class_summary);
    visit.Required("DeletionProtectionEnabled", table.deletion_protection_enabled);
    visit.Optional("OnDemandThroughput", table.on_demand_throughput);
    visit.Optional("WarmThroughput", table.warm_throughput);
    visit.Optional("RestoreSummary", table.restore_summary);
  }
};

}  // namespace stator::wire
