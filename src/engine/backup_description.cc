// Backups as answers describe them; see backups.h.

#include <chrono>
#include <utility>

#include "engine/backups.h"
#include "engine/table_description.h"
#include "engine/table_row.h"

namespace stator::engine {
namespace {

SourceTableDetails SourceOf(const Table& table) {
  return {.table_name = table.name,
          .table_id = table.uuid,
          .table_arn = table.arn,
          .table_size_bytes = table.statistics->bytes,
          .key_schema = KeySchemaOf(table),
          .table_creation_date_time = table.created_at,
          .provisioned_throughput = table.provisioned_throughput,
          .on_demand_throughput = table.on_demand_throughput,
          .item_count = table.statistics->items,
          .billing_mode = table.billing_mode};
}

void DescribeIndexes(const Table& table, SourceTableFeatureDetails& features) {
  for (const Index& index : table.indexes) {
    if (index.global) {
      if (!features.global_secondary_indexes) {
        features.global_secondary_indexes.emplace();
      }
      features.global_secondary_indexes->push_back(
          {.index_name = index.name,
           .key_schema = KeySchemaOf(index),
           .projection = ProjectionOf(index),
           .provisioned_throughput =
               index.provisioned_throughput.value_or(ProvisionedThroughput{0, 0}),
           .on_demand_throughput = index.on_demand_throughput});
    } else {
      if (!features.local_secondary_indexes) {
        features.local_secondary_indexes.emplace();
      }
      features.local_secondary_indexes->push_back({.index_name = index.name,
                                                   .key_schema = KeySchemaOf(index),
                                                   .projection = ProjectionOf(index)});
    }
  }
}

SourceTableFeatureDetails FeaturesOf(const Table& table) {
  SourceTableFeatureDetails features;
  DescribeIndexes(table, features);
  if (table.stream) {
    features.stream_description =
        StreamSpecification{.stream_enabled = true, .stream_view_type = table.stream->view};
  }
  if (table.ttl_attribute) {
    features.time_to_live_description = TimeToLiveDescription{
        .time_to_live_status = TimeToLiveStatus::kEnabled, .attribute_name = *table.ttl_attribute};
  }
  features.sse_description = table.sse;
  return features;
}

}  // namespace

BackupDetails DetailsOf(const Backup& backup) {
  return {.backup_arn = ArnOf(backup),
          .backup_name = backup.row.name,
          .backup_size_bytes = backup.row.table.figures.bytes,
          .backup_status = BackupStatus::kAvailable,
          .backup_type = backup.row.type,
          .backup_creation_date_time = TimePoint(std::chrono::milliseconds(backup.id.created_ms)),
          .backup_expiry_date_time = backup.row.expires};
}

BackupDescription DescribeBackup(const Backup& backup) {
  const Table table = TableOf(backup.row.table);
  BackupDescription description{.backup_details = DetailsOf(backup),
                                .source_table_details = SourceOf(table)};
  // The service tells none of a table that is gone.
  if (backup.row.type == BackupType::kUser) {
    description.source_table_feature_details = FeaturesOf(table);
  }
  return description;
}

}  // namespace stator::engine
