#include "provision/template_parts.h"

#include <utility>

#include "provision/names.h"

namespace stator::provision {
namespace {

List KeySchema(const std::vector<KeySchemaElement>& keys) {
  List list;
  for (const KeySchemaElement& key : keys) {
    list.push_back(Map{{"AttributeName", key.attribute_name}, {"KeyType", NameOf(key.key_type)}});
  }
  return list;
}

Map ProjectionOf(const Projection& projection) {
  Map map{{"ProjectionType", NameOf(projection.projection_type.value_or(ProjectionType::kAll))}};
  if (projection.non_key_attributes) {
    map.Set("NonKeyAttributes",
            List(projection.non_key_attributes->begin(), projection.non_key_attributes->end()));
  }
  return map;
}

Map Throughput(const ProvisionedThroughput& throughput) {
  return {{"ReadCapacityUnits", throughput.read_capacity_units},
          {"WriteCapacityUnits", throughput.write_capacity_units}};
}

template <class Index>
Map CommonIndex(const Index& index) {
  return {{"IndexName", index.index_name},
          {"KeySchema", KeySchema(index.key_schema)},
          {"Projection", ProjectionOf(index.projection)}};
}

Map GlobalIndex(const GlobalSecondaryIndex& index) {
  Map map = CommonIndex(index);
  if (index.provisioned_throughput) {
    map.Set("ProvisionedThroughput", Throughput(*index.provisioned_throughput));
  }
  if (index.on_demand_throughput) {
    Map limits;
    if (index.on_demand_throughput->max_read_request_units) {
      limits.Set("MaxReadRequestUnits", *index.on_demand_throughput->max_read_request_units);
    }
    if (index.on_demand_throughput->max_write_request_units) {
      limits.Set("MaxWriteRequestUnits", *index.on_demand_throughput->max_write_request_units);
    }
    map.Set("OnDemandThroughput", std::move(limits));
  }
  if (index.warm_throughput) {
    Map units;
    if (index.warm_throughput->read_units_per_second) {
      units.Set("ReadUnitsPerSecond", *index.warm_throughput->read_units_per_second);
    }
    if (index.warm_throughput->write_units_per_second) {
      units.Set("WriteUnitsPerSecond", *index.warm_throughput->write_units_per_second);
    }
    map.Set("WarmThroughput", std::move(units));
  }
  return map;
}

}  // namespace

Map CommonProperties(const TableSpec& spec) {
  List attributes;
  for (const AttributeDefinition& attribute : spec.attributes) {
    attributes.push_back(Map{{"AttributeName", attribute.attribute_name},
                             {"AttributeType", NameOf(attribute.attribute_type)}});
  }
  Map map{{"TableName", spec.name},
          {"BillingMode", spec.throughput ? "PROVISIONED" : "PAY_PER_REQUEST"},
          {"AttributeDefinitions", std::move(attributes)},
          {"KeySchema", KeySchema(spec.keys)}};
  if (spec.throughput) {
    map.Set("ProvisionedThroughput", Throughput(*spec.throughput));
  }
  if (!spec.global_indexes.empty()) {
    List indexes;
    for (const GlobalSecondaryIndex& index : spec.global_indexes) {
      indexes.push_back(GlobalIndex(index));
    }
    map.Set("GlobalSecondaryIndexes", std::move(indexes));
  }
  if (!spec.local_indexes.empty()) {
    List indexes;
    for (const LocalSecondaryIndex& index : spec.local_indexes) {
      indexes.push_back(CommonIndex(index));
    }
    map.Set("LocalSecondaryIndexes", std::move(indexes));
  }
  if (!spec.tags.empty()) {
    List tags;
    for (const Tag& tag : spec.tags) {
      tags.push_back(Map{{"Key", tag.key}, {"Value", tag.value}});
    }
    map.Set("Tags", std::move(tags));
  }
  if (spec.deletion_protection) {
    map.Set("DeletionProtectionEnabled", true);
  }
  return map;
}

Map TimeToLive(const std::string& attribute) {
  return {{"AttributeName", attribute}, {"Enabled", true}};
}

Map Recovery(const PointInTimeRecovery& recovery) {
  return {{"PointInTimeRecoveryEnabled", recovery.enabled},
          {"RecoveryPeriodInDays", recovery.days}};
}

}  // namespace stator::provision
