#include "stator/patterns/write_failure.h"

#include <utility>

#include "base/check.h"
#include "stator/patterns/environment.h"

namespace stator::patterns {

std::string_view NameOf(WriteFailureKind kind) {
  switch (kind) {
    case WriteFailureKind::kNotFound:
      return "NotFound";
    case WriteFailureKind::kExpired:
      return "Expired";
    case WriteFailureKind::kAlreadyExists:
      return "AlreadyExists";
    case WriteFailureKind::kConflict:
      return "Conflict";
    case WriteFailureKind::kRefused:
      return "Refused";
    case WriteFailureKind::kInvalid:
      return "Invalid";
    case WriteFailureKind::kTooLarge:
      return "TooLarge";
    case WriteFailureKind::kThrottled:
      return "Throttled";
    case WriteFailureKind::kAmbiguous:
      return "Ambiguous";
    case WriteFailureKind::kUnavailable:
      return "Unavailable";
  }
  base::FailCheck("WriteFailureKind is one of its enumerators", "");
}

int HttpStatus(WriteFailureKind kind) {
  switch (kind) {
    case WriteFailureKind::kNotFound:
      return 404;
    case WriteFailureKind::kExpired:
      return 410;
    case WriteFailureKind::kAlreadyExists:
    case WriteFailureKind::kConflict:
      return 409;
    case WriteFailureKind::kRefused:
      return 422;
    case WriteFailureKind::kInvalid:
      return 400;
    case WriteFailureKind::kTooLarge:
      return 413;
    case WriteFailureKind::kThrottled:
      return 429;
    case WriteFailureKind::kAmbiguous:
    case WriteFailureKind::kUnavailable:
      return 503;
  }
  base::FailCheck("WriteFailureKind is one of its enumerators", "");
}

WriteFailure MakeWriteFailure(Error error) {
  WriteFailureKind kind = WriteFailureKind::kInvalid;
  switch (error.code) {
    case ErrorCode::kThroughputExceeded:
    case ErrorCode::kThrottled:
    case ErrorCode::kRequestLimitExceeded:
      kind = WriteFailureKind::kThrottled;
      break;
    case ErrorCode::kConditionFailed:
    case ErrorCode::kTransactionConflict:
      kind = WriteFailureKind::kConflict;
      break;
    case ErrorCode::kItemCollectionTooLarge:
      kind = WriteFailureKind::kTooLarge;
      break;
    case ErrorCode::kUnavailable:
    case ErrorCode::kCorruption:
      kind = WriteFailureKind::kUnavailable;
      break;
    default:
      kind = MayHaveHappened(error.code) ? WriteFailureKind::kAmbiguous : kind;
  }
  return {.kind = kind, .error = std::move(error)};
}

}  // namespace stator::patterns
