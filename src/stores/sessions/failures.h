// From the failures of the patterns to those of the store.

#pragma once

#include <expected>
#include <string>
#include <utility>

#include "stator/base/result.h"
#include "stator/patterns/transaction_failure.h"
#include "stator/patterns/write_failure.h"
#include "stator/stores/sessions/session_error.h"

namespace stator::sessions {

inline std::unexpected<SessionError> Refuse(SessionErrorKind kind, std::string message) {
  return std::unexpected(SessionError{.kind = kind, .message = std::move(message)});
}

SessionError FromError(Error error);

// Without what only the operation knows: kRefused becomes kConflict.
SessionError FromWriteFailure(patterns::WriteFailure failure);

// Of a transaction in whose way no condition was.
SessionError FromTransaction(const patterns::TransactionFailure& failure);

}  // namespace stator::sessions
