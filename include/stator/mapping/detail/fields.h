// What is known about a described struct while the program is compiled: its fields in the order of
// their stored names, with their options. And the refusal of names that cannot be.

#pragma once

#include <boost/describe/bases.hpp>
#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "stator/mapping/detail/names.h"
#include "stator/mapping/options.h"

namespace stator::mapping {

template <class T>
concept HasStored = requires { typename Mapping<T>::Stored; };

template <class T>
concept Described = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

template <class T>
using MembersOf = boost::describe::describe_members<T, boost::describe::mod_any_access |
                                                           boost::describe::mod_inherited>;

template <class Pointer>
struct PointerParts;
template <class Member, class Class>
struct PointerParts<Member Class::*> {
  using MemberType = Member;
  using ClassType = Class;
};

template <class Descriptor>
using PointerOf = std::remove_cv_t<decltype(Descriptor::pointer)>;
template <class Descriptor>
using TypeOfMember = typename PointerParts<PointerOf<Descriptor>>::MemberType;

template <class Descriptor, auto kMember>
constexpr bool IsMember(const Field<kMember>& /*field*/) {
  if constexpr (std::is_same_v<PointerOf<Descriptor>, decltype(kMember)>) {
    return Descriptor::pointer == kMember;
  } else {
    return false;
  }
}

// Replaces `options` by what Owner's Mapping says about the member, if it does.
template <class Owner, class Descriptor>
constexpr void GiveOptions([[maybe_unused]] FieldOptions& options) {
  if constexpr (requires { Mapping<Owner>::kFields; }) {
    std::apply(
        [&](const auto&... field) {
          ((IsMember<Descriptor>(field) ? void(options = field.options) : void()), ...);
        },
        Mapping<Owner>::kFields);
  }
}

// The options of a member with everything filled in. What T says comes before what the base says
// that the member is from.
template <class T, class Descriptor>
constexpr FieldOptions OptionsOf() {
  using Owner = typename PointerParts<PointerOf<Descriptor>>::ClassType;
  FieldOptions options;
  GiveOptions<Owner, Descriptor>(options);
  if constexpr (!std::is_same_v<T, Owner>) {
    GiveOptions<T, Descriptor>(options);
  }
  if (options.name.empty()) {
    options.name = StyledName<Descriptor, StyleOf<T>()>::kName;
  }
  if (options.discriminator.empty()) {
    options.discriminator = "type";
  }
  if (!options.required.has_value()) {
    options.required = true;
    if constexpr (requires { Mapping<T>::kRequired; }) {
      options.required = static_cast<bool>(Mapping<T>::kRequired);
    }
  }
  if (options.omit_default) {
    options.required = false;
  }
  return options;
}

// The n-th type of a list without a recursion of templates.
template <std::size_t kIndex, class T>
struct Indexed {
  using Type = T;
};
template <class Indices, class... Types>
struct Indexer;
template <std::size_t... kIndices, class... Types>
struct Indexer<std::index_sequence<kIndices...>, Types...> : Indexed<kIndices, Types>... {};
template <std::size_t kIndex, class T>
Indexed<kIndex, T> Select(Indexed<kIndex, T>* /*indexer*/);

template <class T, class Members>
struct FieldTable;

template <class T, template <class...> class List, class... Descriptors>
struct FieldTable<T, List<Descriptors...>> {
  static constexpr std::size_t kMembers = sizeof...(Descriptors);
  using Index = Indexer<std::index_sequence_for<Descriptors...>, Descriptors...>;
  template <std::size_t kIndex>
  using Descriptor = typename decltype(Select<kIndex>(static_cast<Index*>(nullptr)))::Type;

  static constexpr std::array<bool, kMembers> kUnknown = {
      std::is_same_v<TypeOfMember<Descriptors>, UnknownAttributes>...};
  static constexpr std::array<FieldOptions, kMembers> Options() {
    return {OptionsOf<T, Descriptors>()...};
  }
  static constexpr auto kUnknowns =
      static_cast<std::size_t>(std::count(kUnknown.begin(), kUnknown.end(), true));
  static constexpr std::size_t kFields = kMembers - kUnknowns;

  static constexpr std::size_t kUnknownMember = static_cast<std::size_t>(
      std::find(kUnknown.begin(), kUnknown.end(), true) - kUnknown.begin());

  // Whether every Field of the Mapping is about a member of this table.
  template <auto kMember>
  static constexpr bool Has(const Field<kMember>& field) {
    return (IsMember<Descriptors>(field) || ...);
  }
};

template <class T>
using TableOf = FieldTable<T, MembersOf<T>>;

// The options of the members. Not in the table, whose name in the object file lists all members.
template <class T>
inline constexpr auto kOptionsOf = TableOf<T>::Options();

// Indices of the fields among the members, in the order of their stored names.
template <class T>
constexpr auto SortedFields() {
  using Table = TableOf<T>;
  std::array<std::size_t, Table::kFields> order = {};
  std::size_t count = 0;
  for (std::size_t member = 0; member < Table::kMembers; ++member) {
    if (!Table::kUnknown[member]) {
      order[count++] = member;
    }
  }
  std::sort(order.begin(), order.end(), [](std::size_t left, std::size_t right) {
    return kOptionsOf<T>[left].name < kOptionsOf<T>[right].name;
  });
  return order;
}
template <class T>
inline constexpr auto kFieldOrder = SortedFields<T>();

// The stored names of the fields, sorted.
template <class T>
constexpr auto SortedNames() {
  std::array<std::string_view, TableOf<T>::kFields> names = {};
  for (std::size_t field = 0; field < names.size(); ++field) {
    names[field] = kOptionsOf<T>[kFieldOrder<T>[field]].name;
  }
  return names;
}
template <class T>
inline constexpr auto kFieldNames = SortedNames<T>();

template <class T>
constexpr std::size_t CountKnownNames() {
  std::size_t count = 0;
  for (const std::size_t member : kFieldOrder<T>) {
    const FieldOptions options = kOptionsOf<T>[member];  // a copy: g++ 12 refuses a reference
    ++count;
    for (const std::string_view alias : options.aliases) {
      count += alias.empty() ? 0 : 1;
    }
  }
  return count;
}

// The stored names and aliases of the fields, sorted: what is not unknown.
template <class T>
constexpr auto SortedKnownNames() {
  std::array<std::string_view, CountKnownNames<T>()> names = {};
  std::size_t count = 0;
  for (const std::size_t member : kFieldOrder<T>) {
    const FieldOptions options = kOptionsOf<T>[member];  // a copy, as above
    names[count++] = options.name;
    for (const std::string_view alias : options.aliases) {
      if (!alias.empty()) {
        names[count++] = alias;
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}
template <class T>
inline constexpr auto kKnownNames = SortedKnownNames<T>();

// The field that is `kPlace`-th by stored name.
template <class T, std::size_t kPlace>
struct FieldAt {
  static constexpr std::size_t kMember = kFieldOrder<T>[kPlace];
  using Descriptor = typename TableOf<T>::template Descriptor<kMember>;
  using Type = TypeOfMember<Descriptor>;
  static constexpr const FieldOptions& kOptions = kOptionsOf<T>[kMember];
  static constexpr auto kPointer = Descriptor::pointer;
};

template <class T, auto kMember>
struct FindMember {
  // The number of the member, or kMembers.
  template <std::size_t... kIndex>
  static constexpr std::size_t Among(std::index_sequence<kIndex...> /*members*/) {
    std::size_t found = TableOf<T>::kMembers;
    ((IsMember<typename TableOf<T>::template Descriptor<kIndex>>(Field<kMember>({}))
          ? void(found = kIndex)
          : void()),
     ...);
    return found;
  }
  static constexpr std::size_t kIndexOf = Among(std::make_index_sequence<TableOf<T>::kMembers>());
  static_assert(kIndexOf < TableOf<T>::kMembers, "stator: this member is not described");
};

}  // namespace stator::mapping
