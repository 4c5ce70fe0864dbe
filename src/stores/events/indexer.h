// Writes the index behind the log: the rows of one chunk after the other, then the mark.
//
// Several may do it at once, be late, and stop anywhere: the rows are the same, and nobody looks at
// those above the mark. The mark moves only when all rows below it are there.
//
// THREADS: made for many; one at a time works.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stores/events/index_rows.h"

namespace stator::events {

struct EventStoreCore;

class Indexer {
 public:
  explicit Indexer(EventStoreCore& core) : core_(&core) {}

  // Whether the mark moved. False when no chunk is complete.
  Result<bool> IndexNext();
  // All that are complete, unless somebody else does it already.
  void IndexAll();

 private:
  Result<Totals> Below(const BlockName& name, std::uint64_t chunk) STATOR_REQUIRES(mutex_);

  EventStoreCore* core_;
  Mutex mutex_;
  // At the end of chunk known_chunk_. Of those that are not there nothing is known, unless all were
  // counted from the beginning on.
  std::map<BlockName, Totals> known_ STATOR_GUARDED_BY(mutex_);
  std::uint64_t known_chunk_ STATOR_GUARDED_BY(mutex_) = 0;
  bool known_are_all_ STATOR_GUARDED_BY(mutex_) = true;
};

// Puts rows blindly, and those entries of registries that are not known to be there.
Result<void> WriteRows(EventStoreCore& core, std::vector<Item> events_table,
                       std::vector<Item> tags_table, const NamedItems& entries);

// What the index says about a tag or type in chunks up to one.
Result<std::optional<Totals>> ReadTotals(EventStoreCore& core, const BlockName& name,
                                         std::uint64_t chunk, bool consistent);

}  // namespace stator::events
