// Containers: std::optional, std::vector (L), std::map and std::unordered_map by text (M).
//
// An empty optional and an empty set have no attribute; inside of a list or a map, where something
// has to stand, they are NULL.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

// What a container passes on of the traits of what it contains.
constexpr CodecTraits Contained(const CodecTraits& element) {
  return {.is_floating = element.is_floating,
          .is_time = element.is_time,
          .is_variant = element.is_variant,
          .is_optional = element.is_optional};
}

template <class T>
struct Codec<std::optional<T>> {
  using Inner = Codec<T>;
  static_assert(!Inner::kTraits.may_be_absent,
                "stator: an optional of an optional or of a set cannot be told from an empty one "
                "when stored; leave the outer optional out");
  static_assert(!Inner::kTraits.takes_anything,
                "stator: an optional AttributeValue cannot be told from a stored NULL; take "
                "AttributeValue, with .omit_default if it may be missing");

  static constexpr CodecTraits kTraits = {.may_be_absent = true,
                                          .is_floating = Inner::kTraits.is_floating,
                                          .is_time = Inner::kTraits.is_time,
                                          .is_variant = Inner::kTraits.is_variant,
                                          .is_optional = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& options) {
    return Inner::TypeOf(options);
  }

  static Encoded Encode(const std::optional<T>& value, const FieldOptions& options,
                        AttributeValue& out, Problem& problem) {
    if (value.has_value()) {
      return Inner::Encode(*value, options, out, problem);
    }
    return options.null_when_empty ? Encoded::kValue : Encoded::kAbsent;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& options, std::optional<T>& out,
                     Problem& problem) {
    if (from.template Is<Null>()) {
      out.reset();
      return true;
    }
    return Inner::Decode(from, options, out.emplace(), problem);
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    Map schema = Inner::Schema(options, schemas);
    return options.null_when_empty ? SchemaOrNull(std::move(schema)) : schema;
  }
  static void CarryUnknown(const AttributeValue& from, const FieldOptions& options,
                           AttributeValue& to)
    requires CarriesUnknown<T>
  {
    Inner::CarryUnknown(from, options, to);
  }
};

// What stands for the element of a list or map in its schema.
template <class T>
Map ElementSchema(const FieldOptions& options, Schemas& schemas) {
  Map schema = Codec<T>::Schema(options, schemas);
  const bool has_null = Codec<T>::kTraits.is_optional && options.null_when_empty;
  return Codec<T>::kTraits.may_be_absent && !has_null ? SchemaOrNull(std::move(schema)) : schema;
}

template <class T, class Allocator>
struct Codec<std::vector<T, Allocator>> {
  using Vector = std::vector<T, Allocator>;
  static_assert(!std::is_same_v<T, unsigned char>,
                "stator: a vector of unsigned char may be meant as bytes or as numbers; take "
                "std::vector<std::byte> or stator::Binary for bytes");

  static constexpr CodecTraits kTraits = Contained(Codec<T>::kTraits);
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kList;
  }

  static Encoded Encode(const Vector& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    List list;
    list.reserve(value.size());
    for (const auto& element : value) {
      if (Codec<T>::Encode(element, options, list.emplace_back(), problem) == Encoded::kFailed) {
        problem.At(list.size() - 1);
        return Encoded::kFailed;
      }
    }
    out = AttributeValue(std::move(list));
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& options, Vector& out, Problem& problem) {
    auto* list = from.template If<List>();
    if (list == nullptr) {
      return problem.WrongType("L", from);
    }
    out.clear();
    out.reserve(list->size());
    for (auto& stored : *list) {
      T element{};
      if (!Codec<T>::Decode(stored, options, element, problem)) {
        return problem.At(out.size());
      }
      out.push_back(std::move(element));
    }
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return SchemaOfArray(ElementSchema<T>(options, schemas), /*is_set=*/false);
  }
};

template <class T>
struct MapCodec {
  using Element = Codec<typename T::mapped_type>;
  static_assert(std::is_same_v<typename T::key_type, std::string>,
                "stator: only std::string can be the key of a map; attribute names are text");

  static constexpr CodecTraits kTraits = Contained(Element::kTraits);
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kMap;
  }

  static Encoded Encode(const T& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    std::vector<Map::value_type> entries;
    entries.reserve(value.size());
    for (const auto& [name, element] : value) {
      entries.emplace_back(name, AttributeValue());
      if (Element::Encode(element, options, entries.back().second, problem) == Encoded::kFailed) {
        problem.At(name);
        return Encoded::kFailed;
      }
    }
    Map map;
    map.Assign(std::move(entries));
    out = AttributeValue(std::move(map));
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& options, T& out, Problem& problem) {
    auto* map = from.template If<Map>();
    if (map == nullptr) {
      return problem.WrongType("M", from);
    }
    out.clear();
    for (auto& [name, stored] : *map) {
      if (!Element::Decode(stored, options, out[name], problem)) {
        return problem.At(name);
      }
    }
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return SchemaOfObject(ElementSchema<typename T::mapped_type>(options, schemas));
  }

  static void CarryUnknown(const AttributeValue& from, const FieldOptions& options,
                           AttributeValue& to)
    requires CarriesUnknown<typename T::mapped_type>
  {
    const Map* before = from.If<Map>();
    Map* after = to.If<Map>();
    if (before == nullptr || after == nullptr) {
      return;
    }
    for (auto& [name, value] : *after) {
      if (const AttributeValue* old = before->Find(name); old != nullptr) {
        Element::CarryUnknown(*old, options, value);
      }
    }
  }
};

template <class Key, class T, class Less, class Allocator>
struct Codec<std::map<Key, T, Less, Allocator>> : MapCodec<std::map<Key, T, Less, Allocator>> {};
template <class Key, class T, class Hash, class Equal, class Allocator>
struct Codec<std::unordered_map<Key, T, Hash, Equal, Allocator>>
    : MapCodec<std::unordered_map<Key, T, Hash, Equal, Allocator>> {};

}  // namespace stator::mapping
