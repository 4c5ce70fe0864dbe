#include "stator/provision/templates.h"

#include <utility>

#include "provision/names.h"
#include "provision/template_parts.h"

namespace stator::provision {
namespace {

bool IsLetterOrDigit(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

// `enabled` is what the switch is called, which is all that the two differ in.
Map EncryptionOf(const Encryption& encryption, const char* enabled) {
  Map map{{enabled, true}, {"SSEType", "KMS"}};
  if (!encryption.kms_key_id.empty()) {
    map.Set("KMSMasterKeyId", encryption.kms_key_id);
  }
  return map;
}

ServiceCall CreateTableCall(const TableSpec& spec) {
  Map input = CommonProperties(spec);
  if (spec.stream) {
    input.Set("StreamSpecification",
              Map{{"StreamEnabled", true}, {"StreamViewType", NameOf(*spec.stream)}});
  }
  if (spec.encryption) {
    input.Set("SSESpecification", EncryptionOf(*spec.encryption, "Enabled"));
  }
  return {.operation = "CreateTable", .input = std::move(input)};
}

Map CloudFormationResource(const TableSpec& spec) {
  Map properties = CommonProperties(spec);
  if (spec.stream) {
    properties.Set("StreamSpecification", Map{{"StreamViewType", NameOf(*spec.stream)}});
  }
  if (spec.encryption) {
    properties.Set("SSESpecification", EncryptionOf(*spec.encryption, "SSEEnabled"));
  }
  if (spec.ttl_attribute) {
    properties.Set("TimeToLiveSpecification", TimeToLive(*spec.ttl_attribute));
  }
  if (spec.recovery.enabled) {
    properties.Set("PointInTimeRecoverySpecification", Recovery(spec.recovery));
  }
  return {{"Type", "AWS::DynamoDB::Table"},
          {"DeletionPolicy", "Retain"},
          {"UpdateReplacePolicy", "Retain"},
          {"Properties", std::move(properties)}};
}

void SetTerraformKeys(const std::vector<KeySchemaElement>& keys, Map& map) {
  for (const KeySchemaElement& key : keys) {
    map.Set(key.key_type == KeyType::kHash ? "hash_key" : "range_key", key.attribute_name);
  }
}

void SetTerraformThroughput(const std::optional<ProvisionedThroughput>& throughput, Map& map) {
  if (throughput) {
    map.Set("read_capacity", throughput->read_capacity_units);
    map.Set("write_capacity", throughput->write_capacity_units);
  }
}

void SetTerraformProjection(const Projection& projection, Map& map) {
  map.Set("projection_type", NameOf(projection.projection_type.value_or(ProjectionType::kAll)));
  if (projection.non_key_attributes) {
    map.Set("non_key_attributes",
            List(projection.non_key_attributes->begin(), projection.non_key_attributes->end()));
  }
}

Map TerraformIndex(const GlobalSecondaryIndex& index) {
  Map map{{"name", index.index_name}};
  SetTerraformKeys(index.key_schema, map);
  SetTerraformProjection(index.projection, map);
  SetTerraformThroughput(index.provisioned_throughput, map);
  return map;
}

// The partition key of a local index is that of the table, and is not repeated.
Map TerraformIndex(const LocalSecondaryIndex& index) {
  Map map{{"name", index.index_name}, {"range_key", index.key_schema.back().attribute_name}};
  SetTerraformProjection(index.projection, map);
  return map;
}

template <class Index>
void SetTerraformIndexes(const char* name, const std::vector<Index>& indexes, Map& map) {
  if (indexes.empty()) {
    return;
  }
  List list;
  for (const Index& index : indexes) {
    list.push_back(TerraformIndex(index));
  }
  map.Set(name, std::move(list));
}

Map TerraformResource(const TableSpec& spec) {
  List attributes;
  for (const AttributeDefinition& attribute : spec.attributes) {
    attributes.push_back(
        Map{{"name", attribute.attribute_name}, {"type", NameOf(attribute.attribute_type)}});
  }
  Map map{{"name", spec.name},
          {"billing_mode", spec.throughput ? "PROVISIONED" : "PAY_PER_REQUEST"},
          {"attribute", std::move(attributes)},
          {"deletion_protection_enabled", spec.deletion_protection},
          {"lifecycle", Map{{"prevent_destroy", true}}}};
  SetTerraformKeys(spec.keys, map);
  SetTerraformThroughput(spec.throughput, map);
  SetTerraformIndexes("global_secondary_index", spec.global_indexes, map);
  SetTerraformIndexes("local_secondary_index", spec.local_indexes, map);
  Map recovery{{"enabled", spec.recovery.enabled}};
  if (spec.recovery.enabled) {
    recovery.Set("recovery_period_in_days", spec.recovery.days);
  }
  map.Set("point_in_time_recovery", std::move(recovery));
  if (spec.ttl_attribute) {
    map.Set("ttl", Map{{"attribute_name", *spec.ttl_attribute}, {"enabled", true}});
  }
  if (spec.stream) {
    map.Set("stream_enabled", true);
    map.Set("stream_view_type", NameOf(*spec.stream));
  }
  if (spec.encryption) {
    Map encryption{{"enabled", true}};
    if (!spec.encryption->kms_key_id.empty()) {
      encryption.Set("kms_key_arn", spec.encryption->kms_key_id);
    }
    map.Set("server_side_encryption", std::move(encryption));
  }
  if (!spec.tags.empty()) {
    Map tags;
    for (const Tag& tag : spec.tags) {
      tags.Set(tag.key, tag.value);
    }
    map.Set("tags", std::move(tags));
  }
  return map;
}

}  // namespace

std::vector<ServiceCall> MakeCalls(const TableSpec& spec) {
  std::vector<ServiceCall> calls{CreateTableCall(spec)};
  if (spec.ttl_attribute) {
    calls.push_back({.operation = "UpdateTimeToLive",
                     .input = {{"TableName", spec.name},
                               {"TimeToLiveSpecification", TimeToLive(*spec.ttl_attribute)}}});
  }
  if (spec.recovery.enabled) {
    calls.push_back({.operation = "UpdateContinuousBackups",
                     .input = {{"TableName", spec.name},
                               {"PointInTimeRecoverySpecification", Recovery(spec.recovery)}}});
  }
  return calls;
}

Map MakeCloudFormation(const std::map<std::string, TableSpec>& tables) {
  Map resources;
  for (const auto& [logical_id, spec] : tables) {
    resources.Set(logical_id, CloudFormationResource(spec));
  }
  return {{"AWSTemplateFormatVersion", "2010-09-09"}, {"Resources", std::move(resources)}};
}

Map MakeCloudFormation(const TableSpec& spec) {
  return MakeCloudFormation(std::map<std::string, TableSpec>{{LogicalId(spec.name), spec}});
}

Map MakeTerraform(const std::map<std::string, TableSpec>& tables) {
  Map resources;
  for (const auto& [name, spec] : tables) {
    resources.Set(name, TerraformResource(spec));
  }
  return {{"resource", Map{{"aws_dynamodb_table", std::move(resources)}}}};
}

Map MakeTerraform(const TableSpec& spec) {
  return MakeTerraform(std::map<std::string, TableSpec>{{ResourceName(spec.name), spec}});
}

std::string LogicalId(std::string_view table) {
  std::string id;
  bool begins_word = true;
  for (const char character : table) {
    if (!IsLetterOrDigit(character)) {
      begins_word = true;
      continue;
    }
    const bool is_lower = character >= 'a' && character <= 'z';
    id.push_back(begins_word && is_lower ? static_cast<char>(character - 'a' + 'A') : character);
    begins_word = false;
  }
  return id + "Table";
}

std::string ResourceName(std::string_view table) {
  std::string name;
  // A name begins with a letter or an underscore.
  if (!table.empty() && table.front() >= '0' && table.front() <= '9') {
    name.push_back('_');
  }
  for (const char character : table) {
    name.push_back(IsLetterOrDigit(character) ? character : '_');
  }
  return name;
}

}  // namespace stator::provision
