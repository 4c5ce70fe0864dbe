#include "engine/moment_reader.h"

#include <set>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/as_of_cursor.h"
#include "engine/item_store.h"
#include "value/item_codec.h"

namespace stator::engine {

Result<MomentReader> MomentReader::Open(EngineCore& core, const std::vector<TablePtr>& tables,
                                        TimePoint as_of) {
  CHECK(!tables.empty());
  std::vector<HistoryKeeper::Lease> leases;
  std::set<std::uint32_t> leased;
  for (const TablePtr& table : tables) {
    if (!leased.insert(table->id).second) {
      continue;
    }
    // What the latest moment is the first one says.
    leases.push_back(TRY(
        LeaseMoment(core, *table, leases.empty() ? as_of : TimeOfCommit(leases.front().time()))));
    if (leases.back().time() != leases.front().time()) {
      return Invalid("The tables have no such moment in common: recovery of table '" + table->name +
                     "' began at " + CommitTimeText(leases.back().time()));
    }
  }
  return MomentReader(core, std::move(leases));
}

Result<std::optional<Item>> MomentReader::Fetch(const std::string& item_key) const {
  const std::optional<std::string> row =
      TRY(ReadRowAsOf(*core_->store, snapshot_, item_key, leases_.front().time()));
  if (!row) {
    return std::nullopt;
  }
  TRY_VOID(base::SpendWork(WorkOfRow(row->size())));
  return TRY(value::DecodeItem(*row));
}

}  // namespace stator::engine
