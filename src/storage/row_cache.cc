#include "storage/row_cache.h"

#include <functional>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

// A large row takes long to read anyway, and the room of many small ones.
constexpr std::size_t kRowBytesMax = 16 << 10;

// What a row takes beside its key and its value, about: two places in containers, three allocations.
constexpr std::size_t kRowOverhead = 192;

// The bits that neither choose the shard nor the door.
std::uint32_t MarkOf(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32U) | 1U;
}

}  // namespace

std::size_t RowCache::Row::bytes() const {
  return key.size() + value->size() + kRowOverhead;
}

RowCache::RowCache(std::size_t bytes_max)
    : shard_bytes_max_(bytes_max / kShards), shards_(bytes_max / kShards > 0 ? kShards : 0) {}

std::uint64_t RowCache::HashOf(std::string_view key) {
  return std::hash<std::string_view>()(key);
}

RowPtr RowCache::Find(std::string_view key, Visit& visit) {
  if (!is_enabled()) {
    return nullptr;
  }
  visit.hash = HashOf(key);
  Shard& shard = ShardOf(visit.hash);
  const MutexLock lock(shard.mutex);
  if (const auto found = shard.places.find(visit.hash); found != shard.places.end()) {
    const std::list<Row>::iterator row = found->second;
    if (row->key == key) {
      shard.rows.splice(shard.rows.begin(), shard.rows, row);
      return row->value;
    }
  }
  Door& door = shard.doors[DoorOf(visit.hash)];
  visit.version = door.version;
  visit.welcome = door.writers == 0 &&
                  std::exchange(door.last_missed, MarkOf(visit.hash)) == MarkOf(visit.hash);
  return nullptr;
}

void RowCache::Offer(std::string_view key, const Visit& visit, std::string_view value) {
  if (!visit.welcome || value.size() > kRowBytesMax) {
    return;
  }
  auto row = std::make_shared<const std::string>(value);
  Shard& shard = ShardOf(visit.hash);
  const MutexLock lock(shard.mutex);
  const Door& door = shard.doors[DoorOf(visit.hash)];
  if (door.writers != 0 || door.version != visit.version) {
    return;
  }
  shard.Drop(visit.hash);
  shard.rows.push_front({.hash = visit.hash, .key = std::string(key), .value = std::move(row)});
  shard.places.emplace(visit.hash, shard.rows.begin());
  shard.bytes += shard.rows.front().bytes();
  while (shard.bytes > shard_bytes_max_ && !shard.rows.empty()) {
    shard.Drop(shard.rows.back().hash);
  }
}

void RowCache::Close(std::uint64_t hash) {
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  Door& door = shard.doors[DoorOf(hash)];
  ++door.version;
  ++door.writers;
  door.last_missed = 0;
  shard.Drop(hash);
}

void RowCache::Reopen(std::uint64_t hash) {
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  Door& door = shard.doors[DoorOf(hash)];
  CHECK(door.writers > 0);
  --door.writers;
}

std::size_t RowCache::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    all += shard.bytes;
  }
  return all;
}

void RowCache::Shard::Drop(std::uint64_t hash) {
  const auto found = places.find(hash);
  if (found == places.end()) {
    return;
  }
  bytes -= found->second->bytes();
  rows.erase(found->second);
  places.erase(found);
}

WritesTo::WritesTo(RowCache& cache, const WriteBatch& batch) : cache_(cache), batch_(batch) {
  if (cache_.is_enabled()) {
    batch_.VisitKeys([&](std::string_view key) { cache_.Close(RowCache::HashOf(key)); });
  }
}

WritesTo::~WritesTo() {
  if (cache_.is_enabled()) {
    batch_.VisitKeys([&](std::string_view key) { cache_.Reopen(RowCache::HashOf(key)); });
  }
}

}  // namespace stator::storage
