// Positions in a stream, as opaque text that callers hand back: the stream, the shard, by the
// moment when it was opened, the number of the next record, and when the iterator was given out,
// because it is good for 15 minutes only.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::engine {

struct ShardIterator {
  std::string stream_arn;
  TimePoint shard_opened_at = {};
  std::uint64_t sequence = 0;
  TimePoint given_at = {};
};

std::string EncodeShardIterator(const ShardIterator& iterator);
// kValidation for text that is none.
Result<ShardIterator> DecodeShardIterator(std::string_view text);

}  // namespace stator::engine
