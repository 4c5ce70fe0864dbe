// Taking the items of a table back to what they were at a moment, in place.
//
// What was changed since is found by its undo rows, so it costs what was changed. Each item gets the
// value that it had by an ordinary change: rows of indexes, of expiry and of the stream follow, and an
// undo row, so that going back to the moment before undoes it.
//
// ONE STEP. Writers of the table wait meanwhile (Table::closed). What fits into one batch is written as
// one, and nothing else of it is on disk. More is a job, in steps: readers see what was before until
// the last (Table::frozen), and the table's row says what is under way (Table::rewind), so that the
// next start goes on with it. Nobody can read the table then before it is done: what was before is in no
// snapshot any more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine_core.h"
#include "engine/item_change.h"
#include "engine/step_limits.h"
#include "engine/table.h"
#include "stator/base/result.h"

namespace stator::engine {

// An item that was changed behind a moment.
struct ChangedItem {
  std::string item_key;
  std::string row;                   // what it was then; empty: there was none
  std::string now;                   // what it is; empty: there is none
  std::vector<std::uint64_t> times;  // of its undo rows behind the moment, if they are asked for
};

struct ChangedItems {
  std::vector<ChangedItem> items;  // in the order of their keys
  std::string next;                // where to go on; empty: these were all
};

enum class UndoTimes : bool { kFirst, kAll };

// The items of the table from `begin`, which is a key of an item or the beginning of all, that were
// changed behind `time`. REQUIRES: what is read is leased or pinned.
Result<ChangedItems> ReadChangedItems(const EngineCore& core, std::uint32_t table_id,
                                      std::uint64_t time, const std::string& begin,
                                      const StepLimits& limits, UndoTimes times);

// Adds to `write` what makes the item what it was; whether it is something else now. REQUIRES: nobody
// has written it since it was read.
Result<bool> TakeBack(EngineCore& core, const Table& table, const ChangedItem& item,
                      ChangeOrigin origin, std::uint64_t undo_time, WriterView& view,
                      PendingWrite& write);

// kResourceInUse while writers of the table wait.
Result<void> CheckIsOpen(const Table& table);
// The same while a job behind a schema change is under way, which goes over its items.
Result<void> CheckHasNoJob(const Table& table);

// Closes the table to writers, and opens it again. REQUIRES: ChangeLock is held.
void CloseTable(EngineCore& core, const Table& current)
    STATOR_REQUIRES(core.catalog.change_mutex());
void OpenTable(EngineCore& core, const Table& current) STATOR_REQUIRES(core.catalog.change_mutex());

std::shared_ptr<const FrozenMoment> Freeze(EngineCore& core);
// Lets go of what tables have of the store, which is about to be closed.
void Thaw(EngineCore& core);

}  // namespace stator::engine
