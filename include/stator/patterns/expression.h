// Conditions in C++: they compile to DynamoDB's expression language, in which every name is a
// #placeholder and every value a :placeholder. So no attribute name is a reserved word, none has to
// be escaped, and no text from outside ever becomes part of an expression.
//
//   const Condition open = Attribute("state") == "open" && Attribute("attempts") < 3;
//   const Condition mine = open && (Attribute("owner").NotExists() || Attribute("owner") == me);
//   database.PutItem(MakePut(table, item, mine));                       // patterns/requests.h
//
// A name is taken as it is: Attribute("a.b") is the attribute whose name has a dot in it. The way
// into a document is spelled: Attribute("address")["zip"], Attribute("lines")[0]["price"].
//
// && and || do not short-circuit, they build. A Condition is never a bool.
//
// COST: a condition is a list of a few small pieces; building one allocates, compiling it once
// more.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator::patterns {

// One part of an expression. For those who write a further kind of expression; users have
// Attribute.
struct ExpressionPiece {
  struct Text {
    std::string text;
  };
  struct Name {
    std::string name;
  };
  struct Value {
    AttributeValue value;
  };
  std::variant<Text, Name, Value> piece;
};
using ExpressionPieces = std::vector<ExpressionPiece>;

// With every attribute as an entry of `map`.
ExpressionPieces PiecesInside(std::string_view map, const ExpressionPieces& pieces);

class Attribute;
class UpdateValue;

// Whether an item may be written, or belongs to what was asked for. The default holds always: it
// compiles to no expression at all, and joined with another by && it vanishes.
class [[nodiscard]] Condition {
 public:
  Condition() = default;

  [[nodiscard]] bool always() const { return kind_ == Kind::kAlways; }

  // Always, joined by ||, is always.
  friend Condition operator&&(Condition left, Condition right);
  friend Condition operator||(Condition left, Condition right);
  // REQUIRES: !condition.always(); there is no expression that never holds.
  friend Condition operator!(Condition condition);

  // The same about the entries of a map: for items that keep their attributes in one.
  [[nodiscard]] Condition Inside(std::string_view map) const;

  [[nodiscard]] const ExpressionPieces& pieces() const { return pieces_; }

 private:
  friend class Operand;
  friend class Attribute;

  // What the outermost operator is; decides about parentheses, of which DynamoDB allows none to
  // spare.
  enum class Kind : std::uint8_t { kAlways, kOr, kAnd, kNot, kSimple };

  Condition(Kind kind, ExpressionPieces pieces) : kind_(kind), pieces_(std::move(pieces)) {}

  static Condition Join(Kind kind, Condition left, Condition right);

  Kind kind_ = Kind::kAlways;
  ExpressionPieces pieces_;
};

// One side of a comparison: an attribute, a size, or a value.
class Operand {
 public:
  // NOLINTBEGIN(google-explicit-constructor): Attribute("x") > 3 depends on the conversion.
  Operand(std::convertible_to<AttributeValue> auto&& value)
      : pieces_{{ExpressionPiece::Value{AttributeValue(std::forward<decltype(value)>(value))}}} {}
  // NOLINTEND(google-explicit-constructor)

  friend Condition operator==(const Operand& left, const Operand& right);
  friend Condition operator!=(const Operand& left, const Operand& right);
  friend Condition operator<(const Operand& left, const Operand& right);
  friend Condition operator<=(const Operand& left, const Operand& right);
  friend Condition operator>(const Operand& left, const Operand& right);
  friend Condition operator>=(const Operand& left, const Operand& right);

  // For Update::Set: Attribute("n") + 1.
  friend UpdateValue operator+(const Operand& left, const Operand& right);
  friend UpdateValue operator-(const Operand& left, const Operand& right);

  // Both ends belong to it.
  Condition Between(const Operand& low, const Operand& high) const;
  // REQUIRES: 1 to 100 of them, DynamoDB's limit.
  Condition In(const std::vector<AttributeValue>& values) const;

  [[nodiscard]] const ExpressionPieces& pieces() const { return pieces_; }

 protected:
  friend class Attribute;
  explicit Operand(ExpressionPieces pieces) : pieces_(std::move(pieces)) {}

  static Condition Compare(const Operand& left, const char* comparator, const Operand& right);

  ExpressionPieces pieces_;
};

// An attribute, or a place inside of one.
class Attribute : public Operand {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a name says which attribute.
  Attribute(std::string_view name) : Operand({{ExpressionPiece::Name{std::string(name)}}}) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Attribute(const char* name) : Attribute(std::string_view(name)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Attribute(const std::string& name) : Attribute(std::string_view(name)) {}

  // The entry of a map, the member of a list.
  [[nodiscard]] Attribute operator[](std::string_view name) const;
  [[nodiscard]] Attribute operator[](std::size_t index) const;

  Condition Exists() const;
  Condition NotExists() const;
  Condition HasType(AttributeValue::Type type) const;
  // Of strings and binaries.
  Condition BeginsWith(const Operand& beginning) const;
  // A string has this part, a set or a list this member.
  Condition Contains(const Operand& member) const;
  // Characters of a string, bytes of a binary, members of anything else.
  [[nodiscard]] Operand Size() const;

 private:
  explicit Attribute(ExpressionPieces pieces) : Operand(std::move(pieces)) {}

  Condition Call(const char* function) const;
  Condition Call(const char* function, const Operand& argument) const;
};

}  // namespace stator::patterns
