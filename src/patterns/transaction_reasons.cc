#include "patterns/transaction_reasons.h"

#include "stator/api/error_details.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

Reason ToReason(const CancellationReason& reason) {
  const std::string& code = reason.code;
  if (code == "None") {
    return NoReason();
  }
  if (code == "ConditionalCheckFailed") {
    return ConditionFailed{reason.item};
  }
  if (code == "TransactionConflict") {
    return Conflict();
  }
  if (code == "ProvisionedThroughputExceeded") {
    return ThroughputExceeded();
  }
  if (code == "ThrottlingError") {
    return Throttled();
  }
  if (code == "ItemCollectionSizeLimitExceeded") {
    return ItemCollectionTooLarge();
  }
  if (code == "ValidationError" && reason.error == ErrorCode::kTooLarge) {
    return TooLarge();
  }
  if (code == "ValidationError") {
    return ValidationFailed{reason.message.value_or("")};
  }
  if (code == "AccessDenied") {
    return AccessDenied();
  }
  if (code == "DuplicateItem") {
    return DuplicateItem();
  }
  return OtherReason{code, reason.message.value_or("")};
}

std::vector<Reason> ReasonOfSingleWrite(const Error& error) {
  switch (error.code) {
    case ErrorCode::kConditionFailed: {
      const Item* item = FindItem(error);
      return {ConditionFailed{item == nullptr ? std::nullopt : std::optional(*item)}};
    }
    case ErrorCode::kTransactionConflict:
      return {Conflict()};
    case ErrorCode::kThroughputExceeded:
      return {ThroughputExceeded()};
    case ErrorCode::kThrottled:
    case ErrorCode::kRequestLimitExceeded:
      return {Throttled()};
    case ErrorCode::kItemCollectionTooLarge:
      return {ItemCollectionTooLarge()};
    case ErrorCode::kTooLarge:
      return {TooLarge()};
    case ErrorCode::kAccessDenied:
      return {AccessDenied()};
    default:
      return {};
  }
}

}  // namespace

std::vector<Reason> ReasonsOf(const Error& error, std::size_t actions) {
  const auto* const detail = FindDetail<TransactionCanceledDetail>(error);
  if (detail == nullptr) {
    return actions == 1 ? ReasonOfSingleWrite(error) : std::vector<Reason>();
  }
  std::vector<Reason> reasons;
  reasons.reserve(detail->cancellation_reasons.size());
  for (const CancellationReason& reason : detail->cancellation_reasons) {
    reasons.push_back(ToReason(reason));
  }
  reasons.resize(actions);
  return reasons;
}

}  // namespace stator::patterns
