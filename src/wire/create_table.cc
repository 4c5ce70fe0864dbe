#include "stator/api/create_table.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<CreateTableInput> {
  static constexpr std::string_view kName = "CreateTableInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("AttributeDefinitions", input.attribute_definitions);
    visit.Required("TableName", input.table_name);
    visit.Required("KeySchema", input.key_schema);
    visit.Optional("LocalSecondaryIndexes", input.local_secondary_indexes);
    visit.Optional("GlobalSecondaryIndexes", input.global_secondary_indexes);
    visit.Optional("BillingMode", input.billing_mode);
    visit.Optional("ProvisionedThroughput", input.provisioned_throughput);
    visit.Optional("StreamSpecification", input.stream_specification);
    visit.Optional("SSESpecification", input.sse_specification);
    visit.Optional("Tags", input.tags);
    visit.Optional("TableClass", input.table_class);
    visit.Optional("DeletionProtectionEnabled", input.deletion_protection_enabled);
    visit.Optional("WarmThroughput", input.warm_throughput);
    visit.Optional("OnDemandThroughput", input.on_demand_throughput);
    visit.Optional("ResourcePolicy", input.resource_policy);
    visit.Unsupported("GlobalTableSourceArn");
    visit.Unsupported("GlobalTableSettingsReplicationMode");
    visit.Unsupported("VectorIndexes");
  }
};

template <>
struct Shape<CreateTableOutput> {
  static constexpr std::string_view kName = "CreateTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

template struct Body<CreateTableInput>;
template struct Body<CreateTableOutput>;

}  // namespace stator::wire
