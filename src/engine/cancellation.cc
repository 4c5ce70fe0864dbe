#include "engine/cancellation.h"

#include <memory>
#include <utility>

#include "base/check.h"

namespace stator::engine {
namespace {

const char* ReasonCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionFailed:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItem:
      return "DuplicateItem";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case ErrorCode::kItemCollectionTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kValidation:
    case ErrorCode::kTooLarge:
      return "ValidationError";
    default:
      return nullptr;
  }
}

}  // namespace

bool CancelsTransaction(const Error& error) {
  return ReasonCode(error.code) != nullptr;
}

void Cancellation::Add(std::size_t action, const Error& error) {
  CHECK(CancelsTransaction(error));
  CHECK(action < reasons_.size());
  canceled_ = true;
  if (error.code == ErrorCode::kValidation || error.code == ErrorCode::kTooLarge) {
    if (has_validation_error_) {
      return;
    }
    has_validation_error_ = true;
  }
  CancellationReason& reason = reasons_[action];
  reason.code = ReasonCode(error.code);
  reason.message = error.message;
  reason.error = error.code == ErrorCode::kTooLarge ? error.code : ErrorCode::kValidation;
  if (const auto* detail = dynamic_cast<const ConditionFailedDetail*>(error.detail.get())) {
    reason.item = detail->item;
  }
}

Result<void> Cancellation::ToResult() const {
  if (!canceled_) {
    return {};
  }
  DCHECK(!reasons_.empty());
  std::string codes;
  for (const CancellationReason& reason : reasons_) {
    codes += (codes.empty() ? "" : ", ") + reason.code;
  }
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->cancellation_reasons = reasons_;
  return std::unexpected(
      Error{.code = ErrorCode::kTransactionCanceled,
            .message = "Transaction cancelled, please refer cancellation reasons for specific "
                       "reasons [" +
                       codes + "]",
            .detail = std::move(detail)});
}

}  // namespace stator::engine
