// Why a transaction was not committed: which of its actions, and for what reason.
//
//   if (const Reason* reason = failure.Find("insert user")) {
//     if (const auto* failed = std::get_if<ConditionFailed>(reason)) { Show(failed->item); }
//   }
//   if (failure.Retryable()) { ... }

#pragma once

#include <cstddef>
#include <cstdint>
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
struct AccessDenied {};
struct DuplicateItem {};
struct OtherReason {
  std::string code;
  std::string message;
};
using Reason = std::variant<NoReason, ConditionFailed, Conflict, ThroughputExceeded, Throttled,
                            ItemCollectionTooLarge, ValidationFailed, AccessDenied, DuplicateItem,
                            OtherReason>;

enum class TransactionFailureKind : std::uint8_t {
  kRefused,        // not sent: too many actions, two on one item, too large, badly built
  kCanceled,       // nothing was written; the reasons say why
  kTokenMismatch,  // the token was used for something else
  kTokenTooOld,    // not sent: the database may have forgotten the token of the first attempt
  kAmbiguous,      // it may have been committed, or not
  kFailed,         // anything else; `error` says what
};

struct ActionFailure {
  std::string label;
  Reason reason;
};

class TransactionFailure {
 public:
  TransactionFailure(TransactionFailureKind kind, Error error,
                     std::vector<ActionFailure> actions = {})
      : kind_(kind), error_(std::move(error)), actions_(std::move(actions)) {}

  [[nodiscard]] TransactionFailureKind kind() const { return kind_; }
  [[nodiscard]] const Error& error() const { return error_; }

  // One per action, in their order; empty when the failure is not about actions.
  [[nodiscard]] const std::vector<ActionFailure>& actions() const { return actions_; }

  // The reason of the action with this label, null when it was not in the way.
  [[nodiscard]] const Reason* Find(std::string_view label) const;
  // The first action that was in the way because of its condition.
  [[nodiscard]] const ActionFailure* FirstConditionFailed() const;

  // Whether the same transaction may succeed later as it is: every reason that there is, is a
  // conflict or a matter of throughput. A failed condition is an answer, not an accident.
  [[nodiscard]] bool Retryable() const;

  // For logs: "canceled: insert user: condition failed".
  [[nodiscard]] std::string Describe() const;

 private:
  TransactionFailureKind kind_;
  Error error_;
  std::vector<ActionFailure> actions_;
};

// "condition failed", for logs.
std::string_view NameOf(const Reason& reason);

}  // namespace stator::patterns
