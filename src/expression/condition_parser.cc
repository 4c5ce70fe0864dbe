// The grammar of conditions, filters and key conditions:
//
//   condition  := conjunction (OR conjunction)*
//   conjunction:= negation (AND negation)*
//   negation   := NOT* simple
//   simple     := '(' condition ')' | function
//              |  operand ('=' | '<>' | '<' | '<=' | '>' | '>=') operand
//              |  operand BETWEEN operand AND operand | operand IN '(' operand (',' operand)* ')'
//   operand    := path | :value | function | '(' operand ')'
//   function   := name '(' operand (',' operand)* ')'

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/try.h"
#include "expression/condition_tree.h"
#include "expression/functions.h"
#include "expression/parser.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;

// Deeper texts are never valid: each level of parentheses that is not redundant needs an operator
// of its own, and a function is one. Keeps the recursion bounded.
constexpr std::size_t kNestingMax = limits::kExpressionOperatorsMax + 20;

std::optional<Kind> ComparisonOf(Token::Kind token) {
  switch (token) {
    case Token::Kind::kEqual:
      return Kind::kEqual;
    case Token::Kind::kNotEqual:
      return Kind::kNotEqual;
    case Token::Kind::kLess:
      return Kind::kLess;
    case Token::Kind::kLessOrEqual:
      return Kind::kLessOrEqual;
    case Token::Kind::kGreater:
      return Kind::kGreater;
    case Token::Kind::kGreaterOrEqual:
      return Kind::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// What a piece of the text turned out to be. A function can be a condition or an operand; what
// stands around it decides, often behind its closing parenthesis.
struct Piece {
  enum class Role : std::uint8_t { kCondition, kOperand, kFunction };

  Role role;
  std::uint32_t node = 0;
  bool parenthesized = false;
  Token function = {};  // the name, of kFunction
};

class ConditionParser {
 public:
  ConditionParser(ExpressionKind kind, std::string_view text) : parser_(kind, text) {}

  Result<std::shared_ptr<const ConditionTree>> Parse() {
    const Piece whole = TRY(TakeOr());
    if (!parser_.NextIs(Token::Kind::kEnd)) {
      return parser_.SyntaxError();
    }
    UseAsCondition(whole);
    TRY_VOID(parser_.CheckNotes());
    tree_.symbols = parser_.TakeSymbols();
    return std::make_shared<const ConditionTree>(std::move(tree_));
  }

 private:
  // The levels of the grammar, from the operator that binds least. Inside parentheses each of
  // them may also give an operand that is not compared with anything yet.
  Result<Piece> TakeOr() { return TakeChain(Token::Kind::kOr); }
  Result<Piece> TakeAnd() { return TakeChain(Token::Kind::kAnd); }
  Result<Piece> TakeChain(Token::Kind join);
  Result<Piece> TakeNot();
  Result<Piece> TakeComparison();
  Result<Piece> TakeComparisonOf(const Piece& left);
  Result<Piece> TakePiece();
  Result<Piece> TakeSimpleOperand(bool decided);
  Result<Piece> TakeFunction(bool decided);

  // Operands up to the closing parenthesis, added to waiting_.
  Result<void> TakeOperands(bool decided);
  // An operand where nothing else can stand. `decided` says that it is not the left side of
  // something; see redundant_.
  Result<std::uint32_t> TakeOperand(bool decided);

  void UseAsCondition(const Piece& piece);
  void UseAsOperand(const Piece& piece);

  std::uint32_t AddNode(Kind kind, std::span<const std::uint32_t> operands);
  std::uint32_t AddLeaf(Kind kind, std::size_t symbol);
  Piece AddComparison(Kind kind, std::span<const std::uint32_t> operands);

  Parser parser_;
  ConditionTree tree_;
  std::vector<std::uint32_t> waiting_;  // operands of nodes that are not complete yet
  std::size_t parentheses_ = 0;         // open around conditions
  std::size_t calls_ = 0;               // open calls of functions

  // What comes next stands alone between parentheses so far, so it may be an operand that is
  // compared behind them.
  bool alone_ = false;

  // There were redundant parentheses in what may be a left operand or a condition of its own. The
  // service complains about them once it knows which, from the token behind; where that token
  // fits neither, it complains about the token.
  bool redundant_ = false;
};

// Conditions joined by OR, each of them conditions joined by AND; or one alone.
Result<Piece> ConditionParser::TakeChain(Token::Kind join) {
  const bool is_or = join == Token::Kind::kOr;
  const std::size_t base = waiting_.size();
  const Piece first = TRY(is_or ? TakeAnd() : TakeNot());
  if (!parser_.NextIs(join)) {
    return first;
  }
  UseAsCondition(first);
  waiting_.push_back(first.node);
  while (parser_.TakeIf(join)) {
    alone_ = false;
    const Piece next = TRY(is_or ? TakeAnd() : TakeNot());
    UseAsCondition(next);
    waiting_.push_back(next.node);
    ++tree_.operator_count;
  }
  const std::uint32_t node =
      AddNode(is_or ? Kind::kOr : Kind::kAnd, std::span(waiting_).subspan(base));
  waiting_.resize(base);
  return Piece{.role = Piece::Role::kCondition, .node = node};
}

Result<Piece> ConditionParser::TakeNot() {
  std::size_t negations = 0;
  while (parser_.TakeIf(Token::Kind::kNot)) {
    ++negations;
    alone_ = false;
  }
  const Piece piece = TRY(TakeComparison());
  if (negations == 0) {
    return piece;
  }
  UseAsCondition(piece);
  std::uint32_t node = piece.node;
  for (std::size_t i = 0; i < negations; ++i) {
    node = AddNode(Kind::kNot, std::array{node});
    ++tree_.operator_count;
  }
  return Piece{.role = Piece::Role::kCondition, .node = node};
}

Result<Piece> ConditionParser::TakeComparison() {
  const bool alone = alone_;
  const Piece left = TRY(TakePiece());
  if (left.role == Piece::Role::kCondition) {
    return left;
  }
  const Token::Kind next = parser_.Next().kind;
  const bool compares =
      ComparisonOf(next).has_value() || next == Token::Kind::kBetween || next == Token::Kind::kIn;
  const bool ends = next == Token::Kind::kAnd || next == Token::Kind::kOr || !alone;
  if (redundant_ && (compares || (ends && left.role == Piece::Role::kFunction))) {
    return parser_.RedundantParentheses();
  }
  if (compares) {
    UseAsOperand(left);
    return TakeComparisonOf(left);
  }
  const bool closes = next == Token::Kind::kRightParenthesis && alone;
  if (left.role == Piece::Role::kOperand && !closes) {
    return parser_.SyntaxError();
  }
  return left;
}

Result<Piece> ConditionParser::TakeComparisonOf(const Piece& left) {
  const Token token = parser_.Take();
  if (token.kind == Token::Kind::kBetween) {
    const std::uint32_t lower = TRY(TakeOperand(true));
    TRY_VOID(parser_.Expect(Token::Kind::kAnd));
    const std::uint32_t upper = TRY(TakeOperand(true));
    return AddComparison(Kind::kBetween, std::array{left.node, lower, upper});
  }
  if (token.kind == Token::Kind::kIn) {
    const std::size_t base = waiting_.size();
    waiting_.push_back(left.node);
    TRY_VOID(parser_.Expect(Token::Kind::kLeftParenthesis));
    TRY_VOID(TakeOperands(true));
    const Piece in = AddComparison(Kind::kIn, std::span(waiting_).subspan(base));
    waiting_.resize(base);
    return in;
  }
  const std::uint32_t right = TRY(TakeOperand(true));
  return AddComparison(*ComparisonOf(token.kind), std::array{left.node, right});
}

// A condition or an operand in parentheses, or an operand without.
Result<Piece> ConditionParser::TakePiece() {
  if (!parser_.TakeIf(Token::Kind::kLeftParenthesis)) {
    return TakeSimpleOperand(false);
  }
  if (++parentheses_ > kNestingMax) {
    return parser_.RedundantParentheses();
  }
  alone_ = true;
  Piece inner = TRY(TakeOr());
  TRY_VOID(parser_.Expect(Token::Kind::kRightParenthesis));
  --parentheses_;
  if (inner.parenthesized) {
    if (inner.role == Piece::Role::kCondition) {
      return parser_.RedundantParentheses();
    }
    redundant_ = true;
  }
  inner.parenthesized = true;
  return inner;
}

Result<Piece> ConditionParser::TakeSimpleOperand(bool decided) {
  if (parser_.NextIsCall()) {
    return TakeFunction(decided);
  }
  if (parser_.NextIs(Token::Kind::kValuePlaceholder)) {
    return Piece{.role = Piece::Role::kOperand, .node = AddLeaf(Kind::kValue, parser_.TakeValue())};
  }
  tree_.paths.push_back(TRY(parser_.TakePath()));
  return Piece{.role = Piece::Role::kOperand, .node = AddLeaf(Kind::kPath, tree_.paths.size() - 1)};
}

Result<Piece> ConditionParser::TakeFunction(bool decided) {
  const Token name = parser_.Take();
  const std::optional<Kind> known = ConditionFunction(name.text);
  if (!known) {
    parser_.NoteFunction(name, UpdateFunction(name.text)
                                   ? "The function is not allowed in a condition expression"
                                   : "Invalid function name");
  }
  ++tree_.operator_count;
  if (++calls_ > kNestingMax) {
    return std::unexpected(CheckOperatorCount(parser_.kind(), calls_).error());
  }
  const std::size_t base = waiting_.size();
  TRY_VOID(parser_.Expect(Token::Kind::kLeftParenthesis));
  TRY_VOID(TakeOperands(decided));
  --calls_;
  const std::uint32_t node =
      AddNode(known.value_or(Kind::kSize), std::span(waiting_).subspan(base));
  waiting_.resize(base);
  return Piece{.role = Piece::Role::kFunction, .node = node, .function = name};
}

Result<void> ConditionParser::TakeOperands(bool decided) {
  do {
    const std::uint32_t operand = TRY(TakeOperand(decided));
    waiting_.push_back(operand);
  } while (parser_.TakeIf(Token::Kind::kComma));
  return parser_.Expect(Token::Kind::kRightParenthesis);
}

Result<std::uint32_t> ConditionParser::TakeOperand(bool decided) {
  std::size_t parentheses = 0;
  while (parser_.TakeIf(Token::Kind::kLeftParenthesis)) {
    ++parentheses;
  }
  const Piece operand = TRY(TakeSimpleOperand(decided));
  UseAsOperand(operand);
  for (std::size_t closed = 1; closed <= parentheses; ++closed) {
    TRY_VOID(parser_.Expect(Token::Kind::kRightParenthesis));
    if (closed > 1 && decided) {
      return parser_.RedundantParentheses();
    }
    redundant_ = redundant_ || closed > 1;
  }
  return operand.node;
}

void ConditionParser::UseAsCondition(const Piece& piece) {
  if (piece.role == Piece::Role::kFunction && tree_.nodes[piece.node].kind == Kind::kSize) {
    parser_.NoteFunction(piece.function, kMisusedFunction);
  }
}

void ConditionParser::UseAsOperand(const Piece& piece) {
  if (piece.role == Piece::Role::kFunction && tree_.nodes[piece.node].kind != Kind::kSize) {
    parser_.NoteFunction(piece.function, kMisusedFunction);
  }
}

std::uint32_t ConditionParser::AddNode(Kind kind, std::span<const std::uint32_t> operands) {
  tree_.nodes.push_back({.kind = kind,
                         .first = static_cast<std::uint32_t>(tree_.operands.size()),
                         .count = static_cast<std::uint32_t>(operands.size())});
  tree_.operands.insert(tree_.operands.end(), operands.begin(), operands.end());
  return tree_.root();
}

std::uint32_t ConditionParser::AddLeaf(Kind kind, std::size_t symbol) {
  tree_.nodes.push_back({.kind = kind, .first = static_cast<std::uint32_t>(symbol)});
  return tree_.root();
}

Piece ConditionParser::AddComparison(Kind kind, std::span<const std::uint32_t> operands) {
  ++tree_.operator_count;
  return Piece{.role = Piece::Role::kCondition, .node = AddNode(kind, operands)};
}

}  // namespace

Result<std::shared_ptr<const ConditionTree>> ParseCondition(ExpressionKind kind,
                                                            std::string_view text) {
  TRY_VOID(CheckExpressionSize(kind, text));
  return ConditionParser(kind, text).Parse();
}

}  // namespace stator::expression
