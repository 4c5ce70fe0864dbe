// The errors of the session store, and how those of the patterns become such.

#pragma once

#include <string>

#include "stator/base/result.h"
#include "stator/stores/sessions/session_error.h"

namespace stator::sessions {

struct SessionStoreCore;

Error MakeError(ErrorCode code, std::string message, SessionFacts facts);

// Of a read.
Error FromRead(const SessionStoreCore& core, Error error);

// Of a write, without what only the operation knows: kRefused becomes kConflict.
Error FromWrite(const SessionStoreCore& core, Error error);

// Of a transaction in whose way no condition was.
Error FromTransaction(const SessionStoreCore& core, const Error& error);

}  // namespace stator::sessions
