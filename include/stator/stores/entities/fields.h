// Changes and conditions of an entity by its members, so that a wrong name or a value of another
// type does not compile:
//
//   articles.Patch({"a1"}, Add<&Article::stock>(-1), Where<&Article::stock>() >= 1);
//   articles.Patch({"a1"}, Set<&Article::title>("Lamp").Remove<&Article::shelf>());
//   articles.Query({"B7"}, {.filter = Where<&Article::state>() == State::kNew ||
//                                     Where<&Article::price, &Price::amount>() < 10});
//
// The way into a struct inside of the entity is a list of members, through optionals as well. Of a
// member that the entity has from a base, say whose it is: Where<Book, &Article::stock>(),
// FieldUpdate<Book>().Set<&Article::stock>(5).
//
// What has no member is spelled by its stored name: FieldUpdate<T>(patterns::Update().Set("x", 1)),
// FieldCondition<T>(patterns::Attribute("x").Exists()).
//
// A value that the field has no room for fails when it is used, with kValidation.

#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/update.h"
#include "stator/stores/entities/detail/field_values.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/entity_traits.h"

namespace stator::entities {

namespace detail {

// The attribute at the end of a path of stored names.
patterns::Attribute AttributeAt(const std::vector<std::string_view>& names);
Error NoRoomFor(const std::vector<std::string_view>& names);

// The first of two errors counts.
void KeepFirst(std::optional<Error>& first, const std::optional<Error>& second);

template <class T, auto... kPath>
std::vector<std::string_view> NamesOfPath() {
  std::vector<std::string_view> names;
  FieldPath<T, kPath...>::AppendTo(names);
  return names;
}

// Whether the field is part of the key, which no change may touch.
template <class T, auto kMember>
constexpr bool IsKeyMember() {
  constexpr auto kFields = MakeKeyFields<T>();
  const std::string_view name = AttributeName<kMember, T>();
  for (std::size_t n = 0; n < kFields.count; ++n) {
    if (mapping::kFieldNames<T>[kFields.places[n]] == name) {
      return true;
    }
  }
  return false;
}

template <class T>
inline constexpr bool kIsNumberField = (std::integral<T> && !std::is_same_v<T, bool>) ||
                                       std::floating_point<T> || std::is_same_v<T, Number>;

constexpr bool MayBeLeftOut(const FieldOptions& options, const mapping::CodecTraits& traits) {
  return traits.may_be_absent || options.required == false;
}

}  // namespace detail

template <Entity T>
class [[nodiscard]] FieldCondition {
 public:
  FieldCondition() = default;  // holds always
  explicit FieldCondition(patterns::Condition condition) : condition_(std::move(condition)) {}
  explicit FieldCondition(Error error) : error_(std::move(error)) {}

  friend FieldCondition operator&&(FieldCondition left, const FieldCondition& right) {
    left.condition_ = std::move(left.condition_) && right.condition_;
    detail::KeepFirst(left.error_, right.error_);
    return left;
  }
  friend FieldCondition operator||(FieldCondition left, const FieldCondition& right) {
    left.condition_ = std::move(left.condition_) || right.condition_;
    detail::KeepFirst(left.error_, right.error_);
    return left;
  }
  // REQUIRES: a condition; there is no expression that never holds.
  friend FieldCondition operator!(FieldCondition condition) {
    if (!condition.error_) {
      condition.condition_ = !std::move(condition.condition_);
    }
    return condition;
  }

  [[nodiscard]] const patterns::Condition& condition() const { return condition_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  patterns::Condition condition_;
  std::optional<Error> error_ = std::nullopt;
};

// A field in a condition.
template <Entity T, auto... kPath>
class FieldOf {
  using Path = detail::FieldPath<T, kPath...>;
  using Field = typename Path::Field;
  using Codec = mapping::Codec<Field>;
  using Condition = FieldCondition<T>;
  static constexpr std::optional<AttributeValue::Type> kType = Codec::TypeOf(Path::Options());

 public:
  // Of an empty optional: whether there is none.
  template <class Value>
  Condition operator==(const Value& value) const {
    return Compare(value, [](const patterns::Attribute& field, const AttributeValue* other) {
      return other == nullptr ? field.NotExists() : field == *other;
    });
  }
  template <class Value>
  Condition operator!=(const Value& value) const {
    return Compare(value, [](const patterns::Attribute& field, const AttributeValue* other) {
      return other == nullptr ? field.Exists() : field != *other;
    });
  }
  template <class Value>
  Condition operator<(const Value& value) const {
    return Order(value, [](const auto& field, const auto& other) { return field < other; });
  }
  template <class Value>
  Condition operator<=(const Value& value) const {
    return Order(value, [](const auto& field, const auto& other) { return field <= other; });
  }
  template <class Value>
  Condition operator>(const Value& value) const {
    return Order(value, [](const auto& field, const auto& other) { return field > other; });
  }
  template <class Value>
  Condition operator>=(const Value& value) const {
    return Order(value, [](const auto& field, const auto& other) { return field >= other; });
  }
  // Both ends belong to it.
  template <class Low, class High>
  Condition Between(const Low& low, const High& high) const {
    return *this >= low && *this <= high;
  }
  // One to 100 of them.
  Condition In(std::initializer_list<typename detail::WithoutOptional<Field>::Type> values) const {
    Condition any = values.size() == 0
                        ? Condition(Error{ErrorCode::kValidation, "one of no values"})
                        : Condition();
    bool first = true;
    for (const auto& value : values) {
      any = std::exchange(first, false) ? *this == value : std::move(any) || *this == value;
    }
    return any;
  }
  Condition Exists() const { return Condition(At().Exists()); }
  Condition NotExists() const { return Condition(At().NotExists()); }
  Condition BeginsWith(std::string_view beginning) const {
    static_assert(kType == AttributeValue::Type::kString,
                  "stator: only a text begins with another");
    return Condition(At().BeginsWith(AttributeValue(std::string(beginning))));
  }

 private:
  static patterns::Attribute At() {
    return detail::AttributeAt(detail::NamesOfPath<T, kPath...>());
  }

  template <class Value, class Make>
  static Condition Compare(const Value& value, const Make& make) {
    constexpr bool kFits = detail::FitsField<Value, Field>();
    static_assert(kFits, "stator: a field is compared with a value of another type");
    if constexpr (kFits) {
      AttributeValue other;
      const mapping::Encoded encoded = detail::EncodeField<Field>(value, Path::Options(), other);
      return encoded == mapping::Encoded::kFailed
                 ? Condition(detail::NoRoomFor(detail::NamesOfPath<T, kPath...>()))
                 : Condition(make(At(), encoded == mapping::Encoded::kValue ? &other : nullptr));
    } else {
      return {};
    }
  }

  template <class Value, class Make>
  static Condition Order(const Value& value, const Make& make) {
    static_assert(kType == AttributeValue::Type::kString ||
                      kType == AttributeValue::Type::kNumber ||
                      kType == AttributeValue::Type::kBinary,
                  "stator: only texts, numbers and bytes have an order");
    return Compare(value, [&](const patterns::Attribute& field, const AttributeValue* other) {
      return other == nullptr ? field.Exists() && field.NotExists() : make(field, *other);
    });
  }
};

template <auto kMember, auto... kInner>
auto Where() {
  using T = typename mapping::PointerParts<decltype(kMember)>::ClassType;
  return FieldOf<T, kMember, kInner...>();
}
template <Entity T, auto... kPath>
auto Where() {
  return FieldOf<T, kPath...>();
}

template <Entity T>
class [[nodiscard]] FieldUpdate {
 public:
  FieldUpdate() = default;
  explicit FieldUpdate(patterns::Update update) : update_(std::move(update)) {}

  // To an empty optional: removes it.
  template <auto... kPath, class Value>
  FieldUpdate& Set(Value&& value) {
    return Put<kPath...>(std::forward<Value>(value),
                         [&](const patterns::Attribute& field, const AttributeValue* stored) {
                           if (stored == nullptr) {
                             update_.Remove(field);
                           } else {
                             update_.Set(field, *stored);
                           }
                         });
  }
  template <auto... kPath, class Value>
  FieldUpdate& SetIfMissing(Value&& value) {
    return Put<kPath...>(std::forward<Value>(value),
                         [&](const patterns::Attribute& field, const AttributeValue* stored) {
                           if (stored != nullptr) {
                             update_.SetIfMissing(field, *stored);
                           }
                         });
  }
  // To a number, which is 0 when missing; a negative one as well where the field is unsigned.
  template <auto... kPath, class Value>
  FieldUpdate& Add(const Value& difference) {
    using Field =
        typename detail::WithoutOptional<typename detail::FieldPath<T, kPath...>::Field>::Type;
    constexpr bool kFits = detail::kIsNumberField<Field> && detail::FitsField<Value, Field>();
    CheckChangeable<kPath...>();
    static_assert(kFits, "stator: something is added that is no number like the field");
    if constexpr (kFits) {
      using Wide = std::conditional_t<std::integral<Value>, std::int64_t, Value>;
      const std::vector<std::string_view> names = detail::NamesOfPath<T, kPath...>();
      AttributeValue stored;
      if (detail::EncodeField<Wide>(difference, detail::FieldPath<T, kPath...>::Options(),
                                    stored) != mapping::Encoded::kValue) {
        detail::KeepFirst(error_, detail::NoRoomFor(names));
      } else {
        update_.Add(detail::AttributeAt(names), std::move(stored));
      }
    }
    return *this;
  }
  // Behind what the list holds.
  template <auto... kPath>
  FieldUpdate& Append(
      const typename detail::WithoutOptional<typename detail::FieldPath<T, kPath...>::Field>::Type&
          members) {
    using Path = detail::FieldPath<T, kPath...>;
    static_assert(mapping::Codec<typename Path::Field>::TypeOf(Path::Options()) ==
                      AttributeValue::Type::kList,
                  "stator: only a list can be appended to");
    return Put<kPath...>(members, [&](const patterns::Attribute& field,
                                      const AttributeValue* stored) {
      if (const List* list = stored == nullptr ? nullptr : stored->If<List>(); list != nullptr) {
        update_.Append(field, *list);
      }
    });
  }
  template <auto... kPath>
  FieldUpdate& Remove() {
    using Path = detail::FieldPath<T, kPath...>;
    CheckChangeable<kPath...>();
    static_assert(
        detail::MayBeLeftOut(Path::Options(), mapping::Codec<typename Path::Field>::kTraits),
        "stator: a field is removed that may not be missing");
    update_.Remove(detail::AttributeAt(detail::NamesOfPath<T, kPath...>()));
    return *this;
  }

  [[nodiscard]] const patterns::Update& update() const { return update_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  template <auto kMember, auto... kInner>
  static constexpr void CheckChangeable() {
    static_assert(!detail::IsKeyMember<T, kMember>(), "stator: the key of an entity never changes");
  }

  template <auto... kPath, class Value, class Write>
  FieldUpdate& Put(Value&& value, const Write& write) {
    using Path = detail::FieldPath<T, kPath...>;
    using Field = typename Path::Field;
    constexpr bool kFits = detail::FitsField<Value, Field>();
    CheckChangeable<kPath...>();
    static_assert(kFits, "stator: a field is set to a value of another type");
    if constexpr (kFits) {
      const std::vector<std::string_view> names = detail::NamesOfPath<T, kPath...>();
      AttributeValue stored;
      const mapping::Encoded encoded =
          detail::EncodeField<Field>(std::forward<Value>(value), Path::Options(), stored);
      if (encoded == mapping::Encoded::kFailed) {
        detail::KeepFirst(error_, detail::NoRoomFor(names));
      } else {
        write(detail::AttributeAt(names), encoded == mapping::Encoded::kValue ? &stored : nullptr);
      }
    }
    return *this;
  }

  patterns::Update update_;
  std::optional<Error> error_ = std::nullopt;
};

// An update that begins with this; more follows by its methods.

template <auto kMember, auto... kInner, class Value>
auto Set(Value&& value) {
  using T = typename mapping::PointerParts<decltype(kMember)>::ClassType;
  return FieldUpdate<T>().template Set<kMember, kInner...>(std::forward<Value>(value));
}
template <auto kMember, auto... kInner, class Value>
auto Add(const Value& difference) {
  using T = typename mapping::PointerParts<decltype(kMember)>::ClassType;
  return FieldUpdate<T>().template Add<kMember, kInner...>(difference);
}
template <auto kMember, auto... kInner>
auto Remove() {
  using T = typename mapping::PointerParts<decltype(kMember)>::ClassType;
  return FieldUpdate<T>().template Remove<kMember, kInner...>();
}

}  // namespace stator::entities
