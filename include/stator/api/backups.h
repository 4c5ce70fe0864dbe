// CreateBackup, DescribeBackup, ListBackups, DeleteBackup: a table as it was at one moment, under a name of
// its own, until it is deleted. Backups outlive their table.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/api/time_to_live.h"
#include "stator/base/clock.h"

namespace stator {

enum class BackupStatus : std::uint8_t { kCreating, kDeleted, kAvailable };
// A system backup is made when a table with point-in-time recovery is deleted.
enum class BackupType : std::uint8_t { kUser, kSystem, kAwsBackup };
enum class BackupTypeFilter : std::uint8_t { kUser, kSystem, kAwsBackup, kAll };

struct BackupDetails {
  std::string backup_arn;
  std::string backup_name;
  std::int64_t backup_size_bytes = 0;
  BackupStatus backup_status = BackupStatus::kAvailable;
  BackupType backup_type = BackupType::kUser;
  TimePoint backup_creation_date_time = {};
  std::optional<TimePoint> backup_expiry_date_time = std::nullopt;  // of system backups
};

// The table as it was.
struct SourceTableDetails {
  std::string table_name;
  std::string table_id;
  std::string table_arn;
  std::int64_t table_size_bytes = 0;
  std::vector<KeySchemaElement> key_schema;
  TimePoint table_creation_date_time = {};
  ProvisionedThroughput provisioned_throughput = {0, 0};
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::int64_t item_count = 0;
  BillingMode billing_mode = BillingMode::kProvisioned;
};

struct LocalSecondaryIndexInfo {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
};

struct GlobalSecondaryIndexInfo {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
};

struct TimeToLiveDescription {
  TimeToLiveStatus time_to_live_status = TimeToLiveStatus::kDisabled;
  std::string attribute_name;
};

// Each only when the table had it.
struct SourceTableFeatureDetails {
  std::optional<std::vector<LocalSecondaryIndexInfo>> local_secondary_indexes = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndexInfo>> global_secondary_indexes = std::nullopt;
  std::optional<StreamSpecification> stream_description = std::nullopt;
  std::optional<TimeToLiveDescription> time_to_live_description = std::nullopt;
  std::optional<SseDescription> sse_description = std::nullopt;
};

struct BackupDescription {
  BackupDetails backup_details;
  SourceTableDetails source_table_details;
  SourceTableFeatureDetails source_table_feature_details = {};
};

struct BackupSummary {
  std::string table_name;
  std::string table_id;
  std::string table_arn;
  std::string backup_arn;
  std::string backup_name;
  TimePoint backup_creation_date_time = {};
  std::optional<TimePoint> backup_expiry_date_time = std::nullopt;
  BackupStatus backup_status = BackupStatus::kAvailable;
  BackupType backup_type = BackupType::kUser;
  std::int64_t backup_size_bytes = 0;
};

struct CreateBackupInput {
  std::string table_name;
  std::string backup_name;
};
struct CreateBackupOutput {
  BackupDetails backup_details = {};
};

struct DescribeBackupInput {
  std::string backup_arn;
};
struct DescribeBackupOutput {
  BackupDescription backup_description = {};
};

struct DeleteBackupInput {
  std::string backup_arn;
};
struct DeleteBackupOutput {
  BackupDescription backup_description = {};
};

// In the order in which they were made. Without a type: those that somebody asked for.
struct ListBackupsInput {
  std::optional<std::string> table_name = std::nullopt;
  std::optional<std::int64_t> limit = std::nullopt;                // 1 to 100
  std::optional<TimePoint> time_range_lower_bound = std::nullopt;  // inclusive
  std::optional<TimePoint> time_range_upper_bound = std::nullopt;  // exclusive
  std::optional<std::string> exclusive_start_backup_arn = std::nullopt;
  std::optional<BackupTypeFilter> backup_type = std::nullopt;
};
struct ListBackupsOutput {
  std::vector<BackupSummary> backup_summaries = {};
  std::optional<std::string> last_evaluated_backup_arn = std::nullopt;
};

}  // namespace stator
