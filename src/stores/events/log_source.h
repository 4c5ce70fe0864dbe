// Reading: the index up to a mark, and the tail behind it, as they are when the read begins.

#pragma once

#include <memory>
#include <string>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/event_store_core.h"
#include "stores/events/tail.h"

namespace stator::events {

// Opens a read of a store that has a log. Refreshes first.
Result<std::unique_ptr<EventStream::Source>> OpenSource(EventStoreCore& core,
                                                        const ReadOptions& options,
                                                        bool consistent);

// The tag of an item with the fewest events up to a mark.
Result<std::string> ChooseTag(EventStoreCore& core, const QueryItem& item, const Mark& mark,
                              bool consistent);

}  // namespace stator::events
