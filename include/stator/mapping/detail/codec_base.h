// What all codecs share; see codec.h.

#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "stator/value/attribute_value.h"

namespace stator::mapping {

using Type = AttributeValue::Type;

enum class Encoded : std::uint8_t { kValue, kAbsent, kFailed };

constexpr Encoded EncodedIf(bool good) {
  return good ? Encoded::kValue : Encoded::kFailed;
}

struct CodecTraits {
  bool may_be_absent = false;   // an empty value is written as no attribute, in a list as NULL
  bool is_scalar = false;       // may be a member of a set
  bool is_floating = false;     // float or double, or a container of them
  bool is_time = false;         // a time, or a container of them
  bool is_variant = false;      // likewise
  bool is_optional = false;     // likewise
  bool takes_anything = false;  // reads NULL as a value of its own
};

// The contents of a value that is not needed any more are moved, those of a const one copied.
template <class Owner, class T>
constexpr auto&& Give(T& part) {
  if constexpr (std::is_const_v<Owner>) {
    return std::as_const(part);
  } else {
    return std::move(part);
  }
}

// Assigns by making `out` anew, which costs a variant a fraction of an assignment.
inline void Put(AttributeValue made, AttributeValue& out) {
  static_assert(std::is_nothrow_move_constructible_v<AttributeValue>);
  std::destroy_at(&out);
  std::construct_at(&out, std::move(made));
}

}  // namespace stator::mapping
