#include "stator/stores/tasks/task_error.h"

namespace stator::tasks {

const TaskFacts& FactsOf(const Error& error) {
  static const TaskFacts none;
  const auto* const detail = FindDetail<TaskDetail>(error);
  return detail == nullptr ? none : *detail;
}

bool IsStoreFailure(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kIo:
    case ErrorCode::kCorruption:
    case ErrorCode::kAmbiguous:
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kTransactionInProgress:
      return true;
    default:
      return IsConfiguration(code) || IsThrottled(code);
  }
}

std::int64_t JsonRpcCode(ErrorCode code) {
  constexpr std::int64_t kInvalidParams = -32602;
  constexpr std::int64_t kInternalError = -32603;
  switch (code) {
    case ErrorCode::kIllegalTransition:
    case ErrorCode::kNotFound:
    case ErrorCode::kExpired:
    case ErrorCode::kNotReady:
    case ErrorCode::kTooLarge:
    case ErrorCode::kValidation:
      return kInvalidParams;
    default:
      return kInternalError;
  }
}

}  // namespace stator::tasks
