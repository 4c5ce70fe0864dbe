// What the compiler says about types that have no DynamoDB form. The codec is complete apart from
// that, so that its message is the only one.

#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

#include "stator/mapping/detail/codec_base.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/options.h"

namespace stator::mapping {

template <class T>
concept Character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>
concept Borrowed =
    std::is_pointer_v<T> || std::is_reference_v<T> || std::same_as<T, std::string_view>;

template <class T>
constexpr bool Refuse() {
  constexpr bool kUndescribedEnum = std::is_enum_v<T>;
  constexpr bool kUndescribedClass = std::is_class_v<T> && !Borrowed<T>;
  static_assert(!kUndescribedEnum,
                "stator: this enum is not described; write BOOST_DESCRIBE_ENUM(Name, ...) "
                "behind it, in its namespace");
  static_assert(!kUndescribedClass,
                "stator: this class has no DynamoDB form; write BOOST_DESCRIBE_STRUCT(Name, (), "
                "(members...)) behind it, in its namespace, or say in stator::Mapping as what it "
                "is Stored");
  static_assert(!Borrowed<T>,
                "stator: a member must own what it holds; take std::string for text, an object "
                "for a pointer");
  static_assert(!Character<T>,
                "stator: a character is neither text nor a number; take std::string, or an "
                "integer type");
  static_assert(kUndescribedEnum || kUndescribedClass || Borrowed<T> || Character<T>,
                "stator: this type has no DynamoDB form; say in stator::Mapping as what it is "
                "Stored");
  return true;
}

template <class T>
struct UnsupportedCodec {
  // As permissive as can be.
  static constexpr CodecTraits kTraits = {.is_scalar = Refuse<T>()};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) { return {}; }

  static Encoded Encode(const T& /*value*/, const FieldOptions& /*options*/,
                        AttributeValue& /*out*/, Problem& /*problem*/) {
    return Encoded::kFailed;
  }
  static bool Decode(const AttributeValue& /*from*/, const FieldOptions& /*options*/, T& /*out*/,
                     Problem& /*problem*/) {
    return false;
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) { return {}; }
};

}  // namespace stator::mapping
