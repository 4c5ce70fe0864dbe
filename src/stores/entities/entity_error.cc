#include "stator/stores/entities/entity_error.h"

#include <memory>

#include "stator/mapping/mapping_error.h"
#include "stator/stores/entities/detail/typed.h"

namespace stator::entities {

const EntityFacts& FactsOf(const Error& error) {
  static const EntityFacts none;
  const auto* const detail = FindDetail<EntityDetail>(error);
  return detail == nullptr ? none : *detail;
}

namespace detail {

Error MakeError(ErrorCode code, std::string message, EntityFacts facts) {
  return {.code = code,
          .message = std::move(message),
          .detail = std::make_shared<EntityDetail>(std::move(facts))};
}

Error IsCorrupt(const Error& error) {
  const auto* const detail = FindDetail<MappingErrorDetail>(error);
  return MakeError(ErrorCode::kCorruption, error.message,
                   {.path = detail == nullptr ? std::string() : detail->path});
}

}  // namespace detail

}  // namespace stator::entities
