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
  kResourceNotFound,  // An index, a stream, a resource name.
  kResourceInUse,
  kLimitExceeded,
  kItemCollectionTooLarge,
  kIdempotentParameterMismatch,
  kExpiredIterator,
  kTrimmedData,

  // The request is right, the state does not admit it.
  kConditionFailed,      // detail: ConditionFailedDetail
  kTransactionCanceled,  // detail: TransactionCanceledDetail
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
  std::string message;  // For a human; never parsed.
  std::shared_ptr<const ErrorDetail> detail = nullptr;
};

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
