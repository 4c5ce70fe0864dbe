// How long things live: the expiry that a write carries, and keeping a session and its records
// alive together.

#pragma once

#include <cstdint>
#include <optional>

#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// The expiry for a write to a record of this kind; renews the session before if it has to live
// longer. `current` is that of an existing record, nothing for a new one.
Result<std::int64_t> ExpiryFor(SessionState& state, const KindSpec& kind,
                               std::optional<std::int64_t> current);

// The same for an update without reading, where a fixed life must be left alone: nothing then.
Result<std::optional<std::int64_t>> ExpiryForPatch(SessionState& state, const KindSpec& kind);

// Renews the session if less than its part of the life is left, and the records that live as long
// as the session if they lag behind.
Result<void> RenewIfDue(SessionState& state);

}  // namespace stator::sessions
