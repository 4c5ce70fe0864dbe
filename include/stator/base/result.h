// How Stator reports failure: every function that can fail for a reason outside the program returns
// Result<T>. Exceptions are not used for that; broken invariants stop the process instead (see
// base/check.h).

#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace stator {

// Which kind of failure, as callers branch on it. The wire layer maps each code to one DynamoDB
// error name and HTTP status; the table of that mapping is wire/error_names.cc and nowhere else.
enum class ErrorCode : std::uint8_t {
  // The request is wrong; sending it again cannot help.
  kValidation,
  kSerialization,  // A body that is not the JSON that the operation expects.
  kUnknownOperation,
  kTableNotFound,
  kResourceNotFound,  // A stream, a resource name, an index that is to be changed.
  kResourceInUse,
  kLimitExceeded,
  kItemCollectionTooLarge,
  kIdempotentParameterMismatch,
  kExpiredIterator,
  kTrimmedData,
  kBackupNotFound,
  kBackupInUse,         // A table is being restored from it.
  kTableAlreadyExists,  // The table that is to be restored; of one that is to be made, kResourceInUse.
  kRecoveryUnavailable,  // Point-in-time recovery is not on.
  kInvalidRestoreTime,
  kPolicyNotFound,  // None is attached to the resource, or not the one that was expected.

  // The request is right, the state does not admit it.
  kConditionFailed,      // detail: ConditionFailedDetail
  kTransactionCanceled,  // detail: TransactionCanceledDetail
  kDuplicateItem,        // INSERT of an item that is there
  kTransactionConflict,
  kTransactionInProgress,

  // Who asks.
  kAccessDenied,
  kUnrecognizedClient,
  kInvalidSignature,
  kIncompleteSignature,
  kMissingAuthenticationToken,
  kExpiredToken,

  // Too much at once; sending it again later may help.
  kThroughputExceeded,
  kThrottled,
  kRequestLimitExceeded,

  // The home of the data fails.
  kInternal,
  kUnavailable,
  kTimeout,
  kIo,
  kCorruption,  // Bytes on disk that this version cannot have written.
  kAmbiguous,   // A write whose answer was lost: it may have been applied, or not.

  // What DynamoDB says in words only, under the name of kValidation (wire/service_words.h).
  kTooLarge,       // An item of more than 400 KB; of a store, what it allows of something.
  kIndexNotFound,  // A read of an index that the table does not have.

  // What patterns and stores answer about their own things. No DynamoDB endpoint says these.
  kNotFound,  // There is no such item, session, task.
  kExpired,   // There was one.
  kAlreadyExists,
  kConflict,           // Somebody else changed it meanwhile.
  kRefused,            // The caller's own condition or function said no.
  kNotUnique,          // Another one has the value.
  kNotOwner,           // It belongs to somebody else.
  kStale,              // What it belongs to was replaced.
  kIllegalTransition,  // Its state does not lead there.
  kNotReady,           // It has not ended yet.
  kLeaseHeld,          // Another worker works on it.
  kLeaseLost,          // This worker does not, or not any more.
  kIncomplete,         // A part of it is done; the rest can be repeated.
  kFutureVersion,      // Written by a newer program.
  kMissingMigration,   // Older than anything that this program can read.
};

// The name of the enumerator without its prefix, for logs and test output.
std::string_view NameOf(ErrorCode code);

// What an error carries beside its message, for the few codes that carry something. The kinds are
// declared where their parts are known (api/error_details.h).
struct ErrorDetail {
  ErrorDetail() = default;
  ErrorDetail(const ErrorDetail&) = default;
  ErrorDetail& operator=(const ErrorDetail&) = default;
  virtual ~ErrorDetail() = default;
};

struct Error {
  ErrorCode code;
  std::string message;  // For people; no code reads it (tools/check_style.py).
  std::shared_ptr<const ErrorDetail> detail = nullptr;
};

// The detail of this kind, null when the error has none or another.
template <class Detail>
const Detail* FindDetail(const Error& error) {
  return dynamic_cast<const Detail*>(error.detail.get());
}

// Whether somebody who runs the program has to mend something: a table or an index that is not
// there, credentials that are missing or do not allow it. Never the fault of a request.
bool IsConfiguration(ErrorCode code);

// Whether it was too much at once.
bool IsThrottled(ErrorCode code);

// What an HTTP handler of an application answers. DynamoDB's own protocol has its own
// (wire/error_names.h).
int HttpStatus(ErrorCode code);

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{.code = code, .message = std::move(message)});
}

// By far the most frequent failure.
inline std::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorCode::kValidation, std::move(message));
}

}  // namespace stator
