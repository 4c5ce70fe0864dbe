// What a table is made of, as CreateTable takes it and DescribeTable tells it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_enums.h"
#include "stator/base/clock.h"

namespace stator {

struct AttributeDefinition {
  std::string attribute_name;
  ScalarAttributeType attribute_type;

  friend bool operator==(const AttributeDefinition&, const AttributeDefinition&) = default;
};

struct KeySchemaElement {
  std::string attribute_name;
  KeyType key_type;

  friend bool operator==(const KeySchemaElement&, const KeySchemaElement&) = default;
};

struct Projection {
  std::optional<ProjectionType> projection_type = std::nullopt;
  std::optional<std::vector<std::string>> non_key_attributes = std::nullopt;

  friend bool operator==(const Projection&, const Projection&) = default;
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units;
  std::int64_t write_capacity_units;

  friend bool operator==(const ProvisionedThroughput&, const ProvisionedThroughput&) = default;
};

struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units = std::nullopt;
  std::optional<std::int64_t> max_write_request_units = std::nullopt;

  friend bool operator==(const OnDemandThroughput&, const OnDemandThroughput&) = default;
};

struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second = std::nullopt;
  std::optional<std::int64_t> write_units_per_second = std::nullopt;

  friend bool operator==(const WarmThroughput&, const WarmThroughput&) = default;
};

struct LocalSecondaryIndex {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
};

struct GlobalSecondaryIndex {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<WarmThroughput> warm_throughput = std::nullopt;
};

struct StreamSpecification {
  bool stream_enabled;
  std::optional<StreamViewType> stream_view_type = std::nullopt;

  friend bool operator==(const StreamSpecification&, const StreamSpecification&) = default;
};

struct SseSpecification {
  std::optional<bool> enabled = std::nullopt;
  std::optional<SseType> sse_type = std::nullopt;
  std::optional<std::string> kms_master_key_id = std::nullopt;
};

struct Tag {
  std::string key;
  std::string value;

  friend bool operator==(const Tag&, const Tag&) = default;
};

struct ProvisionedThroughputDescription {
  std::optional<TimePoint> last_increase_date_time = std::nullopt;
  std::optional<TimePoint> last_decrease_date_time = std::nullopt;
  std::int64_t number_of_decreases_today = 0;
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
};

struct WarmThroughputDescription {
  std::int64_t read_units_per_second = 0;
  std::int64_t write_units_per_second = 0;
  TableStatus status = TableStatus::kActive;
};

struct LocalSecondaryIndexDescription {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
  std::int64_t index_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string index_arn;
};

struct GlobalSecondaryIndexDescription {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
  IndexStatus index_status = IndexStatus::kActive;
  std::optional<bool> backfilling = std::nullopt;
  ProvisionedThroughputDescription provisioned_throughput = {};
  std::int64_t index_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string index_arn;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  WarmThroughputDescription warm_throughput = {};
};

struct BillingModeSummary {
  BillingMode billing_mode = BillingMode::kProvisioned;
  std::optional<TimePoint> last_update_to_pay_per_request_date_time = std::nullopt;
};

struct TableClassSummary {
  TableClass table_class = TableClass::kStandard;
  std::optional<TimePoint> last_update_date_time = std::nullopt;
};

struct SseDescription {
  SseType sse_type = SseType::kKms;
  std::string kms_master_key_arn;
};

// Of a table that is being restored.
struct RestoreSummary {
  std::optional<std::string> source_backup_arn = std::nullopt;
  std::optional<std::string> source_table_arn = std::nullopt;
  TimePoint restore_date_time = {};
  bool restore_in_progress = true;
};

// A table that is being deleted is described without keys, attributes and indexes.
struct TableDescription {
  std::optional<std::vector<AttributeDefinition>> attribute_definitions = std::nullopt;
  std::string table_name;
  std::optional<std::vector<KeySchemaElement>> key_schema = std::nullopt;
  TableStatus table_status = TableStatus::kActive;
  std::optional<TimePoint> creation_date_time = std::nullopt;
  ProvisionedThroughputDescription provisioned_throughput = {};
  std::int64_t table_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string table_arn;
  std::string table_id;
  std::optional<BillingModeSummary> billing_mode_summary = std::nullopt;
  std::optional<std::vector<LocalSecondaryIndexDescription>> local_secondary_indexes = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndexDescription>> global_secondary_indexes =
      std::nullopt;
  std::optional<StreamSpecification> stream_specification = std::nullopt;
  std::optional<std::string> latest_stream_label = std::nullopt;
  std::optional<std::string> latest_stream_arn = std::nullopt;
  std::optional<SseDescription> sse_description = std::nullopt;
  std::optional<TableClassSummary> table_class_summary = std::nullopt;
  bool deletion_protection_enabled = false;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<WarmThroughputDescription> warm_throughput = std::nullopt;
  std::optional<RestoreSummary> restore_summary = std::nullopt;
};

}  // namespace stator
