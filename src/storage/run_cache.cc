#include "storage/run_cache.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

// So many bytes at the beginning of a key say which region it is in: of an item all up to the hash of
// its partition and the beginning of that, of an index entry all but the end of the hash.
constexpr std::size_t kRegionBytes = 10;

// In a region's number the writes that are on their way are counted below this, those that have begun
// in steps of it.
constexpr std::uint64_t kBegun = std::uint64_t{1} << 24U;
constexpr std::uint64_t kOnTheirWay = kBegun - 1;

// What a run takes beside its rows, about: two places in containers, and its bounds.
constexpr std::size_t kRunOverhead = 256;

// Spreads the bits of two numbers over those of one.
std::uint64_t Mix(std::uint64_t first, std::uint64_t second) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (first ^ (second >> 29U) ^ (second << 35U)) * kFactor;
  return mixed ^ (mixed >> 32U);
}

// Whether all keys of [lower, upper) are in the region of `lower`.
bool IsWithinRegion(std::string_view lower, std::string_view upper) {
  return lower.size() >= kRegionBytes && upper.size() >= kRegionBytes &&
         std::memcmp(lower.data(), upper.data(), kRegionBytes) == 0;
}

std::uint64_t HashOf(std::string_view lower, std::string_view upper) {
  const std::hash<std::string_view> hash;
  return Mix(hash(lower), hash(upper));
}

}  // namespace

bool RowRun::Add(std::string_view key, std::string_view value, std::uint32_t note) {
  if (bytes_.size() + key.size() + value.size() + (rows_.size() + 1) * sizeof(Row) > kBytesMax) {
    return false;
  }
  const std::size_t value_at = bytes_.size() + key.size();
  rows_.push_back({.key_at = static_cast<std::uint32_t>(bytes_.size()),
                   .value_at = static_cast<std::uint32_t>(value_at),
                   .end = static_cast<std::uint32_t>(value_at + value.size()),
                   .note = note});
  bytes_.append(key).append(value);
  return true;
}

void RowRun::Reverse() {
  std::reverse(rows_.begin(), rows_.end());
}

std::size_t RowRun::Find(std::string_view key) const {
  const auto found = std::partition_point(rows_.begin(), rows_.end(), [&](const Row& row) {
    return std::string_view(bytes_.data() + row.key_at, row.value_at - row.key_at) < key;
  });
  return static_cast<std::size_t>(found - rows_.begin());
}

std::size_t RowRun::bytes() const {
  return bytes_.capacity() + rows_.capacity() * sizeof(Row);
}

std::size_t RunCache::Kept::bytes() const {
  return lower.size() + upper.size() + run->bytes() + kRunOverhead;
}

RunCache::RunCache(std::size_t bytes_max)
    : shard_bytes_max_(bytes_max / kShards),
      shards_(is_enabled() ? kShards : 0),
      regions_(is_enabled() ? kRegions : 0) {}

std::size_t RunCache::RegionOf(std::string_view key) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (key.size() >= kRegionBytes) {
    std::memcpy(&first, key.data(), sizeof(first));
    std::memcpy(&last, key.data() + kRegionBytes - sizeof(last), sizeof(last));
  } else {
    key.copy(reinterpret_cast<char*>(&first), sizeof(first));
  }
  return static_cast<std::size_t>(Mix(first, last)) % kRegions;
}

RunPtr RunCache::Find(std::string_view lower, std::string_view upper, Visit& visit) {
  visit.welcome = false;
  if (!is_enabled() || !IsWithinRegion(lower, upper)) {
    return nullptr;
  }
  visit.region = RegionOf(lower);
  visit.version = regions_[visit.region];
  if ((visit.version & kOnTheirWay) != 0) {
    return nullptr;
  }
  visit.hash = HashOf(lower, upper);
  Shard& shard = ShardOf(visit.hash);
  const std::size_t at = MarkOf(visit.hash);
  if (shard.kept[at].load(std::memory_order_relaxed) > 0) {
    if (RunPtr run = shard.Find(lower, upper, visit)) {
      return run;
    }
  }
  const std::uint64_t mark = Mix(visit.hash, visit.version + 1);
  visit.welcome = shard.missed[at].exchange(mark, std::memory_order_relaxed) == mark;
  return nullptr;
}

RunPtr RunCache::Shard::Find(std::string_view lower, std::string_view upper, const Visit& visit) {
  const MutexLock lock(mutex);
  const auto found = places.find(visit.hash);
  if (found == places.end()) {
    return nullptr;
  }
  const std::list<Kept>::iterator kept_run = found->second;
  if (kept_run->version != visit.version || kept_run->lower != lower || kept_run->upper != upper) {
    return nullptr;
  }
  runs.splice(runs.begin(), runs, kept_run);
  return kept_run->run;
}

void RunCache::Offer(std::string_view lower, std::string_view upper, const Visit& visit,
                     RowRun run) {
  if (!visit.welcome || regions_[visit.region] != visit.version) {
    return;
  }
  Kept kept = {.hash = visit.hash,
               .lower = std::string(lower),
               .upper = std::string(upper),
               .version = visit.version,
               .run = std::make_shared<const RowRun>(std::move(run))};
  Shard& shard = ShardOf(visit.hash);
  const MutexLock lock(shard.mutex);
  shard.Drop(visit.hash);
  shard.Add(std::move(kept));
  while (shard.bytes > shard_bytes_max_ && !shard.runs.empty()) {
    shard.Drop(shard.runs.back().hash);
  }
}

void RunCache::Close(std::size_t region) {
  regions_[region] += kBegun + 1;
}

void RunCache::Reopen(std::size_t region) {
  const std::uint64_t before = regions_[region]--;
  CHECK((before & kOnTheirWay) != 0);
}

std::size_t RunCache::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    all += shard.bytes;
  }
  return all;
}

void RunCache::Shard::Add(Kept run) {
  const std::uint64_t hash = run.hash;
  bytes += run.bytes();
  runs.push_front(std::move(run));
  places.emplace(hash, runs.begin());
  kept[MarkOf(hash)].fetch_add(1, std::memory_order_relaxed);
}

void RunCache::Shard::Drop(std::uint64_t hash) {
  const auto found = places.find(hash);
  if (found == places.end()) {
    return;
  }
  bytes -= found->second->bytes();
  CHECK(kept[MarkOf(hash)].fetch_sub(1, std::memory_order_relaxed) > 0);
  runs.erase(found->second);
  places.erase(found);
}

}  // namespace stator::storage
