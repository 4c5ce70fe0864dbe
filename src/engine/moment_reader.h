// Single items of several tables as they were at one moment, or as they are.
//
// THREADS: belongs to one thread. Must be gone before its engine.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine_core.h"
#include "engine/table.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

class MomentReader {
 public:
  // Of the moment, which all of the tables must be able to tell; TimePoint::max() is the latest.
  static Result<MomentReader> Open(EngineCore& core, const std::vector<TablePtr>& tables,
                                   TimePoint as_of);

  [[nodiscard]] TimePoint moment() const { return TimeOfCommit(leases_.front().time()); }

  // Nothing when there was no such item. REQUIRES: the key is of one of the tables.
  Result<std::optional<Item>> Fetch(const std::string& item_key) const;

 private:
  MomentReader(EngineCore& core, std::vector<HistoryKeeper::Lease> leases)
      : core_(&core), leases_(std::move(leases)), snapshot_(core.store->TakeSnapshot()) {}

  EngineCore* core_;
  std::vector<HistoryKeeper::Lease> leases_;  // at one moment, at least one
  storage::Snapshot snapshot_;
};

}  // namespace stator::engine
