#include "stator/patterns/expression.h"

#include <array>
#include <iterator>

#include "base/check.h"
#include "stator/patterns/update.h"

namespace stator::patterns {

namespace {

ExpressionPiece Text(std::string text) {
  return {ExpressionPiece::Text{std::move(text)}};
}

void Append(const ExpressionPieces& more, ExpressionPieces& pieces) {
  pieces.insert(pieces.end(), more.begin(), more.end());
}

void AppendParenthesised(ExpressionPieces more, bool parentheses, ExpressionPieces& pieces) {
  if (parentheses) {
    pieces.push_back(Text("("));
  }
  std::move(more.begin(), more.end(), std::back_inserter(pieces));
  if (parentheses) {
    pieces.push_back(Text(")"));
  }
}

ExpressionPieces Infix(const Operand& left, const char* between, const Operand& right) {
  ExpressionPieces pieces;
  pieces.reserve(left.pieces().size() + 1 + right.pieces().size());
  Append(left.pieces(), pieces);
  pieces.push_back(Text(between));
  Append(right.pieces(), pieces);
  return pieces;
}

}  // namespace

Condition Condition::Join(Kind kind, Condition left, Condition right) {
  ExpressionPieces pieces;
  pieces.reserve(left.pieces_.size() + right.pieces_.size() + 5);
  // Only an OR inside of an AND needs parentheses: both are associative, and OR binds least.
  AppendParenthesised(std::move(left.pieces_), kind == Kind::kAnd && left.kind_ == Kind::kOr,
                      pieces);
  pieces.push_back(Text(kind == Kind::kAnd ? " AND " : " OR "));
  AppendParenthesised(std::move(right.pieces_), kind == Kind::kAnd && right.kind_ == Kind::kOr,
                      pieces);
  return {kind, std::move(pieces)};
}

Condition operator&&(Condition left, Condition right) {
  if (left.always()) {
    return right;
  }
  if (right.always()) {
    return left;
  }
  return Condition::Join(Condition::Kind::kAnd, std::move(left), std::move(right));
}

Condition operator||(Condition left, Condition right) {
  if (left.always() || right.always()) {
    return {};
  }
  return Condition::Join(Condition::Kind::kOr, std::move(left), std::move(right));
}

Condition operator!(Condition condition) {
  CHECK_THAT(!condition.always(), "no expression says never");
  const bool parentheses =
      condition.kind_ == Condition::Kind::kOr || condition.kind_ == Condition::Kind::kAnd;
  ExpressionPieces pieces = {Text("NOT ")};
  AppendParenthesised(std::move(condition.pieces_), parentheses, pieces);
  return {Condition::Kind::kNot, std::move(pieces)};
}

ExpressionPieces PiecesInside(std::string_view map, const ExpressionPieces& pieces) {
  ExpressionPieces inside;
  bool in_path = false;
  for (const ExpressionPiece& piece : pieces) {
    if (std::holds_alternative<ExpressionPiece::Name>(piece.piece) && !in_path) {
      inside.push_back({ExpressionPiece::Name{std::string(map)}});
      inside.push_back(Text("."));
    }
    const auto* text = std::get_if<ExpressionPiece::Text>(&piece.piece);
    in_path = text != nullptr && text->text == ".";
    inside.push_back(piece);
  }
  return inside;
}

Condition Condition::Inside(std::string_view map) const {
  return {kind_, PiecesInside(map, pieces_)};
}

Condition Operand::Compare(const Operand& left, const char* comparator, const Operand& right) {
  return {Condition::Kind::kSimple, Infix(left, comparator, right)};
}

Condition operator==(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " = ", right);
}
Condition operator!=(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " <> ", right);
}
Condition operator<(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " < ", right);
}
Condition operator<=(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " <= ", right);
}
Condition operator>(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " > ", right);
}
Condition operator>=(const Operand& left, const Operand& right) {
  return Operand::Compare(left, " >= ", right);
}

UpdateValue operator+(const Operand& left, const Operand& right) {
  return UpdateValue(Infix(left, " + ", right));
}
UpdateValue operator-(const Operand& left, const Operand& right) {
  return UpdateValue(Infix(left, " - ", right));
}

Condition Operand::Between(const Operand& low, const Operand& high) const {
  ExpressionPieces pieces = Infix(*this, " BETWEEN ", low);
  pieces.push_back(Text(" AND "));
  Append(high.pieces(), pieces);
  return {Condition::Kind::kSimple, std::move(pieces)};
}

Condition Operand::In(const std::vector<AttributeValue>& values) const {
  ExpressionPieces pieces = pieces_;
  const char* before = " IN (";
  for (const AttributeValue& value : values) {
    pieces.push_back(Text(before));
    pieces.push_back({ExpressionPiece::Value{value}});
    before = ", ";
  }
  pieces.push_back(Text(")"));
  return {Condition::Kind::kSimple, std::move(pieces)};
}

Attribute Attribute::operator[](std::string_view name) const {
  ExpressionPieces pieces = pieces_;
  pieces.push_back(Text("."));
  pieces.push_back({ExpressionPiece::Name{std::string(name)}});
  return Attribute(std::move(pieces));
}

Attribute Attribute::operator[](std::size_t index) const {
  ExpressionPieces pieces = pieces_;
  pieces.push_back(Text("[" + std::to_string(index) + "]"));
  return Attribute(std::move(pieces));
}

Condition Attribute::Call(const char* function) const {
  ExpressionPieces pieces = {Text(std::string(function) + "(")};
  Append(pieces_, pieces);
  pieces.push_back(Text(")"));
  return {Condition::Kind::kSimple, std::move(pieces)};
}

Condition Attribute::Call(const char* function, const Operand& argument) const {
  ExpressionPieces pieces = {Text(std::string(function) + "(")};
  Append(pieces_, pieces);
  pieces.push_back(Text(", "));
  Append(argument.pieces(), pieces);
  pieces.push_back(Text(")"));
  return {Condition::Kind::kSimple, std::move(pieces)};
}

Condition Attribute::Exists() const {
  return Call("attribute_exists");
}
Condition Attribute::NotExists() const {
  return Call("attribute_not_exists");
}
Condition Attribute::HasType(AttributeValue::Type type) const {
  return Call("attribute_type", AttributeValue(TypeName(type)));
}
Condition Attribute::BeginsWith(const Operand& beginning) const {
  return Call("begins_with", beginning);
}
Condition Attribute::Contains(const Operand& member) const {
  return Call("contains", member);
}

Operand Attribute::Size() const {
  return Operand(Call("size").pieces());
}

}  // namespace stator::patterns
