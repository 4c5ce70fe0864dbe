#include "storage/row_cache.h"

#include <functional>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

// A large row takes long to read anyway, and the room of many small ones.
constexpr std::size_t kRowBytesMax = 16 << 10;

constexpr std::size_t kBucketsAtFirst = 16;

// The bits that neither choose the shard nor the door.
std::uint32_t MarkOf(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32U) | 1U;
}

}  // namespace

CachedRow*& RowCache::Shard::PlaceOf(std::uint64_t hash) {
  // Not the lowest bits, which all of a shard have in common.
  CachedRow** place = &buckets[hash >> 32U & (buckets.size() - 1)];
  while (*place != nullptr && (*place)->hash() != hash) {
    place = &(*place)->next_in_bucket;
  }
  return *place;
}

void RowCache::Shard::Add(RowPtr row) {
  Drop(row->hash());
  if (count >= buckets.size()) {
    Widen();
  }
  CachedRow& added = *row.Release();
  added.next_in_bucket = nullptr;
  CHECK_THAT(std::exchange(PlaceOf(added.hash()), &added) == nullptr, "it was dropped");
  Enqueue(added);
  ++count;
  bytes += added.bytes();
}

bool RowCache::Shard::Drop(std::uint64_t hash) {
  if (count == 0) {
    return false;
  }
  CachedRow*& place = PlaceOf(hash);
  if (place == nullptr) {
    return false;
  }
  const RowPtr row = RowPtr::Adopt(place);
  CachedRow& dropped = *place;
  place = dropped.next_in_bucket;
  Dequeue(dropped);
  --count;
  bytes -= dropped.bytes();
  return true;
}

void RowCache::Shard::DropAll() {
  while (oldest != nullptr) {
    Drop(oldest->hash());
  }
  DCHECK(count == 0 && bytes == 0);
}

void RowCache::Shard::MakeRoom(std::size_t bytes_max) {
  // Each is passed once at most: who is passed is not asked for meanwhile.
  while (bytes > bytes_max && oldest != nullptr) {
    CachedRow& row = *oldest;
    if (std::exchange(row.was_asked_for, false)) {
      Dequeue(row);
      Enqueue(row);
    } else {
      Drop(row.hash());
    }
  }
}

void RowCache::Shard::Enqueue(CachedRow& row) {
  row.newer = nullptr;
  row.older = newest;
  (newest != nullptr ? newest->newer : oldest) = &row;
  newest = &row;
}

void RowCache::Shard::Dequeue(CachedRow& row) {
  (row.newer != nullptr ? row.newer->older : newest) = row.older;
  (row.older != nullptr ? row.older->newer : oldest) = row.newer;
}

void RowCache::Shard::Widen() {
  buckets.assign(buckets.empty() ? kBucketsAtFirst : 2 * buckets.size(), nullptr);
  for (CachedRow* row = oldest; row != nullptr; row = row->newer) {
    row->next_in_bucket = nullptr;
    PlaceOf(row->hash()) = row;
  }
}

RowCache::RowCache(std::size_t bytes_max)
    : shard_bytes_max_(bytes_max / kShards), shards_(bytes_max / kShards > 0 ? kShards : 0) {}

RowCache::~RowCache() {
  for (Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    shard.DropAll();
  }
}

std::uint64_t RowCache::HashOf(std::string_view key) {
  return std::hash<std::string_view>()(key);
}

RowPtr RowCache::Find(std::string_view key, Visit& visit) {
  if (!is_enabled()) {
    return {};
  }
  visit.hash = HashOf(key);
  Shard& shard = ShardOf(visit.hash);
  const MutexLock lock(shard.mutex);
  if (shard.count > 0) {
    if (CachedRow* const row = shard.PlaceOf(visit.hash); row != nullptr && row->key() == key) {
      row->was_asked_for = true;
      return RowPtr(row);
    }
  }
  Door& door = shard.doors[DoorOf(visit.hash)];
  visit.version = door.version;
  visit.welcome = door.writers == 0 &&
                  std::exchange(door.last_missed, MarkOf(visit.hash)) == MarkOf(visit.hash);
  return {};
}

void RowCache::Offer(std::string_view key, const Visit& visit, std::string_view value) {
  if (!visit.welcome || value.size() > kRowBytesMax) {
    return;
  }
  RowPtr row = CachedRow::Make(visit.hash, key, value);
  Shard& shard = ShardOf(visit.hash);
  const MutexLock lock(shard.mutex);
  const Door& door = shard.doors[DoorOf(visit.hash)];
  if (door.writers != 0 || door.version != visit.version) {
    return;
  }
  shard.Add(std::move(row));
  shard.MakeRoom(shard_bytes_max_);
}

RowCache::Closing RowCache::Close(std::string_view key) {
  const std::uint64_t hash = HashOf(key);
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  Door& door = shard.doors[DoorOf(hash)];
  ++door.writers;
  return {.hash = hash, .version = ++door.version, .was_here = shard.Drop(hash)};
}

void RowCache::Reopen(const Closing& closing) {
  Shard& shard = ShardOf(closing.hash);
  const MutexLock lock(shard.mutex);
  Door& door = shard.doors[DoorOf(closing.hash)];
  CHECK(door.writers > 0);
  --door.writers;
}

void RowCache::Reopen(const Closing& closing, std::string_view key, std::string_view value) {
  if (!closing.was_here || value.size() > kRowBytesMax) {
    Reopen(closing);
    return;
  }
  RowPtr row = CachedRow::Make(closing.hash, key, value);
  Shard& shard = ShardOf(closing.hash);
  const MutexLock lock(shard.mutex);
  Door& door = shard.doors[DoorOf(closing.hash)];
  CHECK(door.writers > 0);
  if (--door.writers == 0 && door.version == closing.version) {
    shard.Add(std::move(row));
    shard.MakeRoom(shard_bytes_max_);
  }
}

std::size_t RowCache::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    all += shard.bytes;
  }
  return all;
}

}  // namespace stator::storage
