#include "stator/base/result.h"

#include "base/check.h"

namespace stator {

std::string_view NameOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
      return "Validation";
    case ErrorCode::kSerialization:
      return "Serialization";
    case ErrorCode::kUnknownOperation:
      return "UnknownOperation";
    case ErrorCode::kTableNotFound:
      return "TableNotFound";
    case ErrorCode::kResourceNotFound:
      return "ResourceNotFound";
    case ErrorCode::kResourceInUse:
      return "ResourceInUse";
    case ErrorCode::kLimitExceeded:
      return "LimitExceeded";
    case ErrorCode::kItemCollectionTooLarge:
      return "ItemCollectionTooLarge";
    case ErrorCode::kIdempotentParameterMismatch:
      return "IdempotentParameterMismatch";
    case ErrorCode::kExpiredIterator:
      return "ExpiredIterator";
    case ErrorCode::kTrimmedData:
      return "TrimmedData";
    case ErrorCode::kConditionFailed:
      return "ConditionFailed";
    case ErrorCode::kTransactionCanceled:
      return "TransactionCanceled";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case ErrorCode::kTransactionInProgress:
      return "TransactionInProgress";
    case ErrorCode::kAccessDenied:
      return "AccessDenied";
    case ErrorCode::kUnrecognizedClient:
      return "UnrecognizedClient";
    case ErrorCode::kInvalidSignature:
      return "InvalidSignature";
    case ErrorCode::kIncompleteSignature:
      return "IncompleteSignature";
    case ErrorCode::kMissingAuthenticationToken:
      return "MissingAuthenticationToken";
    case ErrorCode::kExpiredToken:
      return "ExpiredToken";
    case ErrorCode::kThroughputExceeded:
      return "ThroughputExceeded";
    case ErrorCode::kThrottled:
      return "Throttled";
    case ErrorCode::kRequestLimitExceeded:
      return "RequestLimitExceeded";
    case ErrorCode::kInternal:
      return "Internal";
    case ErrorCode::kUnavailable:
      return "Unavailable";
    case ErrorCode::kTimeout:
      return "Timeout";
    case ErrorCode::kIo:
      return "Io";
    case ErrorCode::kCorruption:
      return "Corruption";
    case ErrorCode::kAmbiguous:
      return "Ambiguous";
  }
  base::FailCheck("ErrorCode is one of its enumerators", "");
}

}  // namespace stator
