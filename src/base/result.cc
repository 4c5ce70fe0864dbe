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
    case ErrorCode::kTooLarge:
      return "TooLarge";
    case ErrorCode::kTableNotFound:
      return "TableNotFound";
    case ErrorCode::kIndexNotFound:
      return "IndexNotFound";
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
    case ErrorCode::kBackupNotFound:
      return "BackupNotFound";
    case ErrorCode::kBackupInUse:
      return "BackupInUse";
    case ErrorCode::kTableAlreadyExists:
      return "TableAlreadyExists";
    case ErrorCode::kRecoveryUnavailable:
      return "RecoveryUnavailable";
    case ErrorCode::kInvalidRestoreTime:
      return "InvalidRestoreTime";
    case ErrorCode::kPolicyNotFound:
      return "PolicyNotFound";
    case ErrorCode::kConditionFailed:
      return "ConditionFailed";
    case ErrorCode::kTransactionCanceled:
      return "TransactionCanceled";
    case ErrorCode::kDuplicateItem:
      return "DuplicateItem";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case ErrorCode::kTransactionInProgress:
      return "TransactionInProgress";
    case ErrorCode::kNotFound:
      return "NotFound";
    case ErrorCode::kExpired:
      return "Expired";
    case ErrorCode::kAlreadyExists:
      return "AlreadyExists";
    case ErrorCode::kConflict:
      return "Conflict";
    case ErrorCode::kRefused:
      return "Refused";
    case ErrorCode::kNotUnique:
      return "NotUnique";
    case ErrorCode::kNotOwner:
      return "NotOwner";
    case ErrorCode::kStale:
      return "Stale";
    case ErrorCode::kIllegalTransition:
      return "IllegalTransition";
    case ErrorCode::kNotReady:
      return "NotReady";
    case ErrorCode::kLeaseHeld:
      return "LeaseHeld";
    case ErrorCode::kLeaseLost:
      return "LeaseLost";
    case ErrorCode::kIncomplete:
      return "Incomplete";
    case ErrorCode::kFutureVersion:
      return "FutureVersion";
    case ErrorCode::kMissingMigration:
      return "MissingMigration";
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

bool IsConfiguration(ErrorCode code) {
  switch (code) {
    case ErrorCode::kTableNotFound:
    case ErrorCode::kIndexNotFound:
    case ErrorCode::kAccessDenied:
    case ErrorCode::kUnrecognizedClient:
    case ErrorCode::kInvalidSignature:
    case ErrorCode::kIncompleteSignature:
    case ErrorCode::kMissingAuthenticationToken:
    case ErrorCode::kExpiredToken:
      return true;
    default:
      return false;
  }
}

bool IsThrottled(ErrorCode code) {
  return code == ErrorCode::kThroughputExceeded || code == ErrorCode::kThrottled ||
         code == ErrorCode::kRequestLimitExceeded;
}

int HttpStatus(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
    case ErrorCode::kSerialization:
    case ErrorCode::kUnknownOperation:
    case ErrorCode::kIdempotentParameterMismatch:
    case ErrorCode::kExpiredIterator:
    case ErrorCode::kTrimmedData:
    case ErrorCode::kRecoveryUnavailable:
    case ErrorCode::kInvalidRestoreTime:
      return 400;
    case ErrorCode::kNotOwner:
      return 403;
    case ErrorCode::kNotFound:
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kBackupNotFound:
    case ErrorCode::kPolicyNotFound:
      return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict:
    case ErrorCode::kNotUnique:
    case ErrorCode::kStale:
    case ErrorCode::kIllegalTransition:
    case ErrorCode::kNotReady:
    case ErrorCode::kLeaseHeld:
    case ErrorCode::kLeaseLost:
    case ErrorCode::kResourceInUse:
    case ErrorCode::kBackupInUse:
    case ErrorCode::kTableAlreadyExists:
    case ErrorCode::kConditionFailed:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kDuplicateItem:
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kTransactionInProgress:
      return 409;
    case ErrorCode::kExpired:
      return 410;
    case ErrorCode::kTooLarge:
    case ErrorCode::kItemCollectionTooLarge:
      return 413;
    case ErrorCode::kRefused:
      return 422;
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kThroughputExceeded:
    case ErrorCode::kThrottled:
    case ErrorCode::kRequestLimitExceeded:
      return 429;
    case ErrorCode::kIncomplete:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kIo:
    case ErrorCode::kAmbiguous:
      return 503;
    case ErrorCode::kTableNotFound:
    case ErrorCode::kIndexNotFound:
    case ErrorCode::kAccessDenied:
    case ErrorCode::kUnrecognizedClient:
    case ErrorCode::kInvalidSignature:
    case ErrorCode::kIncompleteSignature:
    case ErrorCode::kMissingAuthenticationToken:
    case ErrorCode::kExpiredToken:
    case ErrorCode::kFutureVersion:
    case ErrorCode::kMissingMigration:
    case ErrorCode::kInternal:
    case ErrorCode::kCorruption:
      return 500;
  }
  base::FailCheck("ErrorCode is one of its enumerators", "");
}

}  // namespace stator
