#include "engine/table_checks.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/try.h"

namespace stator::engine {
namespace {

const std::string kInvalid =
    "One or more parameter values were invalid: ";  // NOLINT(cert-err58-cpp)

// More than this cannot be asked for, whatever the account's quota.
constexpr std::int64_t kThroughputBound = 1'000'000'000'000;

template <class Range, class Projection>
std::string Joined(const Range& range, Projection name_of) {
  std::string text = "[";
  for (const auto& element : range) {
    if (text.size() > 1) {
      text += ", ";
    }
    text += std::invoke(name_of, element);
  }
  return text + "]";
}

bool IsDefined(const std::vector<AttributeDefinition>& definitions, const std::string& name) {
  return std::any_of(definitions.begin(), definitions.end(),
                     [&](const auto& definition) { return definition.attribute_name == name; });
}

Result<void> CheckKeysAreDefined(const std::vector<KeySchemaElement>& schema,
                                 const std::vector<AttributeDefinition>& definitions) {
  const bool all_defined = std::all_of(schema.begin(), schema.end(), [&](const auto& element) {
    return IsDefined(definitions, element.attribute_name);
  });
  if (!all_defined) {
    return Invalid(
        kInvalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
        Joined(schema, &KeySchemaElement::attribute_name) +
        ", AttributeDefinitions: " + Joined(definitions, &AttributeDefinition::attribute_name));
  }
  return {};
}

// One partition attribute and at most one sort attribute, in this order.
Result<void> CheckSimpleKeySchema(const std::vector<KeySchemaElement>& schema) {
  if (schema.size() > 2) {
    return Invalid(
        "1 validation error detected: Value '" + Joined(schema, &KeySchemaElement::attribute_name) +
        "' at 'keySchema' failed to satisfy constraint: Member must have length less than or "
        "equal to 2");
  }
  if (schema.size() == 2 && schema[0].attribute_name == schema[1].attribute_name) {
    return Invalid(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (schema[0].key_type != KeyType::kHash) {
    return Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (schema.size() == 2 && schema[1].key_type != KeyType::kRange) {
    return Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

// Up to four partition attributes, then up to four sort attributes, all different.
Result<void> CheckGlobalKeySchema(const std::vector<KeySchemaElement>& schema) {
  std::set<std::string> names;
  for (const KeySchemaElement& element : schema) {
    if (!names.insert(element.attribute_name).second) {
      return Invalid(
          "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }
  }
  if (schema[0].key_type != KeyType::kHash) {
    return Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  const auto is_hash = [](const auto& element) { return element.key_type == KeyType::kHash; };
  if (!std::is_partitioned(schema.begin(), schema.end(), is_hash)) {
    return Invalid(kInvalid +
                   "Invalid KeySchema: HASH key elements must come before RANGE key elements");
  }
  const auto hashes =
      static_cast<std::size_t>(std::count_if(schema.begin(), schema.end(), is_hash));
  if (hashes > limits::kIndexKeyAttributesMax) {
    return Invalid("Too many partition keys. GSI can have at most 4 partition keys");
  }
  if (schema.size() - hashes > limits::kIndexKeyAttributesMax) {
    return Invalid("Too many sort keys. GSI can have at most 4 sort keys");
  }
  return {};
}

std::string NameOf(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll:
      return "ALL";
    case ProjectionType::kKeysOnly:
      return "KEYS_ONLY";
    case ProjectionType::kInclude:
      return "INCLUDE";
  }
  return "";
}

Result<void> CheckProjection(const Projection& projection) {
  if (!projection.projection_type) {
    return Invalid(kInvalid + "Unknown ProjectionType: null");
  }
  if (projection.non_key_attributes && *projection.projection_type != ProjectionType::kInclude) {
    return Invalid(kInvalid + "ProjectionType is " + NameOf(*projection.projection_type) +
                   ", but NonKeyAttributes is specified");
  }
  if (*projection.projection_type == ProjectionType::kInclude && !projection.non_key_attributes) {
    return Invalid(kInvalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (!projection.non_key_attributes) {
    return {};
  }
  std::set<std::string_view> names;
  for (const std::string& name : *projection.non_key_attributes) {
    if (!names.insert(name).second) {
      return Invalid(kInvalid + "Duplicate value in NonKeyAttributes: " + name);
    }
  }
  return {};
}

Result<void> CheckLocalIndexes(const CreateTableInput& input, std::set<std::string>& index_names) {
  if (input.local_secondary_indexes->empty()) {
    return Invalid(kInvalid + "List of LocalSecondaryIndexes is empty");
  }
  if (input.key_schema.size() != 2) {
    return Invalid(kInvalid +
                   "Table KeySchema does not have a range key, which is required when specifying a "
                   "LocalSecondaryIndex");
  }
  for (const LocalSecondaryIndex& index : *input.local_secondary_indexes) {
    TRY_VOID(CheckKeysAreDefined(index.key_schema, input.attribute_definitions));
    TRY_VOID(CheckSimpleKeySchema(index.key_schema));
    if (index.key_schema.size() != 2) {
      return Invalid(kInvalid +
                     "Index KeySchema does not have a range key for index: " + index.index_name);
    }
    const std::string& table_hash = input.key_schema[0].attribute_name;
    if (index.key_schema[0].attribute_name != table_hash) {
      return Invalid(kInvalid +
                     "Index KeySchema does not have the same leading hash key as table KeySchema "
                     "for index: " +
                     index.index_name + ". index hash key: " + index.key_schema[0].attribute_name +
                     ", table hash key: " + table_hash);
    }
    TRY_VOID(CheckProjection(index.projection));
    if (!index_names.insert(index.index_name).second) {
      return Invalid(kInvalid + "Duplicate index name: " + index.index_name);
    }
  }
  if (input.local_secondary_indexes->size() > limits::kLocalIndexesMax) {
    return Invalid(kInvalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  }
  return {};
}

Result<void> CheckGlobalIndexes(const CreateTableInput& input, std::set<std::string>& index_names) {
  if (input.global_secondary_indexes->empty()) {
    return Invalid(kInvalid + "List of GlobalSecondaryIndexes is empty");
  }
  const BillingMode billing_mode = input.billing_mode.value_or(BillingMode::kProvisioned);
  for (const GlobalSecondaryIndex& index : *input.global_secondary_indexes) {
    TRY_VOID(CheckNewGlobalIndex(index, input.attribute_definitions, billing_mode));
    if (!index_names.insert(index.index_name).second) {
      return Invalid(kInvalid + "Duplicate index name: " + index.index_name);
    }
  }
  if (input.global_secondary_indexes->size() > limits::kGlobalIndexesMax) {
    return Invalid(kInvalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  return {};
}

// At least one, or -1 for no maximum.
Result<void> CheckMaximum(const std::optional<OnDemandThroughput>& throughput) {
  const auto is_bad = [](const std::optional<std::int64_t>& units) {
    return units && *units < 1 && *units != -1;
  };
  if (throughput &&
      (is_bad(throughput->max_read_request_units) || is_bad(throughput->max_write_request_units))) {
    return Invalid("Table read and write throughput must be at least 1, and cannot be null");
  }
  return {};
}

Result<void> CheckBilling(const CreateTableInput& input) {
  TRY_VOID(CheckMaximum(input.on_demand_throughput));
  if (input.billing_mode == BillingMode::kPayPerRequest) {
    if (input.provisioned_throughput) {
      return Invalid(kInvalid +
                     "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                     "BillingMode is PAY_PER_REQUEST");
    }
    return {};
  }
  if (!input.provisioned_throughput) {
    return Invalid(kInvalid +
                   "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                   "BillingMode is PROVISIONED");
  }
  return CheckThroughputBounds(*input.provisioned_throughput);
}

// Every defined attribute is part of some key.
Result<void> CheckDefinitionsAreUsed(const CreateTableInput& input) {
  std::set<std::string> used;
  const auto use = [&](const std::vector<KeySchemaElement>& schema) {
    for (const KeySchemaElement& element : schema) {
      used.insert(element.attribute_name);
    }
  };
  use(input.key_schema);
  if (!input.local_secondary_indexes && !input.global_secondary_indexes) {
    if (used.size() != input.attribute_definitions.size()) {
      return Invalid(kInvalid +
                     "Number of attributes in KeySchema does not exactly match number of "
                     "attributes defined in AttributeDefinitions");
    }
    return {};
  }
  for (const auto& index :
       input.local_secondary_indexes.value_or(std::vector<LocalSecondaryIndex>())) {
    use(index.key_schema);
  }
  for (const auto& index :
       input.global_secondary_indexes.value_or(std::vector<GlobalSecondaryIndex>())) {
    use(index.key_schema);
  }
  if (used.size() != input.attribute_definitions.size()) {
    return Invalid(kInvalid + "Some AttributeDefinitions are not used. AttributeDefinitions: " +
                   Joined(input.attribute_definitions, &AttributeDefinition::attribute_name) +
                   ", keys used: " + Joined(used, [](const std::string& name) { return name; }));
  }
  return {};
}

Result<void> CheckTableKeySchema(const CreateTableInput& input) {
  std::set<std::string> defined;
  for (const AttributeDefinition& definition : input.attribute_definitions) {
    if (!defined.insert(definition.attribute_name).second) {
      return Invalid(kInvalid + "Duplicate AttributeName in AttributeDefinitions: " +
                     definition.attribute_name);
    }
  }
  if (input.key_schema.size() > input.attribute_definitions.size()) {
    return Invalid("Invalid KeySchema: Some index key attribute have no definition");
  }
  TRY_VOID(CheckKeysAreDefined(input.key_schema, input.attribute_definitions));
  return CheckSimpleKeySchema(input.key_schema);
}

// Letters of all languages, which are what UTF-8 has beyond ASCII, as far as tags go.
bool IsTagText(std::string_view text) {
  constexpr std::string_view kSigns = " +-=._:/";
  return std::all_of(text.begin(), text.end(), [&](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || (static_cast<unsigned char>(each) & 0x80U) != 0 ||
           kSigns.contains(each);
  });
}

std::size_t ProjectedAttributes(const CreateTableInput& input) {
  std::size_t count = 0;
  const auto add = [&](const Projection& projection) {
    count += projection.non_key_attributes ? projection.non_key_attributes->size() : 0;
  };
  for (const auto& index :
       input.local_secondary_indexes.value_or(std::vector<LocalSecondaryIndex>())) {
    add(index.projection);
  }
  for (const auto& index :
       input.global_secondary_indexes.value_or(std::vector<GlobalSecondaryIndex>())) {
    add(index.projection);
  }
  return count;
}

Result<void> CheckProjectedCount(std::size_t count) {
  if (count > limits::kProjectedAttributesMax) {
    return Invalid(kInvalid +
                   "The total number of NonKeyAttributes over all indexes exceeds the per-table "
                   "limit of 100");
  }
  return {};
}

}  // namespace

Result<void> CheckCreateTable(const CreateTableInput& input) {
  TRY_VOID(CheckBilling(input));
  TRY_VOID(CheckTableKeySchema(input));
  std::set<std::string> index_names;
  if (input.global_secondary_indexes) {
    TRY_VOID(CheckGlobalIndexes(input, index_names));
  }
  if (input.local_secondary_indexes) {
    TRY_VOID(CheckLocalIndexes(input, index_names));
  }
  TRY_VOID(CheckDefinitionsAreUsed(input));
  TRY_VOID(CheckProjectedCount(ProjectedAttributes(input)));
  if (input.stream_specification) {
    TRY_VOID(CheckStreamSpecification(*input.stream_specification));
  }
  if (input.tags) {
    TRY_VOID(CheckTags(*input.tags));
  }
  return {};
}

Result<void> CheckNewGlobalIndex(const GlobalSecondaryIndex& index,
                                 const std::vector<AttributeDefinition>& definitions,
                                 BillingMode billing_mode) {
  TRY_VOID(CheckKeysAreDefined(index.key_schema, definitions));
  TRY_VOID(CheckGlobalKeySchema(index.key_schema));
  TRY_VOID(CheckProjection(index.projection));
  if (billing_mode == BillingMode::kPayPerRequest && index.provisioned_throughput) {
    return Invalid(kInvalid + "ProvisionedThroughput should not be specified for index: " +
                   index.index_name + " when BillingMode is PAY_PER_REQUEST");
  }
  if (billing_mode == BillingMode::kProvisioned && !index.provisioned_throughput) {
    return Invalid(kInvalid +
                   "ProvisionedThroughput is not specified for index: " + index.index_name);
  }
  if (index.provisioned_throughput) {
    return CheckThroughputBounds(*index.provisioned_throughput);
  }
  return {};
}

Result<void> CheckProjectedAttributes(const std::vector<Index>& indexes) {
  std::size_t count = 0;
  for (const Index& index : indexes) {
    count += index.non_key_attributes.size();
  }
  return CheckProjectedCount(count);
}

Result<void> CheckThroughputBounds(const ProvisionedThroughput& throughput) {
  const auto check = [](std::int64_t units, const char* what) -> Result<void> {
    if (units > kThroughputBound) {
      return Invalid("Given value " + std::to_string(units) + " for " + what + " is out of bounds");
    }
    return {};
  };
  TRY_VOID(check(throughput.read_capacity_units, "ReadCapacityUnits"));
  return check(throughput.write_capacity_units, "WriteCapacityUnits");
}

Result<void> CheckStreamSpecification(const StreamSpecification& specification) {
  if (specification.stream_enabled && !specification.stream_view_type) {
    return Invalid(kInvalid + "StreamViewType must be specified when StreamEnabled is true");
  }
  if (!specification.stream_enabled && specification.stream_view_type) {
    return Invalid(kInvalid + "StreamViewType cannot be specified when StreamEnabled is false");
  }
  return {};
}

Result<void> CheckTags(const std::vector<Tag>& tags) {
  if (tags.size() > limits::kTagsMax) {
    return Invalid(kInvalid + "Too many tags: the limit is " + std::to_string(limits::kTagsMax));
  }
  std::set<std::string> keys;
  for (const Tag& tag : tags) {
    if (!IsTagText(tag.key) || !IsTagText(tag.value)) {
      return Invalid(kInvalid +
                     "Tags can only contain letters, digits, spaces and the characters + - = . _ : "
                     "/");
    }
    if (!keys.insert(tag.key).second) {
      return Invalid("Duplicate Tag Keys are not allowed. Duplicate key: " + tag.key);
    }
    if (tag.key.starts_with("aws:")) {
      return Invalid("Tag keys starting with aws: are reserved for system use");
    }
  }
  return {};
}

}  // namespace stator::engine
