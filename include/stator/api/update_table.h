// UpdateTable: changes settings of a table, or adds, changes or removes one global index.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stator/api/table_types.h"

namespace stator {

struct UpdateGlobalSecondaryIndexAction {
  std::string index_name;
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<WarmThroughput> warm_throughput = std::nullopt;
};

struct DeleteGlobalSecondaryIndexAction {
  std::string index_name;
};

// A GlobalSecondaryIndex creates that index.
using GlobalSecondaryIndexUpdate =
    std::variant<UpdateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
                 DeleteGlobalSecondaryIndexAction>;

struct UpdateTableInput {
  std::string table_name;
  std::optional<std::vector<AttributeDefinition>> attribute_definitions = std::nullopt;
  std::optional<BillingMode> billing_mode = std::nullopt;
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndexUpdate>> global_secondary_index_updates =
      std::nullopt;
  std::optional<StreamSpecification> stream_specification = std::nullopt;
  std::optional<SseSpecification> sse_specification = std::nullopt;
  std::optional<TableClass> table_class = std::nullopt;
  std::optional<bool> deletion_protection_enabled = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<WarmThroughput> warm_throughput = std::nullopt;
};

struct UpdateTableOutput {
  TableDescription table_description;
};

}  // namespace stator
