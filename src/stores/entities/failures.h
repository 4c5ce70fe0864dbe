// Errors of the untyped part, made short.

#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "stator/base/result.h"
#include "stator/stores/entities/entity_error.h"

namespace stator::entities::detail {

inline std::unexpected<Error> IsFuture(std::uint16_t stored, std::uint16_t supported) {
  return std::unexpected(MakeError(ErrorCode::kFutureVersion,
                                   "the item is stored as version " + std::to_string(stored) +
                                       ", and those up to " + std::to_string(supported) +
                                       " are known",
                                   {.version = stored, .supported = supported}));
}

inline std::unexpected<Error> IsMissingMigration(std::uint16_t from) {
  return std::unexpected(MakeError(ErrorCode::kMissingMigration,
                                   "there is no migration from version " + std::to_string(from),
                                   {.version = from}));
}

inline std::unexpected<Error> NotFound() {
  return Fail(ErrorCode::kNotFound, "there is no such entity");
}

inline std::unexpected<Error> HasExpired() {
  return Fail(ErrorCode::kExpired, "the entity has expired");
}

}  // namespace stator::entities::detail
