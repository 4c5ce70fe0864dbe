#include "engine/schema_building.h"

#include <algorithm>

#include "base/check.h"

namespace stator::engine {
namespace {

void SetKeys(const std::vector<KeySchemaElement>& schema,
             const std::vector<AttributeDefinition>& definitions, Index& index) {
  for (const KeySchemaElement& element : schema) {
    auto& keys = element.key_type == KeyType::kHash ? index.partition : index.sort;
    keys.push_back(DefinedKey(element.attribute_name, definitions));
  }
  CHECK_THAT(!index.partition.empty(), index.name);
}

void SetProjection(const Projection& projection, Index& index) {
  index.projection = projection.projection_type.value_or(ProjectionType::kAll);
  if (projection.non_key_attributes) {
    index.non_key_attributes = *projection.non_key_attributes;
  }
}

}  // namespace

KeyAttribute DefinedKey(const std::string& name,
                        const std::vector<AttributeDefinition>& definitions) {
  const auto found =
      std::find_if(definitions.begin(), definitions.end(),
                   [&](const auto& definition) { return definition.attribute_name == name; });
  CHECK_THAT(found != definitions.end(), name);
  return {.name = name, .type = found->attribute_type};
}

Index BuildIndex(const LocalSecondaryIndex& index,
                 const std::vector<AttributeDefinition>& definitions) {
  Index built;
  built.name = index.index_name;
  built.global = false;
  SetKeys(index.key_schema, definitions, built);
  SetProjection(index.projection, built);
  return built;
}

Index BuildIndex(const GlobalSecondaryIndex& index,
                 const std::vector<AttributeDefinition>& definitions) {
  Index built;
  built.name = index.index_name;
  built.global = true;
  SetKeys(index.key_schema, definitions, built);
  SetProjection(index.projection, built);
  built.provisioned_throughput = index.provisioned_throughput;
  built.on_demand_throughput = index.on_demand_throughput;
  built.warm_throughput = index.warm_throughput;
  return built;
}

std::optional<SseDescription> DescribeEncryption(const std::optional<SseSpecification>& asked,
                                                 const std::string& region,
                                                 const std::string& account) {
  if (!asked || !asked->enabled.value_or(false)) {
    return std::nullopt;
  }
  SseDescription description;
  description.sse_type = asked->sse_type.value_or(SseType::kKms);
  description.kms_master_key_arn = asked->kms_master_key_id.value_or("arn:aws:kms:" + region + ":" +
                                                                     account + ":key/aws-dynamodb");
  return description;
}

}  // namespace stator::engine
