#include "stator/api/update_table.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"
#include "wire/union.h"

namespace stator::wire {

template <>
struct Shape<UpdateGlobalSecondaryIndexAction> {
  static constexpr std::string_view kName = "UpdateGlobalSecondaryIndexAction";
  static void Visit(auto& visit, auto& action) {
    visit.Required("IndexName", action.index_name);
    visit.Optional("ProvisionedThroughput", action.provisioned_throughput);
    visit.Optional("OnDemandThroughput", action.on_demand_throughput);
    visit.Optional("WarmThroughput", action.warm_throughput);
  }
};

template <>
struct Shape<DeleteGlobalSecondaryIndexAction> {
  static constexpr std::string_view kName = "DeleteGlobalSecondaryIndexAction";
  static void Visit(auto& visit, auto& action) { visit.Required("IndexName", action.index_name); }
};

template <>
struct UnionShape<GlobalSecondaryIndexUpdate> {
  static constexpr std::string_view kName = "GlobalSecondaryIndexUpdate";
  static constexpr std::array<std::string_view, 3> kMembers = {"Update", "Create", "Delete"};
  static constexpr std::array<std::string_view, 3> kTypes = {"", "CreateGlobalSecondaryIndexAction",
                                                             ""};
  static constexpr std::string_view kNone =
      "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, "
      "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null";
  static constexpr std::string_view kSeveral =
      "One or more parameter values were invalid: Only one of GlobalSecondaryIndexUpdate.Update, "
      "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete may be set";
};

template <>
struct Shape<UpdateTableInput> {
  static constexpr std::string_view kName = "UpdateTableInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("AttributeDefinitions", input.attribute_definitions);
    visit.Required("TableName", input.table_name);
    visit.Optional("BillingMode", input.billing_mode);
    visit.Optional("ProvisionedThroughput", input.provisioned_throughput);
    visit.Optional("GlobalSecondaryIndexUpdates", input.global_secondary_index_updates);
    visit.Optional("StreamSpecification", input.stream_specification);
    visit.Optional("SSESpecification", input.sse_specification);
    visit.Optional("TableClass", input.table_class);
    visit.Optional("DeletionProtectionEnabled", input.deletion_protection_enabled);
    visit.Optional("OnDemandThroughput", input.on_demand_throughput);
    visit.Optional("WarmThroughput", input.warm_throughput);
    visit.Unsupported("ReplicaUpdates");
    visit.Unsupported("MultiRegionConsistency");
    visit.Unsupported("GlobalTableWitnessUpdates");
    visit.Unsupported("GlobalTableSettingsReplicationMode");
    visit.Unsupported("VectorIndexUpdates");
  }
};

template <>
struct Shape<UpdateTableOutput> {
  static constexpr std::string_view kName = "UpdateTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

template struct Body<UpdateTableInput>;
template struct Body<UpdateTableOutput>;

}  // namespace stator::wire
