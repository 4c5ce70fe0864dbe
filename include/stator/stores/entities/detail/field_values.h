// Values for fields that are named by their members: what fits, and how it is stored.

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stator/mapping/mapping.h"
#include "stator/value/attribute_value.h"
#include "stator/value/number.h"

namespace stator::entities::detail {

template <class T>
struct WithoutOptional {
  using Type = T;
  static constexpr bool kIsOptional = false;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using Type = T;
  static constexpr bool kIsOptional = true;
};

// Whether a value can stand for a field without losing anything but, perhaps, its sign or size,
// which is looked at when the program runs: no text for a number, no fraction for an integer.
template <class Value, class Field>
constexpr bool FitsField() {
  using Plain = std::remove_cvref_t<Value>;
  using Wanted = typename WithoutOptional<Field>::Type;
  if constexpr (WithoutOptional<Field>::kIsOptional) {
    return std::is_same_v<Plain, std::nullopt_t> ||
           FitsField<typename WithoutOptional<Plain>::Type, Wanted>();
  } else if constexpr (std::is_same_v<Plain, bool> || std::is_same_v<Field, bool>) {
    return std::is_same_v<Plain, Field>;
  } else if constexpr (std::integral<Field>) {
    return std::integral<Plain>;
  } else if constexpr (std::floating_point<Field>) {
    return std::integral<Plain> || std::floating_point<Plain>;
  } else if constexpr (std::is_same_v<Field, Number>) {
    return std::integral<Plain> || std::is_same_v<Plain, Number>;
  } else if constexpr (std::is_same_v<Field, std::string>) {
    return std::convertible_to<Value, std::string_view>;
  } else {
    return std::convertible_to<Value, Field>;
  }
}

// The value as the field has it; nothing when it is a number that the field has no room for.
template <class Field, class Value>
std::optional<Field> ToField(Value&& value) {
  if constexpr (std::integral<Field> && !std::is_same_v<Field, bool>) {
    return std::in_range<Field>(value) ? std::optional(static_cast<Field>(value)) : std::nullopt;
  } else if constexpr (WithoutOptional<Field>::kIsOptional) {
    using Inner = typename Field::value_type;
    using Plain = std::remove_cvref_t<Value>;
    if constexpr (std::is_same_v<Plain, std::nullopt_t>) {
      return Field();
    } else if constexpr (WithoutOptional<Plain>::kIsOptional) {
      return value ? ToField<Field>(*std::forward<Value>(value)) : Field();
    } else {
      std::optional<Inner> inner = ToField<Inner>(std::forward<Value>(value));
      return inner ? std::optional<Field>(Field(*std::move(inner))) : std::nullopt;
    }
  } else {
    return Field(std::forward<Value>(value));
  }
}

// One way into an entity: a member, or a member of a struct that is a member.
template <class T, auto kMember, auto... kInner>
struct FieldPath {
  using Parts = mapping::PointerParts<decltype(kMember)>;
  static_assert(std::is_base_of_v<typename Parts::ClassType, T>,
                "stator: the member is of another struct than the entity");
  using Member = typename Parts::MemberType;
  using Rest = FieldPath<typename WithoutOptional<Member>::Type, kInner...>;
  using Field = typename Rest::Field;

  static constexpr const FieldOptions& Options() { return Rest::Options(); }
  static void AppendTo(auto& names) {
    names.emplace_back(AttributeName<kMember, T>());
    Rest::AppendTo(names);
  }
};

template <class T, auto kMember>
struct FieldPath<T, kMember> {
  using Parts = mapping::PointerParts<decltype(kMember)>;
  static_assert(std::is_base_of_v<typename Parts::ClassType, T>,
                "stator: the member is of another struct than the entity");
  using Field = typename Parts::MemberType;

  static constexpr const FieldOptions& Options() {
    return mapping::kOptionsOf<T>[mapping::FindMember<T, kMember>::kIndexOf];
  }
  static void AppendTo(auto& names) { names.emplace_back(AttributeName<kMember, T>()); }
};

// How a value is stored in the field, absent where the field would be; kFailed when it cannot be.
template <class Field, class Value>
mapping::Encoded EncodeField(Value&& value, const FieldOptions& options, AttributeValue& out) {
  const std::optional<Field> field = ToField<Field>(std::forward<Value>(value));
  mapping::Problem problem;
  return field ? mapping::Codec<Field>::Encode(*field, options, out, problem)
               : mapping::Encoded::kFailed;
}

}  // namespace stator::entities::detail
