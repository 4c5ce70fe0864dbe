#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "api/constraints.h"
#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/background.h"
#include "engine/operations.h"
#include "engine/rewind.h"
#include "engine/schema_building.h"
#include "engine/stream_row.h"
#include "engine/table_checks.h"
#include "engine/table_description.h"

namespace stator::engine {
namespace {

const std::string kInvalid =
    "One or more parameter values were invalid: ";  // NOLINT(cert-err58-cpp)

const std::string& IndexNameOf(const GlobalSecondaryIndexUpdate& update) {
  return std::visit([](const auto& each) -> const std::string& { return each.index_name; }, update);
}

bool ChangesIndexSet(const GlobalSecondaryIndexUpdate& update) {
  return !std::holds_alternative<UpdateGlobalSecondaryIndexAction>(update);
}

Result<void> CheckRequest(const UpdateTableInput& input) {
  const bool has_index_updates =
      input.global_secondary_index_updates && !input.global_secondary_index_updates->empty();
  if (!input.provisioned_throughput && !input.billing_mode && !input.stream_specification &&
      !has_index_updates && !input.sse_specification && !input.table_class &&
      !input.deletion_protection_enabled && !input.on_demand_throughput && !input.warm_throughput) {
    return Invalid(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
  }
  if (input.billing_mode == BillingMode::kProvisioned && !input.provisioned_throughput) {
    return Invalid(kInvalid +
                   "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (input.provisioned_throughput) {
    TRY_VOID(CheckThroughputBounds(*input.provisioned_throughput));
  }
  if (!has_index_updates) {
    return {};
  }
  std::set<std::string> names;
  int set_changes = 0;
  for (const GlobalSecondaryIndexUpdate& update : *input.global_secondary_index_updates) {
    if (!names.insert(IndexNameOf(update)).second) {
      return Invalid(kInvalid +
                     "Only one global secondary index update per index is allowed "
                     "simultaneously. Index: " +
                     IndexNameOf(update));
    }
    set_changes += ChangesIndexSet(update) ? 1 : 0;
  }
  if (set_changes > 1) {
    return Fail(ErrorCode::kLimitExceeded,
                "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                "simultaneously per table");
  }
  return {};
}

Result<void> ApplyThroughput(const ProvisionedThroughput& wanted, TimePoint now, Table& table) {
  const ProvisionedThroughput current = table.provisioned_throughput;
  if (current == wanted) {
    return Invalid(
        "The provisioned throughput for the table will not change. The requested value equals the "
        "current value. Current ReadCapacityUnits provisioned for the table: " +
        std::to_string(current.read_capacity_units) +
        ". Requested ReadCapacityUnits: " + std::to_string(wanted.read_capacity_units) +
        ". Current WriteCapacityUnits provisioned for the table: " +
        std::to_string(current.write_capacity_units) +
        ". Requested WriteCapacityUnits: " + std::to_string(wanted.write_capacity_units) +
        ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
        "higher limits.");
  }
  if (wanted.read_capacity_units > current.read_capacity_units ||
      wanted.write_capacity_units > current.write_capacity_units) {
    table.last_increase = now;
  }
  if (wanted.read_capacity_units < current.read_capacity_units ||
      wanted.write_capacity_units < current.write_capacity_units) {
    table.last_decrease = now;
  }
  table.provisioned_throughput = wanted;
  return {};
}

// A table that becomes provisioned needs throughput for each of its global indexes.
Result<void> CheckIndexThroughput(const UpdateTableInput& input, const Table& table) {
  const auto updates =
      input.global_secondary_index_updates.value_or(std::vector<GlobalSecondaryIndexUpdate>());
  std::string missing;
  for (const Index& index : table.indexes) {
    const bool given = std::any_of(updates.begin(), updates.end(), [&](const auto& update) {
      const auto* change = std::get_if<UpdateGlobalSecondaryIndexAction>(&update);
      return change != nullptr && change->index_name == index.name &&
             change->provisioned_throughput;
    });
    if (index.global && !given) {
      missing += (missing.empty() ? "" : ",") + index.name;
    }
  }
  if (!missing.empty()) {
    return Invalid(kInvalid + "ProvisionedThroughput must be specified for index: " + missing);
  }
  return {};
}

Result<void> ApplyBilling(const UpdateTableInput& input, TimePoint now, Table& table) {
  const BillingMode mode = input.billing_mode.value_or(table.billing_mode);
  if (mode == BillingMode::kProvisioned && table.billing_mode == BillingMode::kPayPerRequest) {
    TRY_VOID(CheckIndexThroughput(input, table));
  }
  if (input.provisioned_throughput && mode == BillingMode::kPayPerRequest) {
    return Invalid(kInvalid +
                   "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                   "BillingMode is PAY_PER_REQUEST");
  }
  if (input.provisioned_throughput) {
    TRY_VOID(ApplyThroughput(*input.provisioned_throughput, now, table));
  }
  if (input.billing_mode) {
    table.billing_mode_was_given = true;
    if (mode == BillingMode::kPayPerRequest && table.billing_mode != mode) {
      table.on_demand_since = now;
      table.provisioned_throughput = {0, 0};
      for (Index& index : table.indexes) {
        index.provisioned_throughput.reset();
      }
    }
    table.billing_mode = mode;
  }
  return {};
}

Result<void> ApplyStream(EngineCore& core, const StreamSpecification& wanted, Table& table,
                         storage::WriteBatch& batch) STATOR_REQUIRES(core.catalog.change_mutex()) {
  TRY_VOID(CheckStreamSpecification(wanted));
  if (wanted.stream_enabled) {
    if (table.stream) {
      return Invalid("Table already has an enabled stream: TableName: " + table.name);
    }
    return EnableStream(core, *wanted.stream_view_type, table, batch);
  }
  if (!table.stream) {
    return Invalid("Table has no stream to disable: TableName: " + table.name);
  }
  return DisableStream(core, table, batch);
}

std::string SchemaText(const std::string& name, ScalarAttributeType type) {
  return "Schema:[SchemaElement: key{" + name + ":" + std::string(TypeName(type)) + ":HASH}]";
}

// What the keys of a new index are made of has the type that it has in the table. Nobody looks at
// what else the request defines.
Result<void> CheckNotRedefined(const GlobalSecondaryIndex& wanted,
                               const std::vector<AttributeDefinition>& definitions,
                               const Table& table) {
  const auto type_in = [](const std::vector<AttributeDefinition>& known, const std::string& name) {
    const auto found = std::ranges::find(known, name, &AttributeDefinition::attribute_name);
    return found == known.end() ? std::nullopt : std::optional(found->attribute_type);
  };
  for (const KeySchemaElement& element : wanted.key_schema) {
    const auto before = type_in(table.attribute_definitions, element.attribute_name);
    const auto now = type_in(definitions, element.attribute_name);
    if (before && now && *before != *now) {
      return Invalid(kInvalid +
                     "Attributes cannot be redefined. Please check that your attribute has the "
                     "same type as previously defined. Existing schema: " +
                     SchemaText(element.attribute_name, *before) +
                     " New schema: " + SchemaText(element.attribute_name, *now));
    }
  }
  return {};
}

Result<void> CreateIndex(const GlobalSecondaryIndex& wanted, const UpdateTableInput& input,
                         Table& table) {
  // The request defines all that the index is made of, also what the table knows already.
  const std::vector<AttributeDefinition> definitions =
      input.attribute_definitions.value_or(std::vector<AttributeDefinition>());
  TRY_VOID(CheckNewGlobalIndex(wanted, definitions, table.billing_mode));
  TRY_VOID(CheckNotRedefined(wanted, definitions, table));
  if (table.FindIndex(wanted.index_name) != nullptr) {
    return Invalid("Attempting to create an index which already exists");
  }
  const auto globals = static_cast<std::size_t>(std::count_if(
      table.indexes.begin(), table.indexes.end(), [](const Index& each) { return each.global; }));
  if (globals >= limits::kGlobalIndexesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  Index index = BuildIndex(wanted, definitions);
  index.id = table.next_index_id++;
  CHECK_THAT(index.id != 0, "0 is no index");
  index.status = IndexStatus::kCreating;
  index.backfilling = true;
  for (const KeyAttribute& key : index.KeyAttributes()) {
    const AttributeDefinition definition{.attribute_name = key.name, .attribute_type = key.type};
    auto& known = table.attribute_definitions;
    if (std::find(known.begin(), known.end(), definition) == known.end()) {
      known.push_back(definition);
    }
  }
  table.indexes.push_back(std::move(index));
  return CheckProjectedAttributes(table.indexes);
}

Result<Index*> FindGlobalIndex(const std::string& name, Table& table) {
  for (Index& index : table.indexes) {
    if (index.name == name && index.global) {
      return &index;
    }
  }
  return Fail(ErrorCode::kResourceNotFound, "Requested resource not found");
}

Result<void> ApplyIndexUpdate(const GlobalSecondaryIndexUpdate& update,
                              const UpdateTableInput& input, Table& table) {
  const bool busy = std::any_of(table.indexes.begin(), table.indexes.end(), [](const Index& each) {
    return each.status != IndexStatus::kActive;
  });
  if (ChangesIndexSet(update) && busy) {
    return Fail(ErrorCode::kLimitExceeded,
                "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                "simultaneously per table");
  }
  if (const auto* wanted = std::get_if<GlobalSecondaryIndex>(&update)) {
    return CreateIndex(*wanted, input, table);
  }
  Index* index = TRY(FindGlobalIndex(IndexNameOf(update), table));
  if (const auto* change = std::get_if<UpdateGlobalSecondaryIndexAction>(&update)) {
    if (change->provisioned_throughput) {
      index->provisioned_throughput = change->provisioned_throughput;
    }
    if (change->on_demand_throughput) {
      index->on_demand_throughput = change->on_demand_throughput;
    }
    if (change->warm_throughput) {
      index->warm_throughput = change->warm_throughput;
    }
    return {};
  }
  index->status = IndexStatus::kDeleting;
  return {};
}

Result<void> ApplySettings(const EngineCore& core, const UpdateTableInput& input, Table& table) {
  if (input.sse_specification) {
    table.sse = DescribeEncryption(input.sse_specification, core.account.region, core.account.id);
  }
  if (input.table_class) {
    table.table_class = input.table_class;
  }
  if (input.deletion_protection_enabled) {
    table.deletion_protection = *input.deletion_protection_enabled;
  }
  if (input.on_demand_throughput) {
    table.on_demand_throughput = input.on_demand_throughput;
  }
  if (input.warm_throughput) {
    table.warm_throughput = input.warm_throughput;
  }
  return {};
}

// The work that the new schema leaves behind, once nobody writes by the old one.
void EnqueueIndexJobs(EngineCore& core, const Table& table) {
  for (const Index& index : table.indexes) {
    if (index.status == IndexStatus::kActive) {
      continue;
    }
    const bool creating = index.status == IndexStatus::kCreating;
    CHECK(creating || index.status == IndexStatus::kDeleting);
    core.background->Enqueue(
        [&core, creating, table_id = table.id, index_id = index.id]() -> Result<void> {
          TRY_VOID(core.background->AwaitNewSchema(table_id));
          return creating ? BackfillIndex(core, table_id, index_id)
                          : DropIndex(core, table_id, index_id);
        });
  }
}

// A table whose change is under way: its throughput is still that of before.
TableDescription DescribeUpdating(TableDescription after, const Table& before) {
  const TableDescription was = Describe(before);
  after.provisioned_throughput = was.provisioned_throughput;
  after.billing_mode_summary = was.billing_mode_summary;
  if (!after.global_secondary_indexes || !was.global_secondary_indexes) {
    return after;
  }
  for (GlobalSecondaryIndexDescription& index : *after.global_secondary_indexes) {
    const auto old = std::ranges::find(*was.global_secondary_indexes, index.index_name,
                                       &GlobalSecondaryIndexDescription::index_name);
    if (old == was.global_secondary_indexes->end()) {
      continue;
    }
    const ProvisionedThroughputDescription& now = index.provisioned_throughput;
    const ProvisionedThroughputDescription& then = old->provisioned_throughput;
    if (now.read_capacity_units != then.read_capacity_units ||
        now.write_capacity_units != then.write_capacity_units) {
      index.provisioned_throughput = old->provisioned_throughput;
      index.index_status = IndexStatus::kUpdating;
    }
  }
  return after;
}

}  // namespace

Result<UpdateTableOutput> UpdateTable(EngineCore& core, const UpdateTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckRequest(input));
  const auto lock = core.catalog.ChangeLock();
  TRY_VOID(core.transient_states.CheckArrived(
      TableNameFrom(input.table_name).value_or(input.table_name)));
  const TablePtr current = TRY(core.catalog.FindNamed(input.table_name));
  TRY_VOID(CheckIsOpen(*current));
  Table next = *current;
  storage::WriteBatch batch;
  TRY_VOID(ApplyBilling(input, core.clock.Now(), next));
  TRY_VOID(ApplySettings(core, input, next));
  if (input.stream_specification) {
    TRY_VOID(ApplyStream(core, *input.stream_specification, next, batch));
  }
  bool index_set_changes = false;
  if (input.global_secondary_index_updates) {
    for (const GlobalSecondaryIndexUpdate& update : *input.global_secondary_index_updates) {
      TRY_VOID(ApplyIndexUpdate(update, input, next));
      index_set_changes = index_set_changes || ChangesIndexSet(update);
    }
  }
  const TablePtr published = TRY(core.catalog.Publish(std::move(next), std::move(batch)));
  if (index_set_changes) {
    EnqueueIndexJobs(core, *published);
  }
  UpdateTableOutput output{.table_description = Describe(*published)};
  output.table_description.table_status = TableStatus::kUpdating;
  core.transient_states.Begin(DescribeUpdating(output.table_description, *current));
  return output;
}

}  // namespace stator::engine
