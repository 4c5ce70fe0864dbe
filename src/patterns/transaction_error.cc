#include "stator/patterns/transaction_error.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "stator/patterns/environment.h"

namespace stator::patterns {

namespace {

template <class Kind>
bool Has(const std::vector<ActionFailure>& actions) {
  return std::any_of(actions.begin(), actions.end(), [](const ActionFailure& action) {
    return std::holds_alternative<Kind>(action.reason);
  });
}

bool IsTemporary(const ActionFailure& action) {
  return std::holds_alternative<NoReason>(action.reason) ||
         std::holds_alternative<Conflict>(action.reason) ||
         std::holds_alternative<ThroughputExceeded>(action.reason) ||
         std::holds_alternative<Throttled>(action.reason);
}

// A failed condition is an answer, not an accident, whatever else was in the way.
ErrorCode CodeOf(const std::vector<ActionFailure>& actions) {
  if (std::all_of(actions.begin(), actions.end(), IsTemporary)) {
    if (Has<Conflict>(actions)) {
      return ErrorCode::kTransactionConflict;
    }
    return Has<ThroughputExceeded>(actions) ? ErrorCode::kThroughputExceeded
                                            : ErrorCode::kThrottled;
  }
  if (Has<TooLarge>(actions)) {
    return ErrorCode::kTooLarge;
  }
  return Has<AccessDenied>(actions) ? ErrorCode::kAccessDenied : ErrorCode::kTransactionCanceled;
}

std::string Describe(const std::vector<ActionFailure>& actions) {
  std::string text = "canceled";
  bool any = false;
  for (std::size_t index = 0; index < actions.size(); ++index) {
    const auto& [label, reason] = actions[index];
    if (std::holds_alternative<NoReason>(reason)) {
      continue;
    }
    text += any ? ", " : ": ";
    any = true;
    text += label.empty() ? "action " + std::to_string(index) : label;
    text += ": ";
    text += NameOf(reason);
    if (const auto* const wrong = std::get_if<ValidationFailed>(&reason)) {
      text += ": " + wrong->message;
    }
  }
  return text;
}

const std::vector<ActionFailure>& ActionsOf(const Error& error) {
  static const std::vector<ActionFailure> none;
  const auto* const detail = FindDetail<TransactionDetail>(error);
  return detail == nullptr ? none : detail->actions;
}

}  // namespace

TransactionDetail::TransactionDetail(std::vector<ActionFailure> failures, Error why)
    : actions(std::move(failures)), cause(std::move(why)) {}

TransactionDetail::~TransactionDetail() = default;

std::string_view NameOf(const Reason& reason) {
  constexpr std::array<std::string_view, std::variant_size_v<Reason>> kNames = {
      "nothing",
      "condition failed",
      "conflict",
      "throughput exceeded",
      "throttled",
      "item collection too large",
      "validation failed",
      "too large",
      "access denied",
      "duplicate",
      "other"};
  return kNames.at(reason.index());
}

const Reason* FindReason(const Error& error, std::string_view label) {
  for (const ActionFailure& action : ActionsOf(error)) {
    if (action.label == label && !std::holds_alternative<NoReason>(action.reason)) {
      return &action.reason;
    }
  }
  return nullptr;
}

const ConditionFailed* FindConditionFailed(const Error& error, std::string_view label) {
  const Reason* const reason = FindReason(error, label);
  return reason == nullptr ? nullptr : std::get_if<ConditionFailed>(reason);
}

const ActionFailure* FirstConditionFailed(const Error& error) {
  const std::vector<ActionFailure>& actions = ActionsOf(error);
  const auto found = std::find_if(actions.begin(), actions.end(), [](const ActionFailure& action) {
    return std::holds_alternative<ConditionFailed>(action.reason);
  });
  return found == actions.end() ? nullptr : &*found;
}

Error ToTransactionError(Error error, std::vector<ActionFailure> actions) {
  Error made{.code = error.code, .message = error.message};
  if (!actions.empty()) {
    made.code = CodeOf(actions);
    made.message = Describe(actions);
  } else if (MayHaveHappened(error.code)) {
    made.code = ErrorCode::kAmbiguous;
    made.message = "ambiguous: " + error.message;
  }
  made.detail = std::make_shared<TransactionDetail>(std::move(actions), std::move(error));
  return made;
}

}  // namespace stator::patterns
