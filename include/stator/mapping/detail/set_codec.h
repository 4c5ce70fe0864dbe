// Sets: std::set and std::unordered_set of what is stored as text, number or bytes, and DynamoDB's
// own StringSet, NumberSet and BinarySet. DynamoDB has no empty set, so an empty one is no
// attribute.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

// The set of the given members, which are all of `type`: S, N or B.
AttributeValue SetOf(Type type, std::vector<AttributeValue> members);
// The members of a set that has members of `type`; false when `from` is something else.
bool MembersOfSet(const AttributeValue& from, Type type, std::vector<AttributeValue>& members,
                  Problem& problem);

template <class T>
struct SetCodec {
  using Value = typename T::value_type;
  using Member = Codec<Value>;
  static constexpr bool kIsStoredAsIs = std::is_same_v<Value, std::string> ||
                                        std::is_same_v<Value, Number> ||
                                        std::is_same_v<Value, Binary>;
  static_assert(!Member::kTraits.is_floating,
                "stator: floating-point numbers are too inexact to be told apart in a set; take "
                "stator::Number");
  static_assert(Member::kTraits.is_floating || Member::kTraits.is_scalar,
                "stator: the members of a set are text, numbers or bytes; take std::vector");

  static constexpr CodecTraits kTraits = {.may_be_absent = true,
                                          .is_time = Member::kTraits.is_time};
  static constexpr Type MemberType(const FieldOptions& options) {
    return Member::TypeOf(options).value_or(Type::kString);
  }
  static constexpr std::optional<Type> TypeOf(const FieldOptions& options) {
    const Type member = MemberType(options);
    return member == Type::kString   ? Type::kStringSet
           : member == Type::kNumber ? Type::kNumberSet
                                     : Type::kBinarySet;
  }

  static Encoded Encode(const T& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    if (value.empty()) {
      return Encoded::kAbsent;
    }
    if constexpr (kIsStoredAsIs) {
      out = AttributeValue(AttributeSet<Value>(std::vector<Value>(value.begin(), value.end())));
      return Encoded::kValue;
    }
    std::vector<AttributeValue> members;
    members.reserve(value.size());
    for (const auto& member : value) {
      if (Member::Encode(member, options, members.emplace_back(), problem) == Encoded::kFailed) {
        return Encoded::kFailed;
      }
    }
    out = SetOf(MemberType(options), std::move(members));
    return Encoded::kValue;
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& options, T& out,
                     Problem& problem) {
    out.clear();
    if constexpr (kIsStoredAsIs) {
      if (const auto* set = from.If<AttributeSet<Value>>(); set != nullptr) {
        out.insert(set->begin(), set->end());
        return true;
      }
    }
    std::vector<AttributeValue> members;
    if (!MembersOfSet(from, MemberType(options), members, problem)) {
      return false;
    }
    for (const AttributeValue& stored : members) {
      Value member{};
      if (!Member::Decode(stored, options, member, problem)) {
        return false;
      }
      out.insert(out.end(), std::move(member));
    }
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return SchemaOfArray(Member::Schema(options, schemas), /*is_set=*/true);
  }
};

template <class T, class Less, class Allocator>
struct Codec<std::set<T, Less, Allocator>> : SetCodec<std::set<T, Less, Allocator>> {};
template <class T, class Hash, class Equal, class Allocator>
struct Codec<std::unordered_set<T, Hash, Equal, Allocator>>
    : SetCodec<std::unordered_set<T, Hash, Equal, Allocator>> {};

template <class Member, Type kType>
struct AttributeSetCodec {
  using Set = AttributeSet<Member>;
  static constexpr CodecTraits kTraits = {.may_be_absent = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) { return kType; }

  static Encoded Encode(const Set& value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& /*problem*/) {
    if (value.empty()) {
      return Encoded::kAbsent;
    }
    out = AttributeValue(value);
    return Encoded::kValue;
  }
  template <class Value>
  static bool Decode(Value& from, const FieldOptions& /*options*/, Set& out, Problem& problem) {
    if (from.template Is<Null>()) {
      out = Set();
      return true;
    }
    auto* set = from.template If<Set>();
    if (set == nullptr) {
      return problem.WrongType(std::string(TypeName(kType)), from);
    }
    out = Give<Value>(*set);
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return SchemaOfArray(Codec<Member>::Schema(options, schemas), /*is_set=*/true);
  }
};

template <>
struct Codec<StringSet> : AttributeSetCodec<std::string, Type::kStringSet> {};
template <>
struct Codec<NumberSet> : AttributeSetCodec<Number, Type::kNumberSet> {};
template <>
struct Codec<BinarySet> : AttributeSetCodec<Binary, Type::kBinarySet> {};

}  // namespace stator::mapping
