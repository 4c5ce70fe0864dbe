// Where a member stands in a request, as validation messages name it:
//
//   tableName                               a member of the request
//   transactItems.1.member.put.tableName    elements of lists are numbered from 1
//   requestItems.orders.member.keys         entries of maps go by their key
//
// A path is a chain of nodes, each on the stack of the function that went one step down, and
// becomes text only when something is wrong there. A node must outlive those made from it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stator::api {

class MemberPath {
 public:
  // A member of the structure at `parent`; null is the request itself. `name` is the name on the
  // wire, "TableName".
  static MemberPath Member(const MemberPath* parent, std::string_view name) {
    return {parent, name, Kind::kMember, 0};
  }
  // `index` counts from 0.
  static MemberPath Element(const MemberPath* parent, std::size_t index) {
    return {parent, {}, Kind::kElement, index};
  }
  static MemberPath Entry(const MemberPath* parent, std::string_view key) {
    return {parent, key, Kind::kEntry, 0};
  }

  // Whether it is an element or an entry rather than a member of a structure.
  [[nodiscard]] bool is_inside_collection() const { return kind_ != Kind::kMember; }

  [[nodiscard]] std::string ToString() const;

 private:
  enum class Kind : unsigned char { kMember, kElement, kEntry };

  MemberPath(const MemberPath* parent, std::string_view name, Kind kind, std::size_t index)
      : parent_(parent), name_(name), index_(index), kind_(kind) {}

  void AppendTo(std::string& out) const;

  const MemberPath* parent_;
  std::string_view name_;
  std::size_t index_;
  Kind kind_;
};

}  // namespace stator::api
