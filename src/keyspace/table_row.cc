#include "keyspace/table_row.h"

#include <initializer_list>
#include <utility>

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

// Enumerators are on disk as their numbers (docs/format.md): none may change, new ones go behind.
template <class Enum>
constexpr bool AreNumbered(std::initializer_list<Enum> enumerators) {
  int number = 0;
  for (const Enum enumerator : enumerators) {
    if (static_cast<int>(enumerator) != number++) {
      return false;
    }
  }
  return true;
}
static_assert(AreNumbered({ScalarAttributeType::kString, ScalarAttributeType::kNumber,
                           ScalarAttributeType::kBinary}));
static_assert(AreNumbered({ProjectionType::kAll, ProjectionType::kKeysOnly,
                           ProjectionType::kInclude}));
static_assert(AreNumbered({BillingMode::kProvisioned, BillingMode::kPayPerRequest}));
static_assert(AreNumbered({TableClass::kStandard, TableClass::kStandardInfrequentAccess}));
static_assert(AreNumbered({IndexStatus::kCreating, IndexStatus::kUpdating, IndexStatus::kDeleting,
                           IndexStatus::kActive}));
static_assert(AreNumbered({StreamViewType::kNewImage, StreamViewType::kOldImage,
                           StreamViewType::kNewAndOldImages, StreamViewType::kKeysOnly}));
static_assert(AreNumbered({SseType::kAes256, SseType::kKms}));
static_assert(AreNumbered({ContributorInsightsMode::kAccessedAndThrottledKeys,
                           ContributorInsightsMode::kThrottledKeys}));

List EncodeKeys(const std::vector<KeyAttribute>& keys) {
  List list;
  for (const KeyAttribute& key : keys) {
    list.emplace_back(Map{{"name", key.name}, {"type", EnumValue(key.type)}});
  }
  return list;
}

Result<std::vector<KeyAttribute>> DecodeKeys(const Map& row, std::string_view field) {
  std::vector<KeyAttribute> keys;
  for (const AttributeValue& entry : TRY(Field<List>(row, field))) {
    const Map* map = entry.If<Map>();
    if (map == nullptr) {
      return DamagedField(field);
    }
    std::string name = TRY(Field<std::string>(*map, "name"));
    const auto type = TRY(EnumField(*map, "type", ScalarAttributeType::kBinary));
    keys.push_back({.name = std::move(name), .type = type});
  }
  return keys;
}

void EncodeThroughput(const ProvisionedThroughput& throughput, std::string_view field, Map& row) {
  row.Set(std::string(field), Map{{"read", throughput.read_capacity_units},
                                  {"write", throughput.write_capacity_units}});
}

Result<std::optional<ProvisionedThroughput>> DecodeThroughput(const Map& row,
                                                              std::string_view field) {
  const std::optional<Map> map = TRY(OptionalField<Map>(row, field));
  if (!map) {
    return std::nullopt;
  }
  return ProvisionedThroughput{.read_capacity_units = TRY(IntegerField(*map, "read")),
                               .write_capacity_units = TRY(IntegerField(*map, "write"))};
}

// OnDemandThroughput and WarmThroughput: two optional counts.
void EncodeCounts(const std::optional<std::int64_t>& read, const std::optional<std::int64_t>& write,
                  std::string_view field, Map& row) {
  Map map;
  if (read) {
    map.Set("read", *read);
  }
  if (write) {
    map.Set("write", *write);
  }
  row.Set(std::string(field), std::move(map));
}

template <class Counts>
Result<std::optional<Counts>> DecodeCounts(const Map& row, std::string_view field) {
  const std::optional<Map> map = TRY(OptionalField<Map>(row, field));
  if (!map) {
    return std::nullopt;
  }
  return Counts{TRY(OptionalIntegerField(*map, "read")), TRY(OptionalIntegerField(*map, "write"))};
}

Map EncodeStream(const Stream& stream) {
  return Map{{"id", stream.id}, {"label", stream.label}, {"view", EnumValue(stream.view)}};
}

Result<std::optional<Stream>> DecodeStream(const Map& row, std::string_view field) {
  const std::optional<Map> map = TRY(OptionalField<Map>(row, field));
  if (!map) {
    return std::nullopt;
  }
  Stream stream;
  stream.id = TRY(IdField(*map, "id"));
  stream.label = TRY(Field<std::string>(*map, "label"));
  stream.view = TRY(EnumField(*map, "view", StreamViewType::kKeysOnly));
  return stream;
}

void EncodeInsights(const std::optional<Insights>& insights, Map& row) {
  if (insights) {
    row.Set("insights", Map{{"enabled", insights->enabled},
                            {"mode", EnumValue(insights->mode)},
                            {"updated_at", TimeValue(insights->updated_at)}});
  }
}

Result<std::optional<Insights>> DecodeInsights(const Map& row) {
  const std::optional<Map> map = TRY(OptionalField<Map>(row, "insights"));
  if (!map) {
    return std::nullopt;
  }
  Insights insights;
  insights.enabled = TRY(Field<bool>(*map, "enabled"));
  insights.mode = TRY(EnumField(*map, "mode", ContributorInsightsMode::kThrottledKeys));
  insights.updated_at = TimeFrom(TRY(IntegerField(*map, "updated_at")));
  return insights;
}

void EncodeKinesis(const std::vector<KinesisDestination>& destinations, Map& row) {
  if (destinations.empty()) {
    return;
  }
  List list;
  for (const KinesisDestination& destination : destinations) {
    Map fields{{"stream_arn", destination.stream_arn}, {"status", EnumValue(destination.status)}};
    if (destination.precision) {
      fields.Set("precision", EnumValue(*destination.precision));
    }
    if (destination.description) {
      fields.Set("description", *destination.description);
    }
    list.emplace_back(std::move(fields));
  }
  row.Set("kinesis", std::move(list));
}

Result<std::vector<KinesisDestination>> DecodeKinesis(const Map& row) {
  std::vector<KinesisDestination> destinations;
  const std::optional<List> list = TRY(OptionalField<List>(row, "kinesis"));
  if (!list) {
    return destinations;
  }
  for (const AttributeValue& entry : *list) {
    const Map* fields = entry.If<Map>();
    if (fields == nullptr) {
      return DamagedField("kinesis");
    }
    KinesisDestination& destination = destinations.emplace_back();
    destination.stream_arn = TRY(Field<std::string>(*fields, "stream_arn"));
    destination.status = TRY(EnumField(*fields, "status", DestinationStatus::kUpdating));
    destination.precision = TRY(DecodePrecision(*fields));
    destination.description = TRY(OptionalField<std::string>(*fields, "description"));
  }
  return destinations;
}

Map EncodeIndex(const IndexRow& stored) {
  const IndexSettings& index = stored.settings;
  Map row{{"id", index.id},
          {"name", index.name},
          {"global", index.global},
          {"partition", EncodeKeys(index.partition)},
          {"sort", EncodeKeys(index.sort)},
          {"projection", EnumValue(index.projection)},
          {"status", EnumValue(index.status)},
          {"backfilling", index.backfilling},
          {"items", stored.figures.items},
          {"bytes", stored.figures.bytes}};
  List include;
  for (const std::string& name : index.non_key_attributes) {
    include.emplace_back(name);
  }
  row.Set("include", std::move(include));
  if (index.provisioned_throughput) {
    EncodeThroughput(*index.provisioned_throughput, "throughput", row);
  }
  if (index.on_demand_throughput) {
    EncodeCounts(index.on_demand_throughput->max_read_request_units,
                 index.on_demand_throughput->max_write_request_units, "on_demand", row);
  }
  if (index.warm_throughput) {
    EncodeCounts(index.warm_throughput->read_units_per_second,
                 index.warm_throughput->write_units_per_second, "warm", row);
  }
  EncodeInsights(index.insights, row);
  return row;
}

Result<IndexRow> DecodeIndex(const Map& row) {
  IndexRow stored;
  IndexSettings& index = stored.settings;
  index.id = TRY(IdField(row, "id"));
  index.name = TRY(Field<std::string>(row, "name"));
  index.global = TRY(Field<bool>(row, "global"));
  index.partition = TRY(DecodeKeys(row, "partition"));
  index.sort = TRY(DecodeKeys(row, "sort"));
  if (index.partition.empty()) {
    return DamagedField("partition");
  }
  index.projection = TRY(EnumField(row, "projection", ProjectionType::kInclude));
  for (const AttributeValue& name : TRY(Field<List>(row, "include"))) {
    if (!name.Is<std::string>()) {
      return DamagedField("include");
    }
    index.non_key_attributes.push_back(*name.If<std::string>());
  }
  index.status = TRY(EnumField(row, "status", IndexStatus::kActive));
  index.backfilling = TRY(Field<bool>(row, "backfilling"));
  index.provisioned_throughput = TRY(DecodeThroughput(row, "throughput"));
  index.on_demand_throughput = TRY(DecodeCounts<OnDemandThroughput>(row, "on_demand"));
  index.warm_throughput = TRY(DecodeCounts<WarmThroughput>(row, "warm"));
  index.insights = TRY(DecodeInsights(row));
  stored.figures.items = TRY(IntegerField(row, "items"));
  stored.figures.bytes = TRY(IntegerField(row, "bytes"));
  return stored;
}

void EncodeOptionalSettings(const TableSettings& table, Map& row) {
  const auto set_time = [&](const char* field, const std::optional<TimePoint>& time) {
    if (time) {
      row.Set(field, TimeValue(*time));
    }
  };
  set_time("on_demand_since", table.on_demand_since);
  set_time("last_increase", table.last_increase);
  set_time("last_decrease", table.last_decrease);
  if (table.on_demand_throughput) {
    EncodeCounts(table.on_demand_throughput->max_read_request_units,
                 table.on_demand_throughput->max_write_request_units, "on_demand", row);
  }
  if (table.warm_throughput) {
    EncodeCounts(table.warm_throughput->read_units_per_second,
                 table.warm_throughput->write_units_per_second, "warm", row);
  }
  if (table.table_class) {
    row.Set("class", EnumValue(*table.table_class));
  }
  if (table.sse) {
    row.Set("sse",
            Map{{"type", EnumValue(table.sse->sse_type)}, {"key", table.sse->kms_master_key_arn}});
  }
  if (table.ttl_attribute) {
    row.Set("ttl", *table.ttl_attribute);
    row.Set("ttl_enabling", table.ttl_enabling);
  }
  if (table.ttl_disabling) {
    row.Set("ttl_disabling", *table.ttl_disabling);
  }
  if (table.stream) {
    row.Set("stream", EncodeStream(*table.stream));
  }
  if (table.latest_stream) {
    row.Set("latest_stream", EncodeStream(*table.latest_stream));
  }
  if (table.history) {
    row.Set("history", Map{{"since", static_cast<std::int64_t>(table.history->since)},
                           {"floor", static_cast<std::int64_t>(table.history->floor)}});
  }
  if (table.recovery) {
    row.Set("recovery", Map{{"since", static_cast<std::int64_t>(table.recovery->since)},
                            {"days", table.recovery->days}});
  }
  if (table.restore) {
    Map restore{{"source", table.restore->source},
                {"source_arn", table.restore->source_arn},
                {"time", static_cast<std::int64_t>(table.restore->time)}};
    if (table.restore->backup_arn) {
      restore.Set("backup_arn", *table.restore->backup_arn);
    }
    row.Set("restore", std::move(restore));
  }
  if (table.importing) {
    row.Set("importing", true);
  }
  if (table.rewind) {
    row.Set("rewind", Map{{"time", static_cast<std::int64_t>(table.rewind->time)},
                          {"before", static_cast<std::int64_t>(table.rewind->before)}});
  }
  EncodePolicy(table.policy, row);
  EncodeInsights(table.insights, row);
  EncodeKinesis(table.kinesis, row);
  if (table.outgoing) {
    row.Set("outgoing", EncodeStream(*table.outgoing));
  }
}

Result<void> DecodeOptionalSettings(const Map& row, TableSettings& table) {
  const auto time = [&](const char* field) -> Result<std::optional<TimePoint>> {
    const std::optional<std::int64_t> microseconds = TRY(OptionalIntegerField(row, field));
    return microseconds ? std::optional(TimeFrom(*microseconds)) : std::nullopt;
  };
  table.on_demand_since = TRY(time("on_demand_since"));
  table.last_increase = TRY(time("last_increase"));
  table.last_decrease = TRY(time("last_decrease"));
  table.on_demand_throughput = TRY(DecodeCounts<OnDemandThroughput>(row, "on_demand"));
  table.warm_throughput = TRY(DecodeCounts<WarmThroughput>(row, "warm"));
  if (row.contains("class")) {
    table.table_class = TRY(EnumField(row, "class", TableClass::kStandardInfrequentAccess));
  }
  if (const std::optional<Map> sse = TRY(OptionalField<Map>(row, "sse"))) {
    table.sse = SseDescription{.sse_type = TRY(EnumField(*sse, "type", SseType::kKms)),
                               .kms_master_key_arn = TRY(Field<std::string>(*sse, "key"))};
  }
  table.ttl_attribute = TRY(OptionalField<std::string>(row, "ttl"));
  table.ttl_enabling = TRY(OptionalField<bool>(row, "ttl_enabling")).value_or(false);
  table.ttl_disabling = TRY(OptionalField<std::string>(row, "ttl_disabling"));
  table.stream = TRY(DecodeStream(row, "stream"));
  table.latest_stream = TRY(DecodeStream(row, "latest_stream"));
  if (const std::optional<Map> history = TRY(OptionalField<Map>(row, "history"))) {
    table.history = History{.since = TRY(UnsignedField(*history, "since")),
                            .floor = TRY(UnsignedField(*history, "floor"))};
  }
  if (const std::optional<Map> recovery = TRY(OptionalField<Map>(row, "recovery"))) {
    table.recovery = Recovery{.since = TRY(UnsignedField(*recovery, "since")),
                              .days = TRY(IntegerField(*recovery, "days"))};
  }
  if (const std::optional<Map> restore = TRY(OptionalField<Map>(row, "restore"))) {
    table.restore.emplace();
    table.restore->source = TRY(IdField(*restore, "source"));
    table.restore->source_arn = TRY(Field<std::string>(*restore, "source_arn"));
    table.restore->time = TRY(UnsignedField(*restore, "time"));
    table.restore->backup_arn = TRY(OptionalField<std::string>(*restore, "backup_arn"));
  }
  table.importing = TRY(OptionalField<bool>(row, "importing")).value_or(false);
  if (const std::optional<Map> rewind = TRY(OptionalField<Map>(row, "rewind"))) {
    table.rewind.emplace();
    table.rewind->time = TRY(UnsignedField(*rewind, "time"));
    table.rewind->before = TRY(UnsignedField(*rewind, "before"));
  }
  table.policy = TRY(DecodePolicy(row));
  table.insights = TRY(DecodeInsights(row));
  table.kinesis = TRY(DecodeKinesis(row));
  table.outgoing = TRY(DecodeStream(row, "outgoing"));
  return {};
}

Result<void> DecodeSchema(const Map& row, TableRow& stored) {
  TableSettings& table = stored.settings;
  for (const KeyAttribute& key : TRY(DecodeKeys(row, "attributes"))) {
    table.attribute_definitions.push_back({.attribute_name = key.name, .attribute_type = key.type});
  }
  std::vector<KeyAttribute> keys = TRY(DecodeKeys(row, "key"));
  if (keys.empty() || keys.size() > 2) {
    return DamagedField("key");
  }
  table.partition = keys[0];
  if (keys.size() == 2) {
    table.sort = keys[1];
  }
  for (const AttributeValue& entry : TRY(Field<List>(row, "indexes"))) {
    if (!entry.Is<Map>()) {
      return DamagedField("indexes");
    }
    stored.indexes.push_back(TRY(DecodeIndex(*entry.If<Map>())));
  }
  table.next_index_id = TRY(IdField(row, "next_index_id"));
  return {};
}

}  // namespace

Result<std::optional<CreationTimePrecision>> DecodePrecision(const Map& row) {
  if (!row.contains("precision")) {
    return std::nullopt;
  }
  return TRY(EnumField(row, "precision", CreationTimePrecision::kMicrosecond));
}

void EncodePolicy(const std::optional<AttachedPolicy>& policy, Map& row) {
  if (policy) {
    row.Set("policy", Map{{"text", policy->text}, {"revision", policy->revision}});
  }
}

Result<std::optional<AttachedPolicy>> DecodePolicy(const Map& row) {
  const std::optional<Map> map = TRY(OptionalField<Map>(row, "policy"));
  if (!map) {
    return std::nullopt;
  }
  AttachedPolicy policy;
  policy.text = TRY(Field<std::string>(*map, "text"));
  policy.revision = TRY(Field<std::string>(*map, "revision"));
  return policy;
}

Map TableRowToMap(const TableRow& row) {
  const TableSettings& table = row.settings;
  std::vector<KeyAttribute> attributes;
  attributes.reserve(table.attribute_definitions.size());
  for (const AttributeDefinition& definition : table.attribute_definitions) {
    attributes.push_back({.name = definition.attribute_name, .type = definition.attribute_type});
  }
  std::vector<KeyAttribute> keys = {table.partition};
  if (table.sort) {
    keys.push_back(*table.sort);
  }
  List indexes;
  for (const IndexRow& index : row.indexes) {
    indexes.emplace_back(EncodeIndex(index));
  }
  List tags;
  for (const Tag& tag : table.tags) {
    tags.emplace_back(Map{{"key", tag.key}, {"value", tag.value}});
  }
  Map fields{{"id", table.id},
             {"name", table.name},
             {"uuid", table.uuid},
             {"arn", table.arn},
             {"created_at", TimeValue(table.created_at)},
             {"attributes", EncodeKeys(attributes)},
             {"key", EncodeKeys(keys)},
             {"indexes", std::move(indexes)},
             {"next_index_id", table.next_index_id},
             {"billing", EnumValue(table.billing_mode)},
             {"billing_given", table.billing_mode_was_given},
             {"deletion_protection", table.deletion_protection},
             {"tags", std::move(tags)},
             {"items", row.figures.items},
             {"bytes", row.figures.bytes}};
  EncodeThroughput(table.provisioned_throughput, "throughput", fields);
  EncodeOptionalSettings(table, fields);
  return fields;
}

void AppendTableRow(const TableRow& row, std::string& bytes) {
  value::AppendItem(TableRowToMap(row), bytes);
}

Result<TableRow> DecodeTableRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  return TableRowFromMap(fields);
}

Result<TableRow> TableRowFromMap(const Map& fields) {
  TableRow row;
  TableSettings& table = row.settings;
  table.id = TRY(IdField(fields, "id"));
  table.name = TRY(Field<std::string>(fields, "name"));
  table.uuid = TRY(Field<std::string>(fields, "uuid"));
  table.arn = TRY(Field<std::string>(fields, "arn"));
  table.created_at = TimeFrom(TRY(IntegerField(fields, "created_at")));
  TRY_VOID(DecodeSchema(fields, row));
  table.billing_mode = TRY(EnumField(fields, "billing", BillingMode::kPayPerRequest));
  table.billing_mode_was_given = TRY(Field<bool>(fields, "billing_given"));
  table.deletion_protection = TRY(Field<bool>(fields, "deletion_protection"));
  table.provisioned_throughput =
      TRY(DecodeThroughput(fields, "throughput")).value_or(ProvisionedThroughput{0, 0});
  for (const AttributeValue& entry : TRY(Field<List>(fields, "tags"))) {
    const Map* tag = entry.If<Map>();
    if (tag == nullptr) {
      return DamagedField("tags");
    }
    std::string key = TRY(Field<std::string>(*tag, "key"));
    std::string value = TRY(Field<std::string>(*tag, "value"));
    table.tags.push_back({.key = std::move(key), .value = std::move(value)});
  }
  row.figures.items = TRY(IntegerField(fields, "items"));
  row.figures.bytes = TRY(IntegerField(fields, "bytes"));
  TRY_VOID(DecodeOptionalSettings(fields, table));
  return row;
}

}  // namespace stator::keyspace
