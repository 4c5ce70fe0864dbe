// Updates in C++, the companion of expression.h.
//
//   Update()
//       .Set("state", "open")
//       .Set("attempts", Attribute("attempts") + 1)
//       .Set(Attribute("address")["zip"], "50667")
//       .SetIfMissing("created_at", now)
//       .Append("history", List{"opened"})
//       .Add("views", 1)
//       .Remove("error")
//
// Every right side sees the item as it was before the update. Two clauses on one place, or on a
// place and a part of it, are refused by the database.

#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "stator/patterns/expression.h"

namespace stator::patterns {

// What an attribute may be set to: a value, another attribute, a sum, or one of the functions
// below.
class UpdateValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): Set("n", 3) depends on the conversions.
  UpdateValue(const Operand& operand) : pieces_(operand.pieces()) {}
  UpdateValue(std::convertible_to<AttributeValue> auto&& value)
      : UpdateValue(Operand(std::forward<decltype(value)>(value))) {}
  // NOLINTEND(google-explicit-constructor)
  explicit UpdateValue(ExpressionPieces pieces) : pieces_(std::move(pieces)) {}

  [[nodiscard]] const ExpressionPieces& pieces() const { return pieces_; }

 private:
  ExpressionPieces pieces_;
};

// The attribute, or `value` while there is none.
UpdateValue IfNotExists(const Attribute& attribute, const UpdateValue& value);
// For counters that may not be there yet: Sum(IfNotExists("n", 0), 1).
UpdateValue Sum(const UpdateValue& left, const UpdateValue& right);
// One list behind the other.
UpdateValue ListAppend(const UpdateValue& first, const UpdateValue& second);

class Update {
 public:
  Update& Set(const Attribute& attribute, const UpdateValue& value);
  Update& SetIfMissing(const Attribute& attribute, const UpdateValue& value);
  // Behind what the list holds; makes the list if there is none.
  Update& Append(const Attribute& attribute, List members);
  // To a number, which is 0 when missing, or members to a set.
  Update& Add(const Attribute& attribute, AttributeValue value);
  Update& Remove(const Attribute& attribute);
  // Members from a set.
  Update& Delete(const Attribute& attribute, AttributeValue members);

  // Everything that `other` does, too.
  Update& Merge(const Update& other);

  // The same to the entries of a map, which has to be there.
  [[nodiscard]] Update Inside(std::string_view map) const;

  [[nodiscard]] bool empty() const;

  // One entry per change, in the order in which they were added.
  [[nodiscard]] const std::vector<ExpressionPieces>& sets() const { return sets_; }
  [[nodiscard]] const std::vector<ExpressionPieces>& removes() const { return removes_; }
  [[nodiscard]] const std::vector<ExpressionPieces>& adds() const { return adds_; }
  [[nodiscard]] const std::vector<ExpressionPieces>& deletes() const { return deletes_; }

 private:
  std::vector<ExpressionPieces> sets_;
  std::vector<ExpressionPieces> removes_;
  std::vector<ExpressionPieces> adds_;
  std::vector<ExpressionPieces> deletes_;
};

}  // namespace stator::patterns
