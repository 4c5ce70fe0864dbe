#include "keyspace/stream_row.h"

#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

// On disk: a name behind all others, so that the number of the newest shard, which is known only
// when the row has its place among the commits, is at the end of the row.
constexpr std::string_view kShardsField = "where_shards_begin";
constexpr std::size_t kShardBytes = 16;

AttributeValue ShardsValue(const std::vector<ShardStart>& shards) {
  Binary value;
  for (const ShardStart& shard : shards) {
    base::AppendBigEndian(static_cast<std::uint64_t>(shard.opened_at.time_since_epoch().count()),
                          value.bytes);
    base::AppendBigEndian(shard.first_sequence, value.bytes);
  }
  return value;
}

Result<std::vector<ShardStart>> ShardsFrom(const Binary& value) {
  std::vector<ShardStart> shards;
  std::string_view rest = value.bytes;
  std::uint64_t time = 0;
  std::uint64_t first = 0;
  while (base::TakeBigEndian(rest, time) && base::TakeBigEndian(rest, first)) {
    const TimePoint opened_at = TimeFrom(static_cast<std::int64_t>(time));
    if (!shards.empty() &&
        (first < shards.back().first_sequence || opened_at <= shards.back().opened_at)) {
      return DamagedField(kShardsField);
    }
    shards.push_back({.opened_at = opened_at, .first_sequence = first});
  }
  if (shards.size() * kShardBytes != value.bytes.size() || shards.empty()) {
    return DamagedField(kShardsField);
  }
  return shards;
}

Map OutgoingValue(const Outgoing& outgoing) {
  Map value{{"kinesis_arn", outgoing.kinesis_arn}, {"table", outgoing.table}};
  if (outgoing.precision) {
    value.Set("precision", EnumValue(*outgoing.precision));
  }
  if (outgoing.abandoned) {
    value.Set("abandoned", true);
  }
  return value;
}

Result<Outgoing> OutgoingFrom(const Map& value) {
  Outgoing outgoing;
  outgoing.kinesis_arn = TRY(Field<std::string>(value, "kinesis_arn"));
  outgoing.table = TRY(IdField(value, "table"));
  outgoing.precision = TRY(DecodePrecision(value));
  outgoing.abandoned = value.contains("abandoned");
  return outgoing;
}

}  // namespace

void AppendStreamRow(const StreamRow& row, std::string& bytes) {
  List keys;
  for (const KeySchemaElement& element : row.key_schema) {
    keys.emplace_back(element.attribute_name);
  }
  Map fields{{"id", row.stream.id},
             {"label", row.stream.label},
             {"view", EnumValue(row.stream.view)},
             {"table", row.table_name},
             {"table_arn", row.table_arn},
             {"created_at", TimeValue(row.created_at)},
             {"keys", std::move(keys)},
             {"first", row.first_sequence},
             {"trimmed", row.trimmed_through}};
  if (row.disabled_at) {
    fields.Set("disabled_at", TimeValue(*row.disabled_at));
  }
  EncodePolicy(row.policy, fields);
  if (row.outgoing) {
    fields.Set("outgoing", OutgoingValue(*row.outgoing));
  }
  if (!row.shards.empty()) {
    fields.Set(std::string(kShardsField), ShardsValue(row.shards));
  }
  value::AppendItem(fields, bytes);
}

void AppendUnnumberedStreamRow(const StreamRow& row, std::string& bytes) {
  CHECK(!row.shards.empty());
  AppendStreamRow(row, bytes);
  std::string number;
  base::AppendBigEndian(row.shards.back().first_sequence, number);
  CHECK_THAT(bytes.ends_with(number), "the number is not where it is filled in");
}

Result<StreamRow> DecodeStreamRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  StreamRow row;
  row.stream.id = TRY(IdField(fields, "id"));
  row.stream.label = TRY(Field<std::string>(fields, "label"));
  row.stream.view = TRY(EnumField(fields, "view", StreamViewType::kKeysOnly));
  row.table_name = TRY(Field<std::string>(fields, "table"));
  row.table_arn = TRY(Field<std::string>(fields, "table_arn"));
  row.created_at = TimeFrom(TRY(IntegerField(fields, "created_at")));
  if (const auto disabled_at = TRY(OptionalIntegerField(fields, "disabled_at"))) {
    row.disabled_at = TimeFrom(*disabled_at);
  }
  KeyType type = KeyType::kHash;
  for (const AttributeValue& name : TRY(Field<List>(fields, "keys"))) {
    if (!name.Is<std::string>()) {
      return DamagedField("keys");
    }
    row.key_schema.push_back({.attribute_name = *name.If<std::string>(), .key_type = type});
    type = KeyType::kRange;
  }
  row.first_sequence = TRY(UnsignedField(fields, "first"));
  row.trimmed_through = TRY(UnsignedField(fields, "trimmed"));
  row.policy = TRY(DecodePolicy(fields));
  if (const auto outgoing = TRY(OptionalField<Map>(fields, "outgoing"))) {
    row.outgoing = TRY(OutgoingFrom(*outgoing));
  }
  if (const auto shards = TRY(OptionalField<Binary>(fields, kShardsField))) {
    row.shards = TRY(ShardsFrom(*shards));
  }
  return row;
}

}  // namespace stator::keyspace
