// How one C++ type is stored: Codec<T> for every T that has a DynamoDB form. Here are the types
// that hold one value; containers, structs and times are in the headers beside this one.
//
// A codec has
//
//   kTraits        what containers and checks ask about it
//   TypeOf         the DynamoDB type that it writes; nothing if it depends on the value
//   Encode         a member to an attribute; or says that there is none to write
//   Decode         an attribute to a member, which it moves out of unless it is const
//   Schema         what it writes, as JSON Schema
//   CarryUnknown   if it has any: unknown attributes of an old value to a new one
//
// Options come as an argument, not as a template parameter: a type is compiled once, however many
// fields have it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/mapping/detail/codec_base.h"
#include "stator/mapping/detail/fields.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/detail/unsupported.h"
#include "stator/mapping/options.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

template <class T>
struct Codec : UnsupportedCodec<T> {};

// Whether values of the type may hold attributes that the type does not know.
template <class T>
concept CarriesUnknown = requires(AttributeValue& value, const FieldOptions& options) {
  Codec<T>::CarryUnknown(value, options, value);
};

// Types that are stored as they are.
template <class T, Type kType>
struct PlainCodec {
  static constexpr CodecTraits kTraits = {
      .is_scalar = kType == Type::kString || kType == Type::kNumber || kType == Type::kBinary};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) { return kType; }

  static Encoded Encode(const T& value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& /*problem*/) {
    Put(AttributeValue(value), out);
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& /*options*/, T& out, Problem& problem) {
    auto* typed = from.template If<T>();
    if (typed == nullptr) {
      return problem.WrongType(std::string(TypeName(kType)), from);
    }
    out = Give<Value>(*typed);
    return true;
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) {
    return SchemaOfType(kType);
  }
};

template <>
struct Codec<std::string> : PlainCodec<std::string, Type::kString> {};
template <>
struct Codec<Number> : PlainCodec<Number, Type::kNumber> {};
template <>
struct Codec<Binary> : PlainCodec<Binary, Type::kBinary> {};
template <>
struct Codec<bool> : PlainCodec<bool, Type::kBool> {};
template <>
struct Codec<Map> : PlainCodec<Map, Type::kMap> {};

template <>
struct Codec<AttributeValue> {
  static constexpr CodecTraits kTraits = {.takes_anything = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) { return {}; }

  static Encoded Encode(const AttributeValue& value, const FieldOptions& /*options*/,
                        AttributeValue& out, Problem& /*problem*/) {
    out = value;
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& /*options*/, AttributeValue& out,
                     Problem& /*problem*/) {
    out = Give<Value>(from);
    return true;
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) { return {}; }
};

struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

// False, with the problem, when `from` is no integer from `min` to `max`.
bool DecodeInteger(const AttributeValue& from, std::int64_t min, std::uint64_t max, Integer& out,
                   Problem& problem);

template <NumberLike T>
struct Codec<T> {
  static constexpr auto kMin = static_cast<std::int64_t>(std::numeric_limits<T>::min());
  static constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  static constexpr CodecTraits kTraits = {.is_scalar = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kNumber;
  }

  static Encoded Encode(T value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& /*problem*/) {
    Put(AttributeValue(value), out);
    return Encoded::kValue;
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& /*options*/, T& out,
                     Problem& problem) {
    Integer integer;
    if (!DecodeInteger(from, kMin, kMax, integer, problem)) {
      return false;
    }
    // Two's complement: right for the smallest number too, whose negation does not fit.
    out = static_cast<T>(integer.negative ? ~integer.magnitude + 1 : integer.magnitude);
    return true;
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) {
    return SchemaOfInteger(kMin, kMax);
  }
};

// The shortest decimal that reads back as the same number. Fails for what DynamoDB's numbers do not
// have: infinities, what is no number, magnitudes beyond their range.
bool EncodeFloating(double value, AttributeValue& out, Problem& problem);
bool EncodeFloating(float value, AttributeValue& out, Problem& problem);
// The nearest; fails when that would be an infinity, or zero for what is not.
bool DecodeFloating(const AttributeValue& from, double& out, Problem& problem);
bool DecodeFloating(const AttributeValue& from, float& out, Problem& problem);

template <class T>
  requires(std::same_as<T, double> || std::same_as<T, float>)
struct Codec<T> {
  static constexpr CodecTraits kTraits = {.is_floating = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kNumber;
  }

  static Encoded Encode(T value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& problem) {
    return EncodedIf(EncodeFloating(value, out, problem));
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& /*options*/, T& out,
                     Problem& problem) {
    return DecodeFloating(from, out, problem);
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) {
    return SchemaOfFormat("number", std::same_as<T, float> ? "float" : "double");
  }
};

template <>
struct Codec<std::vector<std::byte>> {
  using Bytes = std::vector<std::byte>;
  static constexpr CodecTraits kTraits = {.is_scalar = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kBinary;
  }

  static Encoded Encode(const Bytes& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem);
  static bool Decode(const AttributeValue& from, const FieldOptions& options, Bytes& out,
                     Problem& problem);
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) {
    return SchemaOfType(Type::kBinary);
  }
};

// Types that a program stores as others.
template <HasStored T>
struct Codec<T> {
  using Stored = typename Mapping<T>::Stored;
  using StoredCodec = Codec<Stored>;
  static constexpr CodecTraits kTraits = StoredCodec::kTraits;
  static constexpr std::optional<Type> TypeOf(const FieldOptions& options) {
    return StoredCodec::TypeOf(options);
  }

  static Encoded Encode(const T& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    return StoredCodec::Encode(Mapping<T>::ToStored(value), options, out, problem);
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& options, T& out, Problem& problem) {
    const Type type = from.type();
    Stored stored{};
    if (!StoredCodec::Decode(from, options, stored, problem)) {
      return false;
    }
    Result<T> made = Mapping<T>::FromStored(std::move(stored));
    if (!made) {
      return problem.Expected(std::move(made.error().message), std::string(TypeName(type)));
    }
    out = *std::move(made);
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return StoredCodec::Schema(options, schemas);
  }
};

}  // namespace stator::mapping
