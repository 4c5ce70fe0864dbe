// The shards of a stream: one after the other, each the parent of the next. The last one takes new
// records until it is kShardAge old; then it ends, and another goes on (RollOver). So consumers meet
// what they meet on AWS, where a shard ends after some hours. A change of an item is in one shard
// only, and what came before it is in the same or in an earlier one.
//
// INVARIANTS
//
//   (1) Where a shard begins is a number that no record has, given to the stream's row by the same
//       queue that numbers records. So whoever sees the row sees all records before it, and whoever
//       does not see it sees none behind it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_core.h"
#include "engine/stream_row.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::engine {

struct ShardRange {
  std::string id;
  std::optional<std::string> parent = std::nullopt;  // none when it is gone, or never was
  TimePoint opened_at = {};
  std::uint64_t first = 0;
  std::optional<std::uint64_t> end = std::nullopt;  // the first number of the next one, if any
};

// Those that there are, the oldest first; at least one.
std::vector<ShardRange> ShardsOf(const StreamRow& row);

// Nothing when the stream has no shard of that name, or that was opened then (any more).
std::optional<ShardRange> FindShard(const StreamRow& row, std::string_view id);
std::optional<ShardRange> FindShard(const StreamRow& row, TimePoint opened_at);

// When the newest shard has to end; nothing when the stream takes no records.
std::optional<TimePoint> RollOverTime(const StreamRow& row);

// Ends the newest shard and begins another; returns the row as it is then.
// REQUIRES: the catalog's ChangeLock; the stream is enabled.
Result<StreamRow> RollOver(EngineCore& core, StreamRow row)
    STATOR_REQUIRES(core.catalog.change_mutex());

// Takes the shards out of the row that ended before `horizon` and of which no record is left;
// `oldest` is the number of the oldest record that is. Whether there were any.
bool DropOldShards(TimePoint horizon, std::optional<std::uint64_t> oldest, StreamRow& row);

// When the oldest shard can be taken out at the earliest; nothing while it is the only one.
std::optional<TimePoint> DropTime(const StreamRow& row);

}  // namespace stator::engine
