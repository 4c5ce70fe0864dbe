#include "engine/stream_record.h"

#include <charconv>
#include <utility>

#include "base/try.h"
#include "engine/row_fields.h"
#include "keyspace/item_codec.h"
#include "keyspace/keys.h"
#include "value/size.h"

namespace stator::engine {
namespace {

constexpr std::size_t kSequenceDigits = 21;

bool ShowsNew(StreamViewType view) {
  return view == StreamViewType::kNewImage || view == StreamViewType::kNewAndOldImages;
}

bool ShowsOld(StreamViewType view) {
  return view == StreamViewType::kOldImage || view == StreamViewType::kNewAndOldImages;
}

StreamEventName EventOf(const ItemChange& change) {
  if (change.before == nullptr) {
    return StreamEventName::kInsert;
  }
  return change.after == nullptr ? StreamEventName::kRemove : StreamEventName::kModify;
}

// The same for one record whenever it is read, different for every record.
std::string EventId(std::uint32_t stream, std::uint64_t sequence) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  // Two rounds of a 64-bit mixer; a plain number would suggest an order that ids do not promise.
  const auto mix = [](std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31U);
  };
  const std::uint64_t halves[] = {mix(sequence + 0x9E3779B97F4A7C15ULL * (stream + 1ULL)),
                                  mix(~sequence ^ (static_cast<std::uint64_t>(stream) << 32U))};
  std::string id;
  for (const std::uint64_t half : halves) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      id.push_back(kDigits[(half >> static_cast<unsigned>(shift)) & 15U]);
    }
  }
  return id;
}

}  // namespace

void AppendStreamRecord(Core& core, const ItemChange& change, PendingWrite& write) {
  const Stream& stream = *change.table.stream;
  Item keys = KeyOf(change.table, change.after != nullptr ? *change.after : *change.before);
  std::size_t bytes = value::SizeOfItem(keys);
  Map fields{{"event", EnumValue(EventOf(change))},
             {"time", TimeValue(core.clock.Now())},
             {"view", EnumValue(stream.view)},
             {"keys", std::move(keys)}};
  if (ShowsNew(stream.view) && change.after != nullptr) {
    bytes += value::SizeOfItem(*change.after);
    fields.Set("new", *change.after);
  }
  if (ShowsOld(stream.view) && change.before != nullptr) {
    bytes += value::SizeOfItem(*change.before);
    fields.Set("old", *change.before);
  }
  fields.Set("bytes", static_cast<std::int64_t>(bytes));
  if (change.origin == ChangeOrigin::kExpiry) {
    fields.Set("expiry", true);
  }
  std::string key;
  keyspace::AppendStreamRecordKey(stream.id, 0, key);
  std::string row;
  keyspace::AppendItem(fields, row);
  write.batch.PutStamped(key, key.size() - sizeof(std::uint64_t), storage::StampKind::kSequence,
                         row);
}

Result<StreamRecord> DecodeStreamRecord(std::uint32_t stream, std::uint64_t sequence,
                                        std::string_view row, const std::string& region) {
  const Map fields = TRY(keyspace::DecodeItem(row));
  StreamRecord record;
  record.event_id = EventId(stream, sequence);
  record.event_name = TRY(EnumField(fields, "event", StreamEventName::kRemove));
  record.aws_region = region;
  record.approximate_creation_date_time =
      std::chrono::floor<std::chrono::seconds>(TimeFrom(TRY(IntegerField(fields, "time"))));
  record.keys = TRY(Field<Map>(fields, "keys"));
  record.new_image = TRY(OptionalField<Map>(fields, "new"));
  record.old_image = TRY(OptionalField<Map>(fields, "old"));
  record.sequence_number = SequenceText(sequence);
  record.size_bytes = TRY(IntegerField(fields, "bytes"));
  record.stream_view_type = TRY(EnumField(fields, "view", StreamViewType::kKeysOnly));
  if (fields.contains("expiry")) {
    record.user_identity =
        StreamIdentity{.principal_id = "dynamodb.amazonaws.com", .type = "Service"};
  }
  return record;
}

Result<TimePoint> TimeOfStreamRecord(std::string_view row) {
  const std::optional<AttributeValue> time = TRY(keyspace::DecodeAttribute(row, "time"));
  if (!time) {
    return DamagedField("time");
  }
  return TimeFrom(TRY(IntegerField(Map{{"time", *time}}, "time")));
}

std::string SequenceText(std::uint64_t sequence) {
  const std::string digits = std::to_string(sequence);
  return std::string(kSequenceDigits - digits.size(), '0') + digits;
}

std::optional<std::uint64_t> SequenceFrom(std::string_view text) {
  std::uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sequence);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return sequence;
}

}  // namespace stator::engine
