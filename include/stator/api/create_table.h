// CreateTable: makes a table; usable once DescribeTable says that it is active.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"

namespace stator {

struct CreateTableInput {
  std::string table_name;
  std::vector<AttributeDefinition> attribute_definitions;  // of the key attributes only
  std::vector<KeySchemaElement> key_schema;
  std::optional<BillingMode> billing_mode = std::nullopt;  // absent means provisioned
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes = std::nullopt;
  std::optional<StreamSpecification> stream_specification = std::nullopt;
  std::optional<SseSpecification> sse_specification = std::nullopt;
  std::optional<std::vector<Tag>> tags = std::nullopt;
  std::optional<TableClass> table_class = std::nullopt;
  std::optional<bool> deletion_protection_enabled = std::nullopt;
  std::optional<WarmThroughput> warm_throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<std::string> resource_policy = std::nullopt;  // as of PutResourcePolicy
};

struct CreateTableOutput {
  TableDescription table_description;
};

}  // namespace stator
