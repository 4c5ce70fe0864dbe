// Which keys of a table or an index are used most, and which are refused most: what Contributor
// Insights counts while it is on. In memory alone: a database that is opened again begins anew.
//
// A use counts with the capacity units that it costs, as on AWS. A Query counts for its partition, a
// Scan for nothing. Refused ("throttled") are writes that others on the same item, or the disk, kept
// waiting for too long.
//
// THREADS: any.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/top_keys.h"
#include "stator/api/contributor_insights.h"
#include "stator/base/mutex.h"

namespace stator::engine {

class Contributors {
 public:
  // Of keys of so many attributes.
  struct Keys {
    std::size_t partition = 1;
    std::size_t sort = 0;
  };

  Contributors(ContributorInsightsMode mode, Keys keys) : mode_(mode), keys_(keys) {}

  // The key of a row, whole or up to its partition (keyspace/keys.h).
  void CountItem(std::string_view row_key, double units);
  void CountPartition(std::string_view row_key, double units);
  void CountThrottled(std::string_view row_key);

  enum class Of : std::uint8_t {
    kAccessedPartitions,
    kAccessedItems,
    kThrottledPartitions,
    kThrottledItems
  };
  // Keys as the parts of their rows' keys; see keyspace::PartsOfRow.
  [[nodiscard]] std::vector<TopKeys::Counted> Most(Of what, std::size_t limit) const;

 private:
  const ContributorInsightsMode mode_;
  const Keys keys_;
  mutable Mutex mutex_;
  TopKeys accessed_partitions_ STATOR_GUARDED_BY(mutex_);
  TopKeys accessed_items_ STATOR_GUARDED_BY(mutex_);
  TopKeys throttled_partitions_ STATOR_GUARDED_BY(mutex_);
  TopKeys throttled_items_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::engine
