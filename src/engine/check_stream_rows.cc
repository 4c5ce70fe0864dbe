// The part of CheckDatabase that looks at stream records and at idempotency tokens.

#include <algorithm>
#include <utility>

#include "base/hex.h"
#include "base/limits.h"
#include "engine/check_context.h"
#include "engine/stream_record.h"
#include "keyspace/keys.h"
#include "keyspace/token_row.h"
#include "value/size.h"

namespace stator::engine {
namespace {

bool HasKeys(const StreamRow& stream, const Item& keys) {
  return keys.size() == stream.key_schema.size() &&
         std::all_of(stream.key_schema.begin(), stream.key_schema.end(),
                     [&](const auto& element) { return keys.contains(element.attribute_name); });
}

bool IsOfItem(const Item& image, const Item& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const auto& entry) {
    const AttributeValue* value = image.Find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

// Whether the record shows exactly the images that its stream shows of such an event.
bool ShowsRightImages(const StreamRecord& record) {
  const StreamViewType view = record.stream_view_type;
  const bool both = view == StreamViewType::kNewAndOldImages;
  const bool has_new =
      record.event_name != StreamEventName::kRemove && (both || view == StreamViewType::kNewImage);
  const bool has_old =
      record.event_name != StreamEventName::kInsert && (both || view == StreamViewType::kOldImage);
  return record.new_image.has_value() == has_new && record.old_image.has_value() == has_old;
}

std::int64_t SizeOfRecord(const StreamRecord& record) {
  std::size_t bytes = value::SizeOfItem(record.keys);
  for (const std::optional<Item>* image : {&record.new_image, &record.old_image}) {
    bytes += *image ? value::SizeOfItem(**image) : 0;
  }
  return static_cast<std::int64_t>(bytes);
}

void CheckRecord(CheckContext& context, const StreamRow& stream, const StreamRecord& record,
                 const std::string& name) {
  if (record.stream_view_type != stream.stream.view || !ShowsRightImages(record)) {
    context.Problem(name + ": it does not show what its stream shows");
  }
  const auto is_of_item = [&](const std::optional<Item>& image) {
    return !image || IsOfItem(*image, record.keys);
  };
  if (!HasKeys(stream, record.keys) || !is_of_item(record.new_image) ||
      !is_of_item(record.old_image)) {
    context.Problem(name + ": it does not have the keys of its item");
  }
  if (record.size_bytes != SizeOfRecord(record)) {
    context.Problem(name + ": it is not as large as it says");
  }
}

}  // namespace

void CheckStreamRecordRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.stream_records;
  const Result<keyspace::StreamRecordKey> decoded = keyspace::DecodeStreamRecordKey(key);
  if (!decoded) {
    return context.Problem("a stream record: " + decoded.error().message + ": " + base::HexOf(key));
  }
  const auto stream = context.streams.find(decoded->stream);
  if (stream == context.streams.end()) {
    return context.Problem("a stream record is of no stream, but of the id " +
                           std::to_string(decoded->stream));
  }
  const std::string name =
      "stream " + ArnOf(stream->second) + ", record " + SequenceText(decoded->sequence);
  if (decoded->sequence < stream->second.first_sequence) {
    context.Problem(name + ": it is from before its stream");
  }
  if (decoded->sequence <= stream->second.trimmed_through && !stream->second.outgoing) {
    context.Problem(name + ": it was removed, and is still there");
  }
  const Result<StreamRecord> record =
      DecodeStreamRecord(decoded->stream, decoded->sequence, row, "");
  if (!record) {
    return context.Problem(name + ": " + record.error().message);
  }
  CheckRecord(context, stream->second, *record, name);
}

void CheckTokenRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.tokens;
  const Result<std::string> decoded = keyspace::TokenOfKey(key);
  if (!decoded) {
    return context.Problem("an idempotency token: " + decoded.error().message);
  }
  const std::string& token = *decoded;
  const std::string name = "idempotency token " + token;
  if (token.empty() || token.size() > limits::kClientRequestTokenLengthMax) {
    context.Problem(name + ": no request can have it");
  }
  const Result<keyspace::TokenRow> stored = keyspace::DecodeTokenRow(row);
  if (!stored) {
    return context.Problem(name + ": " + stored.error().message);
  }
  std::string queue_key;
  keyspace::AppendTokenExpiryKey(stored->until, token, queue_key);
  storage::PinnedValue queued;
  if (const std::optional<bool> found = context.Find(queue_key, queued); found && !*found) {
    context.Problem(name + ": nothing will ever forget it");
  }
}

void CheckTokenExpiryRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::TokenExpiryKey> decoded = keyspace::DecodeTokenExpiryKey(key);
  if (!decoded) {
    return context.Problem("a queued token: " + decoded.error().message + ": " + base::HexOf(key));
  }
  const std::string name = "queued idempotency token " + decoded->token;
  if (!row.empty()) {
    context.Problem(name + ": it has a value");
  }
  std::string token_key;
  keyspace::AppendTokenKey(decoded->token, token_key);
  storage::PinnedValue token_row;
  const std::optional<bool> found = context.Find(token_key, token_row);
  if (!found) {
    return;
  }
  if (!*found) {
    return context.Problem(name + ": the token is not there");
  }
  // A token that was used again after its time is queued twice, the second time for later.
  const Result<keyspace::TokenRow> stored = keyspace::DecodeTokenRow(token_row.view());
  if (stored && stored->until < decoded->seconds) {
    context.Problem(name + ": it is queued for longer than it is valid");
  }
}

}  // namespace stator::engine
