#include "stator/patterns/transaction_failure.h"

#include <algorithm>
#include <array>

#include "stator/patterns/environment.h"

namespace stator::patterns {

namespace {

bool IsTemporary(const Reason& reason) {
  return std::holds_alternative<Conflict>(reason) ||
         std::holds_alternative<ThroughputExceeded>(reason) ||
         std::holds_alternative<Throttled>(reason);
}

std::string_view NameOf(TransactionFailureKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {
      "refused",       "canceled",  "token used for something else",
      "token too old", "ambiguous", "failed"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view NameOf(const Reason& reason) {
  constexpr std::array<std::string_view, std::variant_size_v<Reason>> kNames = {
      "nothing",           "condition failed",
      "conflict",          "throughput exceeded",
      "throttled",         "item collection too large",
      "validation failed", "access denied",
      "duplicate",         "other"};
  return kNames.at(reason.index());
}

const Reason* TransactionFailure::Find(std::string_view label) const {
  for (const ActionFailure& action : actions_) {
    if (action.label == label && !std::holds_alternative<NoReason>(action.reason)) {
      return &action.reason;
    }
  }
  return nullptr;
}

const ActionFailure* TransactionFailure::FirstConditionFailed() const {
  const auto found =
      std::find_if(actions_.begin(), actions_.end(), [](const ActionFailure& action) {
        return std::holds_alternative<ConditionFailed>(action.reason);
      });
  return found == actions_.end() ? nullptr : &*found;
}

bool TransactionFailure::Retryable() const {
  if (kind_ == TransactionFailureKind::kFailed) {
    return IsTransient(error_.code);
  }
  return kind_ == TransactionFailureKind::kCanceled && !actions_.empty() &&
         std::all_of(actions_.begin(), actions_.end(), [](const ActionFailure& action) {
           return std::holds_alternative<NoReason>(action.reason) || IsTemporary(action.reason);
         });
}

std::string TransactionFailure::Describe() const {
  std::string text(NameOf(kind_));
  bool any = false;
  for (std::size_t index = 0; index < actions_.size(); ++index) {
    if (std::holds_alternative<NoReason>(actions_[index].reason)) {
      continue;
    }
    text += any ? ", " : ": ";
    any = true;
    text +=
        actions_[index].label.empty() ? "action " + std::to_string(index) : actions_[index].label;
    text += ": ";
    text += NameOf(actions_[index].reason);
  }
  return any ? text : text + ": " + error_.message;
}

}  // namespace stator::patterns
