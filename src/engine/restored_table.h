// A table that is made like another one was; see include/stator/api/restore_table.h.

#pragma once

#include <string>

#include "engine/engine_core.h"
#include "engine/table.h"
#include "stator/api/restore_table.h"
#include "stator/base/result.h"

namespace stator::engine {

// What of `source` comes along: keys, indexes, billing and encryption, as the overrides say; not its
// stream, expiry, recovery, tags and protection. Has neither an id nor items, and its indexes are to be
// filled. Fails, in the words of the service, when the overrides make no sense.
Result<Table> BuildRestoredTable(EngineCore& core, const Table& source, const std::string& name,
                                 const RestoreOverrides& overrides);

}  // namespace stator::engine
