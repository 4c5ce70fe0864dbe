// The steps that the lists of checks.h have in common.

#pragma once

#include <string_view>
#include <utility>

#include "api/constraints.h"
#include "api/layers.h"
#include "api/member_path.h"
#include "base/try.h"
#include "request/checks.h"
#include "value/check_value.h"

namespace stator::request {

inline constexpr std::string_view kEnvelope = "1 validation error detected: ";

// Lengths, ranges, enumerators, required members.
template <class Input>
Result<void> CheckConstraints(const Input& input, const Context& context) {
  api::CheckConstraints(input, context.noticed);
  return context.noticed.ToResult();
}

// What a list behind the constraints found, as the layer of the operation words it.
template <class Input, class T>
Result<T> Worded(const Context& context, Result<T> result) {
  if constexpr (api::kLayerOf<Input> == api::Layer::kEnveloped) {
    if (!result && result.error().code == ErrorCode::kValidation && !context.noticed.FallsBack()) {
      result.error().message.insert(0, kEnvelope);
    }
  }
  return result;
}

// The member could be read; `parent` is the structure that it belongs to, null for the request.
inline Result<void> CheckRead(const Context& context, std::string_view member,
                              const api::MemberPath* parent = nullptr) {
  return context.noticed.FaultIn(api::MemberPath::Member(parent, member));
}

// An item or a key could be read, and holds what could be stored.
inline Result<void> CheckContent(const Context& context, std::string_view member, const Item& item,
                                 const api::MemberPath* parent = nullptr) {
  TRY_VOID(CheckRead(context, member, parent));
  return value::CheckItem(item);
}

// Both maps of placeholders; their keys before their values.
inline Result<void> CheckPlaceholders(const Context& context,
                                      const expression::Substitutions& substitutions,
                                      const api::MemberPath* parent = nullptr) {
  TRY_VOID(substitutions.CheckParameters());
  return CheckRead(context, "ExpressionAttributeValues", parent);
}

template <class Map>
std::size_t SizeOf(const std::optional<Map>& map) {
  return map ? map->size() : 0;
}

inline const Map* PointerTo(const std::optional<Map>& values) {
  return values ? &*values : nullptr;
}

}  // namespace stator::request
