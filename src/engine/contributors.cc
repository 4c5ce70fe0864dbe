#include "engine/contributors.h"

#include "base/check.h"
#include "keyspace/keys.h"

namespace stator::engine {

void Contributors::CountItem(std::string_view row_key, double units) {
  if (mode_ != ContributorInsightsMode::kAccessedAndThrottledKeys) {
    return;
  }
  const std::string_view parts = keyspace::PartsOfRow(row_key);
  const std::string_view partition = keyspace::FirstParts(parts, keys_.partition);
  const std::string_view item = keyspace::FirstParts(parts, keys_.partition + keys_.sort);
  DCHECK(!partition.empty() && item.starts_with(partition));
  const MutexLock lock(mutex_);
  accessed_partitions_.Add(partition, units);
  if (keys_.sort > 0) {
    accessed_items_.Add(item, units);
  }
}

void Contributors::CountPartition(std::string_view row_key, double units) {
  if (mode_ != ContributorInsightsMode::kAccessedAndThrottledKeys) {
    return;
  }
  const std::string_view partition =
      keyspace::FirstParts(keyspace::PartsOfRow(row_key), keys_.partition);
  DCHECK(!partition.empty());
  const MutexLock lock(mutex_);
  accessed_partitions_.Add(partition, units);
}

void Contributors::CountThrottled(std::string_view row_key) {
  const std::string_view parts = keyspace::PartsOfRow(row_key);
  const std::string_view partition = keyspace::FirstParts(parts, keys_.partition);
  const std::string_view item = keyspace::FirstParts(parts, keys_.partition + keys_.sort);
  DCHECK(!partition.empty() && item.starts_with(partition));
  const MutexLock lock(mutex_);
  throttled_partitions_.Add(partition, 1);
  if (keys_.sort > 0) {
    throttled_items_.Add(item, 1);
  }
}

std::vector<TopKeys::Counted> Contributors::Most(Of what, std::size_t limit) const {
  const MutexLock lock(mutex_);
  switch (what) {
    case Of::kAccessedPartitions:
      return accessed_partitions_.Most(limit);
    case Of::kAccessedItems:
      return accessed_items_.Most(limit);
    case Of::kThrottledPartitions:
      return throttled_partitions_.Most(limit);
    case Of::kThrottledItems:
      break;
  }
  return throttled_items_.Most(limit);
}

}  // namespace stator::engine
