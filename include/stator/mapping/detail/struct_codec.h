// Described structs, stored as maps of their fields.
//
// COST: fields are visited in the order of their stored names, which is the order of the entries of
// a Map, so writing and reading are linear. A field costs one call through a pointer.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/fields.h"
#include "stator/mapping/detail/names.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/detail/struct_checks.h"

namespace stator::mapping {

// The attributes of `map` that are neither among `known`, which is sorted, nor called `ignored`.
Item AttributesBeside(const Map& map, std::span<const std::string_view> known,
                      std::string_view ignored);
// Adds them to `map`; false when one is among `known`.
bool AddUnknown(const Item& unknown, std::span<const std::string_view> known, Map& map,
                Problem& problem);
// Adds to `to` the attributes of `from` that are not among `known`.
void CarryAttributes(const Map& from, std::span<const std::string_view> known, Map& to);

// The value that members have when nothing is said.
template <class T>
const T& DefaultOf() {
  static const T value{};
  return value;
}

// One field as the loops that write and read structs see it: without its type. So a type is
// compiled once, and a field costs one function that finds it in its struct.
struct FieldStep {
  const FieldOptions* options = nullptr;
  const void* (*member)(const void* object) = nullptr;
};

struct EncodeStep : FieldStep {
  Encoded (*encode)(const void* member, const FieldOptions& options, AttributeValue& out,
                    Problem& problem) = nullptr;
  bool (*is_default)(const void* member) = nullptr;  // null unless such a member is left out
};

// Value is AttributeValue, to be moved from, or const.
template <class Value>
struct DecodeStep : FieldStep {
  bool (*decode)(Value& from, const FieldOptions& options, void* member,
                 Problem& problem) = nullptr;
  bool may_be_absent = false;
  std::optional<Type> type = {};
};

// `room` is for how many further entries memory is taken.
bool EncodeFields(const void* object, std::span<const EncodeStep> steps, std::size_t room, Map& out,
                  Problem& problem);
bool DecodeFields(const Map& map, std::span<const DecodeStep<const AttributeValue>> steps,
                  void* object, Problem& problem);
bool DecodeFields(Map& map, std::span<const DecodeStep<AttributeValue>> steps, void* object,
                  Problem& problem);

// The value of the field's attribute, called by its name or an alias; null if there is none.
const AttributeValue* FindStored(const Map& map, const FieldOptions& options);

template <class T, std::size_t kPlace>
const void* MemberOf(const void* object) {
  return &(static_cast<const T*>(object)->*FieldAt<T, kPlace>::kPointer);
}

template <class T, std::size_t kPlace>
bool IsDefault(const void* member) {
  return *static_cast<const typename FieldAt<T, kPlace>::Type*>(member) ==
         DefaultOf<T>().*FieldAt<T, kPlace>::kPointer;
}

template <class Type>
Encoded EncodeMember(const void* member, const FieldOptions& options, AttributeValue& out,
                     Problem& problem) {
  return Codec<Type>::Encode(*static_cast<const Type*>(member), options, out, problem);
}

template <class Type, class Value>
bool DecodeMember(Value& from, const FieldOptions& options, void* member, Problem& problem) {
  return Codec<Type>::Decode(from, options, *static_cast<Type*>(member), problem);
}

template <class T, std::size_t kPlace>
constexpr EncodeStep EncodeStepAt() {
  using FieldHere = FieldAt<T, kPlace>;
  EncodeStep step = {{&FieldHere::kOptions, &MemberOf<T, kPlace>},
                     &EncodeMember<typename FieldHere::Type>};
  if constexpr (FieldHere::kOptions.omit_default) {
    step.is_default = &IsDefault<T, kPlace>;
  }
  return step;
}

template <class T, class Value, std::size_t kPlace>
constexpr DecodeStep<Value> DecodeStepAt() {
  using FieldHere = FieldAt<T, kPlace>;
  using FieldCodec = Codec<typename FieldHere::Type>;
  return {{&FieldHere::kOptions, &MemberOf<T, kPlace>},
          &DecodeMember<typename FieldHere::Type, Value>,
          FieldCodec::kTraits.may_be_absent,
          FieldCodec::TypeOf(FieldHere::kOptions)};
}

template <class T, class Places = std::make_index_sequence<TableOf<T>::kFields>>
struct StepsOf;
template <class T, std::size_t... kPlaces>
struct StepsOf<T, std::index_sequence<kPlaces...>> {
  static constexpr std::array<EncodeStep, sizeof...(kPlaces)> Encoding() {
    return {EncodeStepAt<T, kPlaces>()...};
  }
  template <class Value>
  static constexpr std::array<DecodeStep<Value>, sizeof...(kPlaces)> Decoding() {
    return {DecodeStepAt<T, Value, kPlaces>()...};
  }
};
template <class T>
inline constexpr auto kEncodeSteps = StepsOf<T>::Encoding();
template <class T, class Value>
inline constexpr auto kDecodeSteps = StepsOf<T>::template Decoding<Value>();

template <class T>
struct StructCodec {
  static_assert(CheckStruct<T>());
  using Table = TableOf<T>;
  static constexpr auto kPlaces = std::make_index_sequence<Table::kFields>();
  static constexpr bool kKeepsUnknown = Table::kUnknowns == 1;

  // By default there is room for the discriminator of a variant.
  static bool EncodeMap(const T& value, Map& out, Problem& problem, std::size_t room = 1) {
    const bool good = EncodeFields(&value, kEncodeSteps<T>, room, out, problem);
    if constexpr (kKeepsUnknown) {
      return good && AddUnknown(UnknownOf(value).attributes, kKnownNames<T>, out, problem);
    } else {
      return good;
    }
  }

  // An attribute called `ignored` is neither a field nor unknown. MapType is Map, to be moved from,
  // or const.
  template <class MapType>
  static bool DecodeMap(MapType& map, std::string_view ignored, T& out, Problem& problem) {
    using Value =
        std::conditional_t<std::is_const_v<MapType>, const AttributeValue, AttributeValue>;
    if constexpr (kKeepsUnknown) {
      UnknownOf(out).attributes = AttributesBeside(map, kKnownNames<T>, ignored);
    }
    return DecodeFields(map, kDecodeSteps<T, Value>, &out, problem);
  }

  static Map MakeSchema(Schemas& schemas) {
    StructSchema schema(TypeNameOf<T>());
    if constexpr (requires { Mapping<T>::kDescription; }) {
      schema.Describe(Mapping<T>::kDescription);
    }
    [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
      (AddToSchema<kPlace>(schema, schemas), ...);
    }(kPlaces);
    return std::move(schema).Take();
  }

  // Unknown is what is not in `known`, which is sorted and has at least the names of T.
  static void CarryUnknownInMap(const Map& from, Map& to,
                                std::span<const std::string_view> known = kKnownNames<T>) {
    [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
      (CarryUnknownInField<kPlace>(from, to), ...);
    }(kPlaces);
    CarryAttributes(from, known, to);
  }

  // Takes these out of what the value keeps unread, if it keeps anything.
  static void ForgetUnknown([[maybe_unused]] std::span<const std::string_view> names,
                            [[maybe_unused]] T& value) {
    if constexpr (kKeepsUnknown) {
      for (const std::string_view name : names) {
        UnknownOf(value).attributes.Erase(name);
      }
    }
  }

 private:
  static auto& UnknownOf(auto& value) {
    return value.*Table::template Descriptor<Table::kUnknownMember>::pointer;
  }

  template <std::size_t kPlace>
  static void AddToSchema(StructSchema& schema, Schemas& schemas) {
    using FieldHere = FieldAt<T, kPlace>;
    using FieldCodec = Codec<typename FieldHere::Type>;
    constexpr const FieldOptions& kOptions = FieldHere::kOptions;
    const bool required = kOptions.required.value_or(true) && !FieldCodec::kTraits.may_be_absent;
    AttributeValue value;
    Problem problem;
    const bool has_default = !required && !FieldCodec::kTraits.may_be_absent &&
                             FieldCodec::Encode(DefaultOf<T>().*FieldHere::kPointer, kOptions,
                                                value, problem) == Encoded::kValue;
    schema.Add(kOptions, FieldCodec::Schema(kOptions, schemas), required,
               has_default ? &value : nullptr);
  }

  template <std::size_t kPlace>
  static void CarryUnknownInField(const Map& from, Map& to) {
    using FieldHere = FieldAt<T, kPlace>;
    using FieldCodec = Codec<typename FieldHere::Type>;
    if constexpr (CarriesUnknown<typename FieldHere::Type>) {
      const AttributeValue* before = FindStored(from, FieldHere::kOptions);
      AttributeValue* after = to.Find(FieldHere::kOptions.name);
      if (before != nullptr && after != nullptr) {
        FieldCodec::CarryUnknown(*before, FieldHere::kOptions, *after);
      }
    }
  }
};

template <Described T>
  requires(!HasStored<T>)
struct Codec<T> {
  static constexpr CodecTraits kTraits = {};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kMap;
  }

  static Encoded Encode(const T& value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& problem) {
    Map map;
    if (!StructCodec<T>::EncodeMap(value, map, problem)) {
      return Encoded::kFailed;
    }
    out = AttributeValue(std::move(map));
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& /*options*/, T& out, Problem& problem) {
    auto* map = from.template If<Map>();
    if (map == nullptr) {
      return problem.WrongType("M", from);
    }
    return StructCodec<T>::DecodeMap(*map, {}, out, problem);
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& schemas) {
    return schemas.Reference(TypeNameOf<T>(), &StructCodec<T>::MakeSchema);
  }
  static void CarryUnknown(const AttributeValue& from, const FieldOptions& /*options*/,
                           AttributeValue& to) {
    if (const Map* before = from.If<Map>(); before != nullptr) {
      if (Map* after = to.If<Map>(); after != nullptr) {
        StructCodec<T>::CarryUnknownInMap(*before, *after);
      }
    }
  }
};

}  // namespace stator::mapping
