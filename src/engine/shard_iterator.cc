#include "engine/shard_iterator.h"

#include <limits>
#include <optional>

#include "base/base64.h"
#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"

namespace stator::engine {
namespace {

constexpr std::string_view kVersion = "|3|";
constexpr std::uint64_t kNumberMax = std::numeric_limits<std::int64_t>::max();

}  // namespace

// The ARN stands in front in clear text, as in the service's own iterators, for people who read
// logs.
std::string EncodeShardIterator(const ShardIterator& iterator) {
  std::string bytes;
  base::AppendBigEndian(
      static_cast<std::uint64_t>(iterator.shard_opened_at.time_since_epoch().count()), bytes);
  base::AppendBigEndian(iterator.sequence, bytes);
  base::AppendBigEndian(static_cast<std::uint64_t>(iterator.given_at.time_since_epoch().count()),
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
  std::string_view rest = *bytes;
  std::uint64_t opened_at = 0;
  std::uint64_t sequence = 0;
  std::uint64_t time = 0;
  if (!base::TakeBigEndian(rest, opened_at) || !base::TakeBigEndian(rest, sequence) ||
      !base::TakeBigEndian(rest, time) || !rest.empty() || sequence > kNumberMax ||
      time > kNumberMax) {
    return invalid();
  }
  return ShardIterator{.stream_arn = std::string(text.substr(0, at)),
                       .shard_opened_at = TimePoint(Duration(static_cast<std::int64_t>(opened_at))),
                       .sequence = sequence,
                       .given_at = TimePoint(Duration(static_cast<std::int64_t>(time)))};
}

}  // namespace stator::engine
