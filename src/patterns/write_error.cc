#include "stator/patterns/write_error.h"

#include "stator/patterns/environment.h"

namespace stator::patterns {

const WriteFacts& FactsOf(const Error& error) {
  static const WriteFacts none;
  const auto* const detail = FindDetail<WriteDetail>(error);
  return detail == nullptr ? none : *detail;
}

Error ToWriteError(Error error) {
  if (error.code == ErrorCode::kConditionFailed || error.code == ErrorCode::kTransactionConflict) {
    error.code = ErrorCode::kConflict;
  } else if (MayHaveHappened(error.code)) {
    error.code = ErrorCode::kAmbiguous;
  }
  return error;
}

Error ToReadError(Error error) {
  if (MayHaveHappened(error.code)) {
    error.code = ErrorCode::kUnavailable;
  }
  return error;
}

}  // namespace stator::patterns
