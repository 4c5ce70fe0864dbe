// std::variant of described structs, stored as the map of the struct with one more attribute, which
// says which of them it is.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/enum_codec.h"
#include "stator/mapping/detail/fields.h"
#include "stator/mapping/detail/names.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/detail/struct_codec.h"

namespace stator::mapping {

template <class T>
constexpr std::string_view NameOfAlternative() {
  if constexpr (Described<T>) {
    return TypeNameOf<T>();
  } else {
    return {};
  }
}

template <class... Alternatives>
struct Codec<std::variant<Alternatives...>> {
  using Variant = std::variant<Alternatives...>;
  static_assert((Described<Alternatives> && ...),
                "stator: every alternative of a variant must be a described struct");
  static constexpr std::array<std::string_view, sizeof...(Alternatives)> kNames = {
      NameOfAlternative<Alternatives>()...};
  static_assert(!(Described<Alternatives> && ...) || RepeatedName(kNames).empty(),
                "stator: two alternatives of a variant have the same name; give one a kName in "
                "stator::Mapping");

  static constexpr CodecTraits kTraits = {.is_variant = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kMap;
  }

  static Encoded Encode(const Variant& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    if (value.valueless_by_exception()) {
      problem.Expected("a value", "a variant that has none");
      return Encoded::kFailed;
    }
    Map map;
    const bool good = std::visit(
        [&]<class T>(const T& alternative) {
          return StructCodec<T>::EncodeMap(alternative, map, problem);
        },
        value);
    if (good) {
      map.Set(std::string(options.discriminator), AttributeValue(kNames[value.index()]));
      out = AttributeValue(std::move(map));
    }
    return EncodedIf(good);
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& options, Variant& out, Problem& problem) {
    auto* map = from.template If<Map>();
    if (map == nullptr) {
      return problem.WrongType("M", from);
    }
    const AttributeValue* name = map->Find(options.discriminator);
    if (name == nullptr) {
      problem.Missing("S");
      return problem.At(options.discriminator);
    }
    const auto* text = name->template If<std::string>();
    const auto found =
        text == nullptr ? kNames.end() : std::find(kNames.begin(), kNames.end(), *text);
    if (found == kNames.end()) {
      RefuseEnumerator(*name, kNames, problem);
      return problem.At(options.discriminator);
    }
    return DecodeAlternative(*map, static_cast<std::size_t>(found - kNames.begin()), options, out,
                             problem);
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return SchemaOfVariant(options.discriminator, kNames,
                           {AttributeValue(Codec<Alternatives>::Schema(options, schemas))...});
  }
  // Only from an alternative to the same.
  static void CarryUnknown(const AttributeValue& from, const FieldOptions& options,
                           AttributeValue& to) {
    const Map* before = from.If<Map>();
    Map* after = to.If<Map>();
    if (before == nullptr || after == nullptr) {
      return;
    }
    const AttributeValue* name = after->Find(options.discriminator);
    const AttributeValue* old_name = before->Find(options.discriminator);
    if (name != nullptr && old_name != nullptr && *name == *old_name) {
      ((*name == AttributeValue(TypeNameOf<Alternatives>())
            ? StructCodec<Alternatives>::CarryUnknownInMap(*before, *after)
            : void()),
       ...);
    }
  }

 private:
  template <class MapType>
  static bool DecodeAlternative(MapType& map, std::size_t index, const FieldOptions& options,
                                Variant& out, Problem& problem) {
    return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      return ((index == kIndex &&
               StructCodec<Alternatives>::DecodeMap(map, options.discriminator,
                                                    out.template emplace<kIndex>(), problem)) ||
              ...);
    }(std::index_sequence_for<Alternatives...>());
  }
};

}  // namespace stator::mapping
