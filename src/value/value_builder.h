// Targets of value_reader.h that build values. A value is built where it will live: an AttributeValue
// that is made, moved and assigned costs more than reading it.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "stator/value/attribute_value.h"
#include "value/value_reader.h"

namespace stator::value {

// How many entries to reserve memory for before they are seen: a damaged count must not take more
// than the bytes themselves can justify.
inline std::size_t Reservation(std::uint64_t count) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, 32));
}

template <class Member>
struct MembersBuilder {
  std::vector<Member> members;

  explicit MembersBuilder(std::uint64_t count) { members.reserve(Reservation(count)); }
  void OnMember(std::string_view bytes) { members.push_back(Member{std::string(bytes)}); }
};
template <>
struct MembersBuilder<Number> {
  std::vector<Number> members;

  explicit MembersBuilder(std::uint64_t count) { members.reserve(Reservation(count)); }
  void OnMember(const Number& number) { members.push_back(number); }
};

struct ListBuilder;
struct EntriesBuilder;

// Builds values and hands each to Place, a member of Derived.
template <class Derived>
struct ValueBuilder {
  void OnNull() { Place(Null{}); }
  void OnBool(bool value) { Place(value); }
  void OnString(std::string_view bytes) { Place(bytes); }
  void OnBinary(std::string_view bytes) { Place(Binary{std::string(bytes)}); }
  void OnBinary(std::string&& bytes) { Place(Binary{std::move(bytes)}); }
  void OnNumber(const NumberParts& parts) { Place(NumberOf(parts)); }
  void OnNumber(const Number& number) { Place(number); }
  MembersBuilder<std::string> OnStringSet(std::uint64_t count) {
    return MembersBuilder<std::string>(count);
  }
  MembersBuilder<Number> OnNumberSet(std::uint64_t count) { return MembersBuilder<Number>(count); }
  MembersBuilder<Binary> OnBinarySet(std::uint64_t count) { return MembersBuilder<Binary>(count); }
  ListBuilder OnList(std::uint64_t count);
  EntriesBuilder OnMap(std::uint64_t count);

  template <class Member>
  void OnEnd(MembersBuilder<Member>& inside) {
    Place(AttributeSet<Member>(std::move(inside.members)));
  }
  void OnEnd(ListBuilder& inside);
  void OnEnd(EntriesBuilder& inside);

 private:
  template <class T>
  void Place(T&& value) {
    static_cast<Derived*>(this)->Place(std::forward<T>(value));
  }
};

struct OneBuilder : ValueBuilder<OneBuilder> {
  std::optional<AttributeValue>& target;

  explicit OneBuilder(std::optional<AttributeValue>& to) : target(to) {}
  template <class T>
  void Place(T&& value) {
    target.emplace(std::forward<T>(value));
  }
};

struct ListBuilder : ValueBuilder<ListBuilder> {
  List list;

  explicit ListBuilder(std::uint64_t count) { list.reserve(Reservation(count)); }
  void OnElement() {}
  template <class T>
  void Place(T&& value) {
    list.emplace_back(std::forward<T>(value));
  }
};

// Entries come sorted by name; the reader has seen to that.
struct EntriesBuilder : ValueBuilder<EntriesBuilder> {
  std::vector<Map::value_type> entries;
  std::string_view name;

  explicit EntriesBuilder(std::uint64_t count) { entries.reserve(Reservation(count)); }
  void OnName(std::string_view next) { name = next; }
  template <class T>
  void Place(T&& value) {
    entries.emplace_back(std::piecewise_construct, std::forward_as_tuple(name),
                         std::forward_as_tuple(std::forward<T>(value)));
  }
};

// Takes a map alone, such as an item.
struct MapBuilder {
  Map map;

  static EntriesBuilder OnMap(std::uint64_t count) { return EntriesBuilder(count); }
  void OnEnd(EntriesBuilder& inside) { map.AssignSorted(std::move(inside.entries)); }
};

template <class Derived>
ListBuilder ValueBuilder<Derived>::OnList(std::uint64_t count) {
  return ListBuilder(count);
}
template <class Derived>
EntriesBuilder ValueBuilder<Derived>::OnMap(std::uint64_t count) {
  return EntriesBuilder(count);
}
template <class Derived>
void ValueBuilder<Derived>::OnEnd(ListBuilder& inside) {
  Place(std::move(inside.list));
}
template <class Derived>
void ValueBuilder<Derived>::OnEnd(EntriesBuilder& inside) {
  Map map;
  map.AssignSorted(std::move(inside.entries));
  Place(std::move(map));
}

}  // namespace stator::value
