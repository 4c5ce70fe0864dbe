#include "engine/shards.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

using keyspace::ShardStart;

std::vector<ShardStart> StartsOf(const StreamRow& row) {
  if (!row.shards.empty()) {
    return row.shards;
  }
  return {{.opened_at = row.created_at, .first_sequence = row.first_sequence}};
}

template <class Predicate>
std::optional<ShardRange> FindIf(const StreamRow& row, Predicate predicate) {
  for (ShardRange& shard : ShardsOf(row)) {
    if (predicate(shard)) {
      return std::move(shard);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<ShardRange> ShardsOf(const StreamRow& row) {
  std::vector<ShardRange> shards;
  for (const ShardStart& start : StartsOf(row)) {
    ShardRange shard{.id = ShardIdOf(row.stream.id, start.opened_at),
                     .opened_at = start.opened_at,
                     .first = start.first_sequence};
    if (!shards.empty()) {
      shards.back().end = start.first_sequence;
      shard.parent = shards.back().id;
    }
    shards.push_back(std::move(shard));
  }
  return shards;
}

std::optional<ShardRange> FindShard(const StreamRow& row, std::string_view id) {
  return FindIf(row, [id](const ShardRange& shard) { return shard.id == id; });
}

std::optional<ShardRange> FindShard(const StreamRow& row, TimePoint opened_at) {
  return FindIf(row, [opened_at](const ShardRange& shard) { return shard.opened_at == opened_at; });
}

std::optional<TimePoint> RollOverTime(const StreamRow& row) {
  if (row.disabled_at || row.outgoing) {
    return std::nullopt;
  }
  return StartsOf(row).back().opened_at + kShardAge;
}

Result<StreamRow> RollOver(EngineCore& core, StreamRow row) {
  CHECK_THAT(!row.disabled_at, "nothing goes on behind the end of a stream");
  row.shards = StartsOf(row);
  // Milliseconds are in the names of shards.
  const TimePoint earliest = row.shards.back().opened_at + std::chrono::milliseconds(1);
  row.shards.push_back({.opened_at = std::max(core.clock.Now(), earliest)});
  std::string bytes;
  keyspace::AppendUnnumberedStreamRow(row, bytes);
  storage::WriteBatch batch;
  batch.PutStampedValue(keyspace::StreamKey(row.stream.id), bytes,
                        bytes.size() - sizeof(std::uint64_t), storage::StampKind::kSequence);
  TRY_VOID(core.store->Write(std::move(batch)));
  std::optional<StreamRow> written = TRY(ReadStream(core, row.stream.id));
  CHECK_THAT(written, "a row that was just written is gone");
  return *std::move(written);
}

bool DropOldShards(TimePoint horizon, std::optional<std::uint64_t> oldest, StreamRow& row) {
  bool dropped = false;
  while (row.shards.size() > 1) {
    const ShardStart& next = row.shards[1];
    if (next.opened_at >= horizon || (oldest && *oldest < next.first_sequence)) {
      break;
    }
    row.trimmed_through = std::max(row.trimmed_through, next.first_sequence - 1);
    row.shards.erase(row.shards.begin());
    dropped = true;
  }
  return dropped;
}

std::optional<TimePoint> DropTime(const StreamRow& row) {
  if (row.shards.size() < 2) {
    return std::nullopt;
  }
  return row.shards[1].opened_at + limits::kStreamRetention;
}

}  // namespace stator::engine
