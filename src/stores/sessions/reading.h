// Reading records through the fence, for all operations that begin with a read.

#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// Whether readers may see an item of this kind: of this epoch, complete, and alive.
bool IsVisible(const SessionStoreCore& core, const KindSpec& kind, const Meta& meta,
               const Item& item);

// The session and one record, in one request; nothing when readers may not see it. With `whole`
// its spilled lists are read, too. Fails for the session: kNotFound, kNotOwner, kStale.
Result<std::optional<Record>> FindRecord(const SessionState& state, const KindSpec& kind,
                                         std::string_view id, bool whole = true);

// The same; no record is kNotFound.
Result<Record> ReadRecord(const SessionState& state, const KindSpec& kind, std::string_view id);

}  // namespace stator::sessions
