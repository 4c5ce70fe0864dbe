#include "engine/stream_record.h"

#include <charconv>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "keyspace/keys.h"
#include "keyspace/stream_record_row.h"
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

}  // namespace

void AppendStreamRecord(EngineCore& core, const Stream& stream, const ItemChange& change,
                        PendingWrite& write) {
  CHECK_THAT(stream.id != 0, "a record for a table without a stream");
  CHECK_THAT(change.before != nullptr || change.after != nullptr, "a change of nothing");
  keyspace::StreamRecordRow record{
      .event = EventOf(change),
      .time = core.clock.Now(),
      .view = stream.view,
      .keys = KeyOf(change.table, change.after != nullptr ? *change.after : *change.before),
      .by_expiry = change.origin == ChangeOrigin::kExpiry};
  std::size_t bytes = value::SizeOfItem(record.keys);
  if (ShowsNew(stream.view) && change.after != nullptr) {
    bytes += value::SizeOfItem(*change.after);
    record.new_image = *change.after;
  }
  if (ShowsOld(stream.view) && change.before != nullptr) {
    bytes += value::SizeOfItem(*change.before);
    record.old_image = *change.before;
  }
  record.bytes = static_cast<std::int64_t>(bytes);
  std::string key;
  const std::size_t number_at = keyspace::AppendUnnumberedStreamRecordKey(stream.id, key);
  std::string row;
  keyspace::AppendStreamRecordRow(std::move(record), row);
  write.batch.PutStamped(key, number_at, storage::StampKind::kSequence, row);
}

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

Result<StreamRecord> DecodeStreamRecord(std::uint32_t stream, std::uint64_t sequence,
                                        std::string_view row, const std::string& region) {
  keyspace::StreamRecordRow stored = TRY(keyspace::DecodeStreamRecordRow(row));
  StreamRecord record;
  record.event_id = EventId(stream, sequence);
  record.event_name = stored.event;
  record.aws_region = region;
  record.approximate_creation_date_time = std::chrono::floor<std::chrono::seconds>(stored.time);
  record.keys = std::move(stored.keys);
  record.new_image = std::move(stored.new_image);
  record.old_image = std::move(stored.old_image);
  record.sequence_number = SequenceText(sequence);
  record.size_bytes = stored.bytes;
  record.stream_view_type = stored.view;
  if (stored.by_expiry) {
    record.user_identity =
        StreamIdentity{.principal_id = "dynamodb.amazonaws.com", .type = "Service"};
  }
  return record;
}

std::string SequenceText(std::uint64_t sequence) {
  const std::string digits = std::to_string(sequence);
  CHECK(digits.size() <= kSequenceDigits);
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
