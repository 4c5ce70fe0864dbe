#include "stator/provision/table_spec.h"

#include <algorithm>
#include <set>

#include "base/try.h"

namespace stator::provision {
namespace {

constexpr int kRecoveryDaysMax = 35;  // of Amazon DynamoDB

Result<void> CheckKeys(const std::vector<KeySchemaElement>& keys, const std::string& whose) {
  const bool has_shape = (keys.size() == 1 || keys.size() == 2) &&
                         keys.front().key_type == KeyType::kHash &&
                         (keys.size() == 1 || keys.back().key_type == KeyType::kRange);
  if (!has_shape) {
    return Invalid(whose + " needs a partition key and at most one sort key, in this order");
  }
  return {};
}

// The names of all key attributes; fails when keys or names of indexes are impossible.
Result<std::set<std::string>> KeyAttributes(const TableSpec& spec) {
  std::set<std::string> used;
  std::set<std::string> index_names;
  const auto use = [&](const std::vector<KeySchemaElement>& keys,
                       const std::string& whose) -> Result<void> {
    TRY_VOID(CheckKeys(keys, whose));
    for (const KeySchemaElement& key : keys) {
      used.insert(key.attribute_name);
    }
    return {};
  };
  TRY_VOID(use(spec.keys, "the table " + spec.name));
  const auto use_index = [&](const auto& index) -> Result<void> {
    if (!index_names.insert(index.index_name).second) {
      return Invalid("two indexes of " + spec.name + " are called " + index.index_name);
    }
    return use(index.key_schema, "the index " + index.index_name);
  };
  for (const GlobalSecondaryIndex& index : spec.global_indexes) {
    TRY_VOID(use_index(index));
  }
  for (const LocalSecondaryIndex& index : spec.local_indexes) {
    TRY_VOID(use_index(index));
    if (index.key_schema.front() != spec.keys.front()) {
      return Invalid("the local index " + index.index_name +
                     " needs the partition key of its table");
    }
  }
  return used;
}

}  // namespace

void DefineAttribute(TableSpec& spec, std::string_view name, ScalarAttributeType type) {
  const bool is_there = std::any_of(
      spec.attributes.begin(), spec.attributes.end(),
      [&](const AttributeDefinition& defined) { return defined.attribute_name == name; });
  if (!is_there) {
    spec.attributes.push_back({.attribute_name = std::string(name), .attribute_type = type});
  }
}

Result<void> CheckSpec(const TableSpec& spec) {
  std::set<std::string> undefined = TRY(KeyAttributes(spec));
  for (const AttributeDefinition& attribute : spec.attributes) {
    if (undefined.erase(attribute.attribute_name) == 0) {
      return Invalid("the attribute " + attribute.attribute_name + " of " + spec.name +
                     " is defined twice or is no key");
    }
  }
  if (!undefined.empty()) {
    return Invalid("the key attribute " + *undefined.begin() + " of " + spec.name +
                   " has no definition");
  }
  if (spec.recovery.enabled && (spec.recovery.days < 1 || spec.recovery.days > kRecoveryDaysMax)) {
    return Invalid("the recovery period of " + spec.name + " is not 1 to 35 days");
  }
  return {};
}

CreateTableInput MakeCreateTableInput(const TableSpec& spec) {
  CreateTableInput input{.table_name = spec.name,
                         .attribute_definitions = spec.attributes,
                         .key_schema = spec.keys,
                         .billing_mode = BillingMode::kPayPerRequest,
                         .provisioned_throughput = spec.throughput};
  if (spec.throughput) {
    input.billing_mode = BillingMode::kProvisioned;
  }
  if (!spec.local_indexes.empty()) {
    input.local_secondary_indexes = spec.local_indexes;
  }
  if (!spec.global_indexes.empty()) {
    input.global_secondary_indexes = spec.global_indexes;
  }
  if (spec.stream) {
    input.stream_specification = {.stream_enabled = true, .stream_view_type = spec.stream};
  }
  if (spec.encryption) {
    input.sse_specification = {.enabled = true, .sse_type = SseType::kKms};
    if (!spec.encryption->kms_key_id.empty()) {
      input.sse_specification->kms_master_key_id = spec.encryption->kms_key_id;
    }
  }
  if (!spec.tags.empty()) {
    input.tags = spec.tags;
  }
  if (spec.deletion_protection) {
    input.deletion_protection_enabled = true;
  }
  return input;
}

}  // namespace stator::provision
