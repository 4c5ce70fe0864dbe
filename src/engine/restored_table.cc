#include "engine/restored_table.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/arn.h"
#include "engine/schema_building.h"
#include "engine/table_description.h"

namespace stator::engine {
namespace {

Result<void> SetBilling(const Table& source, const RestoreOverrides& overrides, Table& table) {
  table.billing_mode = overrides.billing_mode_override.value_or(source.billing_mode);
  table.billing_mode_was_given = true;
  const bool on_demand = table.billing_mode == BillingMode::kPayPerRequest;
  if (on_demand && overrides.provisioned_throughput_override) {
    return Invalid("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  }
  if (!on_demand && source.billing_mode == BillingMode::kPayPerRequest &&
      !overrides.provisioned_throughput_override) {
    return Invalid(
        "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  }
  if (const auto& units = overrides.on_demand_throughput_override) {
    if (units->max_read_request_units == 0) {
      return Invalid(
          "Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range");
    }
    if (units->max_write_request_units == 0) {
      return Invalid(
          "Requested MaxWriteRequestUnits for OnDemandThroughput is outside of valid range");
    }
  }
  if (on_demand) {
    table.on_demand_since = table.created_at;
    table.on_demand_throughput = overrides.on_demand_throughput_override
                                     ? overrides.on_demand_throughput_override
                                     : source.on_demand_throughput;
  } else {
    table.provisioned_throughput =
        overrides.provisioned_throughput_override.value_or(source.provisioned_throughput);
  }
  return {};
}

Projection Normalized(Projection projection) {
  projection.projection_type = projection.projection_type.value_or(ProjectionType::kAll);
  if (projection.non_key_attributes) {
    std::ranges::sort(*projection.non_key_attributes);
  }
  return projection;
}

// The index of the source that the override means: one with its keys and its projection.
template <class Override>
Result<Index> FindOverridden(const Table& source, bool global, const Override& wanted) {
  for (const Index& index : source.indexes) {
    if (index.global == global && KeySchemaOf(index) == wanted.key_schema &&
        Normalized(ProjectionOf(index)) == Normalized(wanted.projection)) {
      Index found = index;
      found.name = wanted.index_name;
      return found;
    }
  }
  return Invalid("Index " + wanted.index_name +
                 " does not match a secondary index that existed in the source table and cannot be "
                 "created during the restore operation");
}

Result<void> AddGlobalIndexes(const Table& source, const RestoreOverrides& overrides,
                              Table& table) {
  const bool on_demand = table.billing_mode == BillingMode::kPayPerRequest;
  if (!overrides.global_secondary_index_override) {
    std::ranges::copy_if(source.indexes, std::back_inserter(table.indexes), &Index::global);
  } else {
    for (const GlobalSecondaryIndex& wanted : *overrides.global_secondary_index_override) {
      Index index = TRY(FindOverridden(source, true, wanted));
      index.provisioned_throughput = wanted.provisioned_throughput;
      index.on_demand_throughput = wanted.on_demand_throughput;
      table.indexes.push_back(std::move(index));
    }
  }
  for (Index& index : table.indexes) {
    if (!index.global) {
      continue;
    }
    if (on_demand) {
      index.provisioned_throughput.reset();
    } else if (!index.provisioned_throughput) {
      return Invalid("Must specify provisioned throughput for index " + index.name);
    }
  }
  return {};
}

Result<void> SetIndexes(const Table& source, const RestoreOverrides& overrides, Table& table) {
  if (!overrides.local_secondary_index_override) {
    std::ranges::copy_if(source.indexes, std::back_inserter(table.indexes),
                         [](const Index& index) { return !index.global; });
  } else {
    for (const LocalSecondaryIndex& wanted : *overrides.local_secondary_index_override) {
      table.indexes.push_back(TRY(FindOverridden(source, false, wanted)));
    }
  }
  TRY_VOID(AddGlobalIndexes(source, overrides, table));
  // One that was on its way out there does not come along.
  std::erase_if(table.indexes,
                [](const Index& index) { return index.status == IndexStatus::kDeleting; });
  for (Index& index : table.indexes) {
    const auto same_name = [&](const Index& other) { return other.name == index.name; };
    if (std::ranges::count_if(table.indexes, same_name) > 1) {
      return Invalid("One or more parameter values were invalid: Duplicate index name: " +
                     index.name);
    }
    index.id = table.next_index_id++;
    index.status = IndexStatus::kCreating;
    index.backfilling = false;
    index.warm_throughput.reset();
    index.statistics = std::make_shared<Statistics>();
    index.insights.reset();
    SetContributors(index);
  }
  return {};
}

// Only what is a key of something.
void SetDefinitions(const Table& source, Table& table) {
  for (const AttributeDefinition& definition : source.attribute_definitions) {
    const auto has_key = [&](const Index& index) {
      return std::ranges::any_of(index.KeyAttributes(), [&](const KeyAttribute& key) {
        return key.name == definition.attribute_name;
      });
    };
    if (table.IsKeyAttribute(definition.attribute_name) ||
        std::ranges::any_of(table.indexes, has_key)) {
      table.attribute_definitions.push_back(definition);
    }
  }
}

}  // namespace

Result<Table> BuildRestoredTable(EngineCore& core, const Table& source, const std::string& name,
                                 const RestoreOverrides& overrides) {
  Table table;
  table.name = name;
  table.uuid = core.random.Uuid();
  table.arn = TableArn(core.account, name);
  table.created_at = core.clock.Now();
  table.partition = source.partition;
  table.sort = source.sort;
  TRY_VOID(SetBilling(source, overrides, table));
  TRY_VOID(SetIndexes(source, overrides, table));
  SetDefinitions(source, table);
  table.sse = overrides.sse_specification_override
                  ? DescribeEncryption(overrides.sse_specification_override, core.account.region,
                                       core.account.id)
                  : source.sse;
  return table;
}

}  // namespace stator::engine
