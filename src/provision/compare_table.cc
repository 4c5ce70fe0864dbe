// How a table differs from its spec, as far as DescribeTable says.

#include <algorithm>
#include <utility>

#include "provision/names.h"
#include "stator/provision/ensure_table.h"

namespace stator::provision {
namespace {

using Differences = std::vector<TableDifference>;

template <class Index>
const Index* Find(const std::optional<std::vector<Index>>& indexes, const std::string& name) {
  if (!indexes) {
    return nullptr;
  }
  const auto found = std::find_if(indexes->begin(), indexes->end(),
                                  [&](const Index& index) { return index.index_name == name; });
  return found == indexes->end() ? nullptr : &*found;
}

template <class Wanted, class Found>
void CompareIndexes(const std::vector<Wanted>& wanted,
                    const std::optional<std::vector<Found>>& found, Drift missing,
                    Differences& differences) {
  for (const Wanted& index : wanted) {
    const Found* there = Find(found, index.index_name);
    if (there == nullptr) {
      differences.push_back({.kind = missing,
                             .subject = index.index_name,
                             .wanted = Describe(index.key_schema),
                             .safe = missing == Drift::kMissingGlobalIndex});
      continue;
    }
    if (there->key_schema != index.key_schema) {
      differences.push_back({.kind = Drift::kIndexKeys,
                             .subject = index.index_name,
                             .wanted = Describe(index.key_schema),
                             .found = Describe(there->key_schema)});
    }
    if (!IsSame(index.projection, there->projection)) {
      differences.push_back({.kind = Drift::kIndexProjection,
                             .subject = index.index_name,
                             .wanted = Describe(index.projection),
                             .found = Describe(there->projection)});
    }
  }
}

template <class Wanted, class Found>
void FindUnwanted(const std::vector<Wanted>& wanted, const std::optional<std::vector<Found>>& found,
                  Differences& differences) {
  for (const Found& index : found.value_or(std::vector<Found>())) {
    if (Find(std::optional(wanted), index.index_name) == nullptr) {
      differences.push_back({.kind = Drift::kUnwantedIndex,
                             .subject = index.index_name,
                             .found = Describe(index.key_schema)});
    }
  }
}

// An attribute that the table does not define belongs to an index that is missing.
void CompareTypes(const TableSpec& spec, const TableDescription& table, Differences& differences) {
  for (const AttributeDefinition& there :
       table.attribute_definitions.value_or(std::vector<AttributeDefinition>())) {
    for (const AttributeDefinition& wanted : spec.attributes) {
      if (wanted.attribute_name == there.attribute_name && wanted != there) {
        differences.push_back({.kind = Drift::kAttributeType,
                               .subject = wanted.attribute_name,
                               .wanted = std::string(NameOf(wanted.attribute_type)),
                               .found = std::string(NameOf(there.attribute_type))});
      }
    }
  }
}

void CompareBilling(const TableSpec& spec, const TableDescription& table,
                    Differences& differences) {
  const auto describe = [](bool per_request) {
    return std::string(per_request ? "PAY_PER_REQUEST" : "PROVISIONED");
  };
  const bool per_request = table.billing_mode_summary &&
                           table.billing_mode_summary->billing_mode == BillingMode::kPayPerRequest;
  if (per_request == spec.throughput.has_value()) {
    differences.push_back({.kind = Drift::kBilling,
                           .wanted = describe(!spec.throughput),
                           .found = describe(per_request)});
    return;
  }
  const ProvisionedThroughput there{table.provisioned_throughput.read_capacity_units,
                                    table.provisioned_throughput.write_capacity_units};
  if (spec.throughput && *spec.throughput != there) {
    differences.push_back({.kind = Drift::kThroughput,
                           .wanted = Describe(*spec.throughput),
                           .found = Describe(there)});
  }
}

void CompareEncryption(const TableSpec& spec, const TableDescription& table,
                       Differences& differences) {
  const auto describe = [](bool on, const std::string& key) {
    return on ? "KMS" + (key.empty() ? "" : " " + key) : std::string("a key that AWS owns");
  };
  const std::string wanted = spec.encryption ? spec.encryption->kms_key_id : "";
  const std::string found = table.sse_description ? table.sse_description->kms_master_key_arn : "";
  // The table tells the key's ARN. Ids are its last part; aliases cannot be compared.
  const bool other_key =
      spec.encryption && !wanted.empty() && !wanted.contains("alias/") && !found.ends_with(wanted);
  if (spec.encryption.has_value() != table.sse_description.has_value() || other_key) {
    differences.push_back({.kind = Drift::kEncryption,
                           .wanted = describe(spec.encryption.has_value(), wanted),
                           .found = describe(table.sse_description.has_value(), found)});
  }
}

void CompareStream(const TableSpec& spec, const TableDescription& table, Differences& differences) {
  std::optional<StreamViewType> stream;
  if (table.stream_specification && table.stream_specification->stream_enabled) {
    stream = table.stream_specification->stream_view_type;
  }
  if (stream != spec.stream) {
    differences.push_back(
        {.kind = Drift::kStream, .wanted = Describe(spec.stream), .found = Describe(stream)});
  }
}

}  // namespace

std::vector<TableDifference> CompareTable(const TableSpec& spec, const TableDescription& table) {
  Differences differences;
  const std::vector<KeySchemaElement> keys =
      table.key_schema.value_or(std::vector<KeySchemaElement>());
  if (keys != spec.keys) {
    differences.push_back(
        {.kind = Drift::kKeys, .wanted = Describe(spec.keys), .found = Describe(keys)});
  }
  CompareTypes(spec, table, differences);
  CompareIndexes(spec.global_indexes, table.global_secondary_indexes, Drift::kMissingGlobalIndex,
                 differences);
  CompareIndexes(spec.local_indexes, table.local_secondary_indexes, Drift::kMissingLocalIndex,
                 differences);
  FindUnwanted(spec.global_indexes, table.global_secondary_indexes, differences);
  FindUnwanted(spec.local_indexes, table.local_secondary_indexes, differences);
  CompareBilling(spec, table, differences);
  CompareStream(spec, table, differences);
  CompareEncryption(spec, table, differences);
  if (table.deletion_protection_enabled != spec.deletion_protection) {
    differences.push_back({.kind = Drift::kDeletionProtection,
                           .wanted = spec.deletion_protection ? "on" : "off",
                           .found = table.deletion_protection_enabled ? "on" : "off"});
  }
  return differences;
}

}  // namespace stator::provision
