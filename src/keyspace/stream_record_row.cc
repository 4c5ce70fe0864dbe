#include "keyspace/stream_record_row.h"

#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

// On disk as their numbers.
static_assert(static_cast<int>(StreamEventName::kInsert) == 0 &&
              static_cast<int>(StreamEventName::kModify) == 1 &&
              static_cast<int>(StreamEventName::kRemove) == 2);

void AppendStreamRecordRow(StreamRecordRow record, std::string& bytes) {
  CHECK_THAT(!record.keys.empty(), "a record of no item");
  Map fields{{"event", EnumValue(record.event)},
             {"time", TimeValue(record.time)},
             {"view", EnumValue(record.view)},
             {"keys", std::move(record.keys)},
             {"bytes", record.bytes}};
  if (record.new_image) {
    fields.Set("new", *std::move(record.new_image));
  }
  if (record.old_image) {
    fields.Set("old", *std::move(record.old_image));
  }
  if (record.by_expiry) {
    fields.Set("expiry", true);
  }
  value::AppendItem(fields, bytes);
}

Result<StreamRecordRow> DecodeStreamRecordRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  StreamRecordRow record;
  record.event = TRY(EnumField(fields, "event", StreamEventName::kRemove));
  record.time = TimeFrom(TRY(IntegerField(fields, "time")));
  record.view = TRY(EnumField(fields, "view", StreamViewType::kKeysOnly));
  record.keys = TRY(Field<Map>(fields, "keys"));
  record.new_image = TRY(OptionalField<Map>(fields, "new"));
  record.old_image = TRY(OptionalField<Map>(fields, "old"));
  record.bytes = TRY(IntegerField(fields, "bytes"));
  record.by_expiry = fields.contains("expiry");
  return record;
}

Result<TimePoint> DecodeStreamRecordTime(std::string_view bytes) {
  const std::optional<AttributeValue> time = TRY(value::DecodeAttribute(bytes, "time"));
  if (!time) {
    return DamagedField("time");
  }
  return TimeFrom(TRY(IntegerField(Map{{"time", *time}}, "time")));
}

Result<Item> DecodeStreamRecordKeys(std::string_view bytes) {
  const std::optional<AttributeValue> keys = TRY(value::DecodeAttribute(bytes, "keys"));
  if (!keys || !keys->Is<Map>()) {
    return DamagedField("keys");
  }
  return *keys->If<Map>();
}

}  // namespace stator::keyspace
