#include "stores/sessions/failures.h"

#include "base/limits.h"

namespace stator::sessions {
namespace {

using patterns::WriteFailureKind;

SessionErrorKind KindFor(const patterns::WriteFailure& failure) {
  switch (failure.kind) {
    case WriteFailureKind::kNotFound:
    case WriteFailureKind::kExpired:
      return SessionErrorKind::kNotFound;
    case WriteFailureKind::kAlreadyExists:
      return SessionErrorKind::kAlreadyExists;
    case WriteFailureKind::kConflict:
    case WriteFailureKind::kRefused:
      return SessionErrorKind::kConflict;
    case WriteFailureKind::kInvalid:
      // The database's own words for an update that makes an item too large.
      return failure.error.message.contains("maximum allowed size") ? SessionErrorKind::kTooLarge
                                                                    : SessionErrorKind::kInvalid;
    case WriteFailureKind::kTooLarge:
      return SessionErrorKind::kTooLarge;
    case WriteFailureKind::kThrottled:
      return SessionErrorKind::kThrottled;
    case WriteFailureKind::kAmbiguous:
      return SessionErrorKind::kAmbiguous;
    case WriteFailureKind::kUnavailable:
      break;
  }
  return SessionErrorKind::kUnavailable;
}

std::string WordsFor(SessionErrorKind kind, const Error& error) {
  switch (kind) {
    case SessionErrorKind::kNotFound:
      return "there is no such record";
    case SessionErrorKind::kAlreadyExists:
      return "there is such a record already";
    case SessionErrorKind::kConflict:
      return "somebody else changed it at the same time";
    case SessionErrorKind::kThrottled:
      return "too much at once";
    case SessionErrorKind::kAmbiguous:
      return "the answer was lost; it may have happened, or not";
    case SessionErrorKind::kUnavailable:
      return "the database failed";
    default:
      return error.message;
  }
}

}  // namespace

SessionError FromWriteFailure(patterns::WriteFailure failure) {
  const SessionErrorKind kind = KindFor(failure);
  SessionError error{.kind = kind, .message = WordsFor(kind, failure.error)};
  if (kind == SessionErrorKind::kTooLarge) {
    error.bytes = limits::kItemBytesMax;
  }
  error.cause = std::move(failure.error);
  return error;
}

SessionError FromTransaction(const patterns::TransactionFailure& failure) {
  patterns::WriteFailure write = patterns::MakeWriteFailure(failure.error());
  if (failure.kind() == patterns::TransactionFailureKind::kAmbiguous) {
    write.kind = WriteFailureKind::kAmbiguous;
  } else if (failure.Retryable()) {
    write.kind = WriteFailureKind::kThrottled;
  }
  return FromWriteFailure(std::move(write));
}

SessionError FromError(Error error) {
  // A read that timed out has not happened, whatever a write might have.
  patterns::WriteFailure failure = patterns::MakeWriteFailure(std::move(error));
  if (failure.kind == WriteFailureKind::kAmbiguous) {
    failure.kind = WriteFailureKind::kUnavailable;
  }
  return FromWriteFailure(std::move(failure));
}

}  // namespace stator::sessions
