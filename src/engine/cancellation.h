// What cancels a transaction: the reasons of its actions, in the order of the request.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stator/api/error_details.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

class Cancellation {
 public:
  explicit Cancellation(std::size_t actions) : reasons_(actions) {}

  // Notes why an action cannot be done. Of validation errors only the first is reported.
  // REQUIRES: the error is one of an action: a failed condition, a conflict, a validation error.
  void Add(std::size_t action, const Error& error);

  [[nodiscard]] bool empty() const { return !canceled_; }

  // kTransactionCanceled with all reasons, if there is one.
  [[nodiscard]] Result<void> ToResult() const;

 private:
  std::vector<CancellationReason> reasons_;
  bool canceled_ = false;
  bool has_validation_error_ = false;
};

// Whether the error belongs into the reasons of a transaction instead of failing the request.
bool CancelsTransaction(const Error& error);

}  // namespace stator::engine
