// Taking possession of a session: new, known, dead or left by an older system.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/sessions/session_error.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// The session's item once it belongs to `owner`.
Result<Meta> ClaimMeta(const SessionStoreCore& core, std::string_view session,
                       std::string_view owner);

// The session's item for a worker.
Result<Meta> FindMeta(const SessionStoreCore& core, std::string_view session);

}  // namespace stator::sessions
