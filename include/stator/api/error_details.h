// What errors carry beside their message.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator {

// Of kConditionFailed, when the request asked for the item as it is.
struct ConditionFailedDetail : ErrorDetail {
  std::optional<Item> item;
};

// Why one action of a transaction kept the whole from being done; in the order of the request.
struct CancellationReason {
  // None, ConditionalCheckFailed, ItemCollectionSizeLimitExceeded, TransactionConflict,
  // ProvisionedThroughputExceeded, ThrottlingError, ValidationError.
  std::string code = "None";
  std::optional<std::string> message = std::nullopt;
  std::optional<Item> item = std::nullopt;
  // Of ValidationError: kTooLarge when that is what was wrong, else kValidation.
  ErrorCode error = ErrorCode::kValidation;
};

// Of kTransactionCanceled.
struct TransactionCanceledDetail : ErrorDetail {
  std::vector<CancellationReason> cancellation_reasons;
};

}  // namespace stator
