// A DynamoDB set of strings, numbers or binaries. Members are kept sorted and unique, so that sets
// that are equal as sets are equal as values, also deep inside a document.

#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace stator {

template <class Member>
class AttributeSet {
 public:
  using value_type = Member;
  using const_iterator = typename std::vector<Member>::const_iterator;

  // An empty set can be computed with, but DynamoDB stores none.
  AttributeSet() = default;
  AttributeSet(std::initializer_list<Member> members)
      : AttributeSet(std::vector<Member>(members)) {}

  // Equal members collapse; compare sizes to learn whether there were any.
  explicit AttributeSet(std::vector<Member> members) : members_(std::move(members)) {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  }

  [[nodiscard]] const_iterator begin() const { return members_.begin(); }
  [[nodiscard]] const_iterator end() const { return members_.end(); }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] bool contains(const Member& member) const {
    return std::binary_search(members_.begin(), members_.end(), member);
  }

  void Add(const AttributeSet& other) {
    std::vector<Member> both;
    both.reserve(size() + other.size());
    std::set_union(begin(), end(), other.begin(), other.end(), std::back_inserter(both));
    members_ = std::move(both);
  }

  void Remove(const AttributeSet& other) {
    std::vector<Member> rest;
    rest.reserve(size());
    std::set_difference(begin(), end(), other.begin(), other.end(), std::back_inserter(rest));
    members_ = std::move(rest);
  }

  friend bool operator==(const AttributeSet&, const AttributeSet&) = default;

 private:
  std::vector<Member> members_;
};

}  // namespace stator
