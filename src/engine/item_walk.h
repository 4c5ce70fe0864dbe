// Going over all items of a table in small steps, changing what hangs on them: each step locks its
// items, reads them again and commits once, so writers go on in between and nothing is missed.

#pragma once

#include <functional>
#include <string>

#include "engine/engine_core.h"
#include "engine/pending_write.h"
#include "engine/table.h"
#include "engine/writer_view.h"
#include "stator/base/result.h"

namespace stator::engine {

// Called with each item, locked; adds what it wants written. Perhaps again for the same item. A
// failure ends the walk, and nothing of the step is written.
using ItemVisitor = std::function<Result<void>(const std::string& item_key, const Item& item,
                                               WriterView& view, PendingWrite& write)>;

// Fails with kUnavailable when the engine stops in between.
Result<void> WalkItems(EngineCore& core, const Table& table, const ItemVisitor& visit);

// Deletes every row in the range, in small steps. Nobody may be writing there.
Result<void> DeleteRows(EngineCore& core, const std::string& begin, const std::string& end,
                        storage::Family family = storage::Family::kMain);

}  // namespace stator::engine
