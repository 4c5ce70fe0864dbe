// Why a transaction was not committed: what its errors carry beside their code.
//
//   kValidation                   not sent: too many actions, two on one item, too large, badly
//                                 built
//   kTransactionCanceled          nothing was written; `actions` say why
//   kTooLarge, kAccessDenied      the same, and that is why
//   kTransactionConflict          the same, and the same transaction may succeed later as it is:
//   and throttling (IsThrottled)  every reason that there is, is a conflict or a matter of
//                                 throughput
//   kIdempotentParameterMismatch  the token was used for something else
//   kExpired                      not sent: the database may have forgotten the token of the first
//                                 attempt
//   kAmbiguous                    it may have been committed, or not
//
//   if (const Reason* reason = FindReason(error, "insert user")) {
//     if (const auto* failed = std::get_if<ConditionFailed>(reason)) { Show(failed->item); }
//   }
//   if (IsTransient(error.code)) { ... }
//
// The message is for logs: "canceled: insert user: condition failed".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

// The reasons. An action that was not in the way has NoReason.
struct NoReason {};
struct ConditionFailed {
  std::optional<Item> item;  // as it is; nothing when there is none
};
struct Conflict {};                // another transaction or write on the same item
struct ThroughputExceeded {};      // the capacity that the table was given
struct Throttled {};               // the service's own limits
struct ItemCollectionTooLarge {};  // more than 10 GB under one partition key, with a local index
struct ValidationFailed {
  std::string message;
};
struct TooLarge {};  // an item of more than 400 KB
struct AccessDenied {};
struct DuplicateItem {};
struct OtherReason {
  std::string code;
  std::string message;
};
using Reason = std::variant<NoReason, ConditionFailed, Conflict, ThroughputExceeded, Throttled,
                            ItemCollectionTooLarge, ValidationFailed, TooLarge, AccessDenied,
                            DuplicateItem, OtherReason>;

// "condition failed", for logs.
std::string_view NameOf(const Reason& reason);

struct ActionFailure {
  std::string label;
  Reason reason;
};

struct TransactionDetail final : ErrorDetail {
  TransactionDetail(std::vector<ActionFailure> failures, Error why);
  ~TransactionDetail() override;

  // One per action, in their order; empty when the failure is not about actions.
  std::vector<ActionFailure> actions;
  Error cause;  // what the database said
};

// The reason of the action with this label, null when it was not in the way.
const Reason* FindReason(const Error& error, std::string_view label);

// The condition of that action that failed, null when none did.
const ConditionFailed* FindConditionFailed(const Error& error, std::string_view label);

// The first action that was in the way because of its condition.
const ActionFailure* FirstConditionFailed(const Error& error);

// From what the database said about a transaction, or about the single write that stands for one,
// whose actions have these reasons.
Error ToTransactionError(Error error, std::vector<ActionFailure> actions);

}  // namespace stator::patterns
