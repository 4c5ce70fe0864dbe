#include "stores/sessions/failures.h"

#include <memory>
#include <utility>

#include "base/limits.h"
#include "stator/patterns/advice.h"
#include "stator/patterns/write_error.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {
namespace {

// What the store calls what the patterns say.
ErrorCode CodeFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::kExpired:
      return ErrorCode::kNotFound;
    case ErrorCode::kRefused:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kTransactionConflict:
      return ErrorCode::kConflict;
    case ErrorCode::kItemCollectionTooLarge:
      return ErrorCode::kTooLarge;
    default:
      return code;
  }
}

std::string WordsFor(const SessionStoreCore& core, ErrorCode code, const Error& error) {
  if (IsConfiguration(code)) {
    return patterns::AdviceFor(code, core.options.table, "sessions");
  }
  if (IsThrottled(code)) {
    return "too much at once";
  }
  switch (code) {
    case ErrorCode::kNotFound:
      return "there is no such record";
    case ErrorCode::kAlreadyExists:
      return "there is such a record already";
    case ErrorCode::kConflict:
      return "somebody else changed it at the same time";
    case ErrorCode::kAmbiguous:
      return "the answer was lost; it may have happened, or not";
    case ErrorCode::kValidation:
    case ErrorCode::kTooLarge:
      return error.message;
    default:
      return "the database failed";
  }
}

}  // namespace

Error MakeError(ErrorCode code, std::string message, SessionFacts facts) {
  return {.code = code,
          .message = std::move(message),
          .detail = std::make_shared<SessionDetail>(std::move(facts))};
}

Error FromWrite(const SessionStoreCore& core, Error error) {
  const ErrorCode code = CodeFor(error.code);
  std::string words = WordsFor(core, code, error);
  SessionFacts facts{.bytes = code == ErrorCode::kTooLarge ? limits::kItemBytesMax : 0};
  facts.cause = std::move(error);
  return MakeError(code, std::move(words), std::move(facts));
}

Error FromTransaction(const SessionStoreCore& core, const Error& error) {
  return FromWrite(core, patterns::ToWriteError(error));
}

Error FromRead(const SessionStoreCore& core, Error error) {
  return FromWrite(core, patterns::ToReadError(std::move(error)));
}

}  // namespace stator::sessions
