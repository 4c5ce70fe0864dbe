// Making a record: a transaction of the record and the session, which must be the caller's and in
// the epoch that the caller knows.

#pragma once

#include <string>
#include <vector>

#include "stator/stores/sessions/session.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// `extra` is bookkeeping that the record begins with.
Result<Record> CreateRecord(SessionState& state, const KindSpec& kind, const std::string& id,
                            Item value, const Item& extra);

}  // namespace stator::sessions
