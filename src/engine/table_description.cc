#include "engine/table_description.h"

#include <algorithm>
#include <utility>

#include "engine/arn.h"

namespace stator::engine {
namespace {

// What an on-demand table can take from its first second on, by AWS's documentation of warm
// throughput.
constexpr std::int64_t kOnDemandReadUnits = 12'000;
constexpr std::int64_t kOnDemandWriteUnits = 4'000;

WarmThroughputDescription Warm(const Table& table, const ProvisionedThroughput& provisioned,
                               const std::optional<WarmThroughput>& asked) {
  const bool on_demand = table.billing_mode == BillingMode::kPayPerRequest;
  const WarmThroughput wanted = asked.value_or(WarmThroughput());
  return {.read_units_per_second = wanted.read_units_per_second.value_or(
              on_demand ? kOnDemandReadUnits : provisioned.read_capacity_units),
          .write_units_per_second = wanted.write_units_per_second.value_or(
              on_demand ? kOnDemandWriteUnits : provisioned.write_capacity_units)};
}

}  // namespace

std::vector<KeySchemaElement> KeySchemaOf(const Index& index) {
  std::vector<KeySchemaElement> schema;
  schema.reserve(index.partition.size());
  for (const KeyAttribute& attribute : index.partition) {
    schema.push_back({.attribute_name = attribute.name, .key_type = KeyType::kHash});
  }
  for (const KeyAttribute& attribute : index.sort) {
    schema.push_back({.attribute_name = attribute.name, .key_type = KeyType::kRange});
  }
  return schema;
}

Projection ProjectionOf(const Index& index) {
  Projection projection{.projection_type = index.projection};
  if (index.projection == ProjectionType::kInclude) {
    projection.non_key_attributes = index.non_key_attributes;
  }
  return projection;
}

namespace {

LocalSecondaryIndexDescription DescribeLocal(const Table& table, const Index& index) {
  return {.index_name = index.name,
          .key_schema = KeySchemaOf(index),
          .projection = ProjectionOf(index),
          .index_size_bytes = index.statistics->bytes,
          .item_count = index.statistics->items,
          .index_arn = IndexArn(table.arn, index.name)};
}

GlobalSecondaryIndexDescription DescribeGlobal(const Table& table, const Index& index) {
  const ProvisionedThroughput provisioned =
      index.provisioned_throughput.value_or(ProvisionedThroughput{0, 0});
  GlobalSecondaryIndexDescription description;
  description.index_name = index.name;
  description.key_schema = KeySchemaOf(index);
  description.projection = ProjectionOf(index);
  description.index_status = index.status;
  if (index.backfilling) {
    description.backfilling = true;
  }
  description.provisioned_throughput.read_capacity_units = provisioned.read_capacity_units;
  description.provisioned_throughput.write_capacity_units = provisioned.write_capacity_units;
  description.index_size_bytes = index.statistics->bytes;
  description.item_count = index.statistics->items;
  description.index_arn = IndexArn(table.arn, index.name);
  description.on_demand_throughput = index.on_demand_throughput;
  description.warm_throughput = Warm(table, provisioned, index.warm_throughput);
  return description;
}

void DescribeIndexes(const Table& table, TableDescription& description) {
  for (const Index& index : table.indexes) {
    if (index.global) {
      if (!description.global_secondary_indexes) {
        description.global_secondary_indexes.emplace();
      }
      description.global_secondary_indexes->push_back(DescribeGlobal(table, index));
    } else {
      if (!description.local_secondary_indexes) {
        description.local_secondary_indexes.emplace();
      }
      description.local_secondary_indexes->push_back(DescribeLocal(table, index));
    }
  }
}

void DescribeStreamSettings(const Table& table, TableDescription& description) {
  if (table.stream) {
    description.stream_specification =
        StreamSpecification{.stream_enabled = true, .stream_view_type = table.stream->view};
  }
  if (table.latest_stream) {
    description.latest_stream_label = table.latest_stream->label;
    description.latest_stream_arn = StreamArn(table.arn, table.latest_stream->label);
  }
}

// A table that is being restored or imported has no items yet, as far as anybody can see.
void DescribeFilling(const Table& table, TableDescription& description) {
  description.table_status = TableStatus::kCreating;
  description.item_count = 0;
  description.table_size_bytes = 0;
  if (const auto& restore = table.restore) {
    description.restore_summary =
        RestoreSummary{.source_backup_arn = restore->backup_arn,
                       .source_table_arn = restore->source_arn,
                       .restore_date_time = std::chrono::floor<std::chrono::seconds>(
                           TimePoint(Duration(static_cast<std::int64_t>(restore->time)))),
                       .restore_in_progress = true};
  }
}

}  // namespace

std::vector<KeySchemaElement> KeySchemaOf(const Table& table) {
  std::vector<KeySchemaElement> schema = {
      {.attribute_name = table.partition.name, .key_type = KeyType::kHash}};
  if (table.sort) {
    schema.push_back({.attribute_name = table.sort->name, .key_type = KeyType::kRange});
  }
  return schema;
}

TableDescription Describe(const Table& table) {
  TableDescription description;
  description.attribute_definitions = table.attribute_definitions;
  description.table_name = table.name;
  description.key_schema = KeySchemaOf(table);
  const bool changes =
      table.is_closed() ||
      std::any_of(table.indexes.begin(), table.indexes.end(),
                  [](const Index& index) { return index.status != IndexStatus::kActive; });
  description.table_status = changes ? TableStatus::kUpdating : TableStatus::kActive;
  description.creation_date_time = table.created_at;
  description.provisioned_throughput.read_capacity_units =
      table.provisioned_throughput.read_capacity_units;
  description.provisioned_throughput.write_capacity_units =
      table.provisioned_throughput.write_capacity_units;
  description.provisioned_throughput.last_increase_date_time = table.last_increase;
  description.provisioned_throughput.last_decrease_date_time = table.last_decrease;
  description.table_size_bytes = table.statistics->bytes;
  description.item_count = table.statistics->items;
  description.table_arn = table.arn;
  description.table_id = table.uuid;
  if (table.billing_mode_was_given) {
    description.billing_mode_summary =
        BillingModeSummary{.billing_mode = table.billing_mode,
                           .last_update_to_pay_per_request_date_time = table.on_demand_since};
  }
  DescribeIndexes(table, description);
  DescribeStreamSettings(table, description);
  description.sse_description = table.sse;
  if (table.table_class) {
    description.table_class_summary = TableClassSummary{.table_class = *table.table_class};
  }
  description.deletion_protection_enabled = table.deletion_protection;
  description.on_demand_throughput = table.on_demand_throughput;
  description.warm_throughput = Warm(table, table.provisioned_throughput, table.warm_throughput);
  if (table.is_being_filled()) {
    DescribeFilling(table, description);
  }
  return description;
}

}  // namespace stator::engine
