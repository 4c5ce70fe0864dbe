// What the index and its registries tell, found out without them: for tables that another system wrote.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

// COST: the rows of the tag.
Result<std::optional<TagInfo>> FindForeignTag(EventStoreCore& core, const std::string& tag);
// COST: the rows of the group, or of all services.
Result<std::vector<TagInfo>> ListForeignTags(EventStoreCore& core,
                                             const std::optional<std::string>& group);
// COST: the events behind the cursor.
Result<std::uint64_t> CountForeignEvents(EventStoreCore& core, const std::optional<Cursor>& since);
// COST: all events.
Result<std::vector<std::string>> ListForeignTypes(EventStoreCore& core);

}  // namespace stator::events
