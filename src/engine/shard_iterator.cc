#include "engine/shard_iterator.h"

#include <optional>

#include "base/base64.h"
#include "base/try.h"
#include "engine/row_fields.h"
#include "keyspace/item_codec.h"

namespace stator::engine {
namespace {

constexpr std::string_view kVersion = "|1|";

}  // namespace

// The ARN stands in front in clear text, as in the service's own iterators, for people who read
// logs.
std::string EncodeShardIterator(const ShardIterator& iterator) {
  std::string bytes;
  keyspace::AppendItem(Map{{"sequence", iterator.sequence}, {"time", TimeValue(iterator.given_at)}},
                       bytes);
  std::string text = iterator.stream_arn;
  text.append(kVersion);
  base::AppendBase64(bytes, text);
  return text;
}

Result<ShardIterator> DecodeShardIterator(std::string_view text) {
  const auto invalid = [] { return Invalid("Invalid ShardIterator"); };
  const std::size_t at = text.find(kVersion);
  if (at == std::string_view::npos) {
    return invalid();
  }
  const std::optional<std::string> bytes = base::DecodeBase64(text.substr(at + kVersion.size()));
  if (!bytes) {
    return invalid();
  }
  const Result<Map> fields = keyspace::DecodeItem(*bytes);
  if (!fields) {
    return invalid();
  }
  const Result<std::int64_t> sequence = IntegerField(*fields, "sequence");
  const Result<std::int64_t> time = IntegerField(*fields, "time");
  if (!sequence || !time || *sequence < 0) {
    return invalid();
  }
  return ShardIterator{.stream_arn = std::string(text.substr(0, at)),
                       .sequence = static_cast<std::uint64_t>(*sequence),
                       .given_at = TimeFrom(*time)};
}

}  // namespace stator::engine
