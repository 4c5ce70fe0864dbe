// Failures of the untyped part, made short.

#pragma once

#include <expected>
#include <string>
#include <utility>

#include "stator/stores/entities/repo_error.h"

namespace stator::entities::detail {

inline std::unexpected<Failure> FailWith(FailureKind kind, std::string message = {}) {
  return std::unexpected(
      Failure{.kind = kind, .error = {ErrorCode::kValidation, std::move(message)}});
}

inline std::unexpected<Failure> Wrong(std::string message) {
  return FailWith(FailureKind::kInvalidRequest, std::move(message));
}

inline std::unexpected<Failure> IsFuture(std::uint16_t stored, std::uint16_t supported) {
  return std::unexpected(
      Failure{.kind = FailureKind::kFutureVersion, .version = stored, .supported = supported});
}

// For an error of the database that has no story of its own.
Failure ToFailure(Error error);

}  // namespace stator::entities::detail
