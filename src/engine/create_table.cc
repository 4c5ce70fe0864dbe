#include <utility>

#include "api/constraints.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/resource_policy.h"
#include "engine/schema_building.h"
#include "engine/stream_row.h"
#include "engine/table_checks.h"
#include "engine/table_description.h"

namespace stator::engine {
namespace {

void SetBilling(const CreateTableInput& input, TimePoint now, Table& table) {
  table.billing_mode = input.billing_mode.value_or(BillingMode::kProvisioned);
  table.billing_mode_was_given = input.billing_mode.has_value();
  if (table.billing_mode == BillingMode::kPayPerRequest) {
    table.on_demand_since = now;
  }
  table.provisioned_throughput = input.provisioned_throughput.value_or(ProvisionedThroughput{0, 0});
  table.on_demand_throughput = input.on_demand_throughput;
  table.warm_throughput = input.warm_throughput;
}

void SetIndexes(const CreateTableInput& input, Table& table) {
  const auto add = [&](Index index) {
    index.id = table.next_index_id++;
    CHECK_THAT(index.id != 0, "0 is no index");
    table.indexes.push_back(std::move(index));
  };
  if (input.local_secondary_indexes) {
    for (const LocalSecondaryIndex& index : *input.local_secondary_indexes) {
      add(BuildIndex(index, input.attribute_definitions));
    }
  }
  if (input.global_secondary_indexes) {
    for (const GlobalSecondaryIndex& index : *input.global_secondary_indexes) {
      add(BuildIndex(index, input.attribute_definitions));
    }
  }
}

}  // namespace

Table BuildTable(EngineCore& core, const CreateTableInput& input, const std::string& name) {
  Table table;
  table.name = name;
  table.uuid = core.random.Uuid();
  table.arn = TableArn(core.account, name);
  table.created_at = core.clock.Now();
  table.attribute_definitions = input.attribute_definitions;
  table.partition = DefinedKey(input.key_schema[0].attribute_name, input.attribute_definitions);
  if (input.key_schema.size() == 2) {
    table.sort = DefinedKey(input.key_schema[1].attribute_name, input.attribute_definitions);
  }
  SetIndexes(input, table);
  SetBilling(input, table.created_at, table);
  table.table_class = input.table_class;
  table.sse = DescribeEncryption(input.sse_specification, core.account.region, core.account.id);
  table.deletion_protection = input.deletion_protection_enabled.value_or(false);
  if (input.tags) {
    table.tags = *input.tags;
  }
  return table;
}

Result<CreateTableOutput> CreateTable(EngineCore& core, const CreateTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckCreateTable(input));
  const std::optional<std::string_view> name = TableNameFrom(input.table_name);
  if (!name) {
    return Invalid("Invalid table name or ARN: " + input.table_name);
  }
  const auto lock = core.catalog.ChangeLock();
  if (const Result<TablePtr> there = core.catalog.FindAny(*name)) {
    return Fail(ErrorCode::kResourceInUse,
                ((*there)->is_being_filled() ? "Table is being used: " : "Table already exists: ") +
                    std::string(*name));
  }
  TRY_VOID(core.transient_states.CheckArrived(*name));
  Table table = BuildTable(core, input, std::string(*name));
  if (input.resource_policy) {
    table.policy = TRY(MakeAttachedPolicy(core, *input.resource_policy, table.arn));
  }
  storage::WriteBatch batch;
  table.id = core.catalog.TakeTableId(batch);
  if (input.stream_specification && input.stream_specification->stream_enabled) {
    TRY_VOID(EnableStream(core, *input.stream_specification->stream_view_type, table, batch));
  }
  const TablePtr published = TRY(core.catalog.Publish(std::move(table), std::move(batch)));
  // The answer says what the service says; by the time that the caller asks, the table is active,
  // unless transient states were asked for.
  CreateTableOutput output{.table_description = Describe(*published)};
  output.table_description.table_status = TableStatus::kCreating;
  if (output.table_description.global_secondary_indexes) {
    for (auto& index : *output.table_description.global_secondary_indexes) {
      index.index_status = IndexStatus::kCreating;
    }
  }
  core.transient_states.Begin(output.table_description);
  return output;
}

}  // namespace stator::engine
