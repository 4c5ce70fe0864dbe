// Records of a stream as rows, stored as items. docs/format.md, "Stream records", names their
// attributes. The number of a record is in its key (keys.h).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/api/streams.h"
#include "stator/api/table_types.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

struct StreamRecordRow {
  StreamEventName event = StreamEventName::kInsert;
  TimePoint time = {};
  StreamViewType view = StreamViewType::kKeysOnly;
  Item keys = {};
  std::optional<Item> new_image = std::nullopt;
  std::optional<Item> old_image = std::nullopt;
  std::int64_t bytes = 0;  // of keys and images, as AWS counts them
  bool by_expiry = false;  // the item was removed because its time was over
};

// REQUIRES: there are keys.
void AppendStreamRecordRow(StreamRecordRow record, std::string& bytes);
Result<StreamRecordRow> DecodeStreamRecordRow(std::string_view bytes);

// `time` or `keys` alone, without reading the images.
Result<TimePoint> DecodeStreamRecordTime(std::string_view bytes);
Result<Item> DecodeStreamRecordKeys(std::string_view bytes);

}  // namespace stator::keyspace
