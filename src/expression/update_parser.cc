// The grammar of updates:
//
//   update   := section+                     each kind of section at most once
//   section  := SET path '=' value (',' path '=' value)*
//            |  REMOVE path (',' path)*
//            |  ADD path :value (',' path :value)*
//            |  DELETE path :value (',' path :value)*
//   value    := operand (('+' | '-') operand)? | '(' value ')'
//   operand  := path | :value | function | '(' operand ')'
//   function := name '(' operand (',' operand)* ')'

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/try.h"
#include "expression/functions.h"
#include "expression/parser.h"
#include "expression/update_tree.h"

namespace stator::expression {
namespace {

using Kind = UpdateOperand::Kind;

// As in conditions: a deeper call is never valid.
constexpr std::size_t kNestingMax = limits::kExpressionOperatorsMax + 20;

std::optional<UpdateAction::Kind> SectionOf(Token::Kind token) {
  switch (token) {
    case Token::Kind::kSet:
      return UpdateAction::Kind::kSet;
    case Token::Kind::kRemove:
      return UpdateAction::Kind::kRemove;
    case Token::Kind::kAdd:
      return UpdateAction::Kind::kAdd;
    case Token::Kind::kDelete:
      return UpdateAction::Kind::kDelete;
    default:
      return std::nullopt;
  }
}

class UpdateParser {
 public:
  explicit UpdateParser(std::string_view text) : parser_(ExpressionKind::kUpdate, text) {}

  Result<std::shared_ptr<const UpdateTree>> Parse();

 private:
  // A value or a part of one.
  struct Piece {
    std::uint32_t operand = 0;
    bool parenthesized = false;
    bool sum = false;     // holds a '+' or '-' of its own, so it is an operand of none
    Token function = {};  // the name, when it is one
  };

  Result<void> TakeSection(UpdateAction::Kind section);
  Result<void> TakeAction(UpdateAction::Kind section);
  Result<std::uint32_t> TakePath();
  Result<Piece> TakeValue();
  Result<Piece> TakeParenthesized();
  // Where a sum cannot stand. `decided` says that it is not the left side of one.
  Result<Piece> TakeOperand(bool decided);
  Result<Piece> TakeSimpleOperand(bool decided);
  Result<Piece> TakeFunction(bool decided);

  void UseInside(const Piece& piece);
  std::uint32_t AddOperand(Kind kind, std::span<const std::uint32_t> arguments);
  std::uint32_t AddLeaf(Kind kind, std::size_t symbol);

  Parser parser_;
  UpdateTree tree_;
  std::vector<std::uint32_t> waiting_;  // arguments of calls that are not complete yet
  std::size_t parentheses_ = 0;         // open around values
  std::size_t calls_ = 0;               // open calls of functions

  // There were redundant parentheses in what may be a left side; as in conditions the service
  // first looks at the token behind.
  bool redundant_ = false;
  std::bitset<4> sections_;  // that there were
};

Result<std::shared_ptr<const UpdateTree>> UpdateParser::Parse() {
  do {
    const std::optional<UpdateAction::Kind> section = SectionOf(parser_.Next().kind);
    if (!section) {
      return parser_.SyntaxError();
    }
    parser_.Take();
    TRY_VOID(TakeSection(*section));
  } while (!parser_.NextIs(Token::Kind::kEnd));
  TRY_VOID(parser_.CheckNotes());
  tree_.symbols = parser_.TakeSymbols();
  return std::make_shared<const UpdateTree>(std::move(tree_));
}

Result<void> UpdateParser::TakeSection(UpdateAction::Kind section) {
  do {
    TRY_VOID(TakeAction(section));
  } while (parser_.TakeIf(Token::Kind::kComma));
  const auto number = static_cast<std::size_t>(section);
  if (sections_[number]) {
    // Noted at the end of the section, so that a mistake inside of it comes first.
    parser_.Note(parser_.Next().position,
                 "The \"" + std::string(SectionName(section)) +
                     "\" section can only be used once in an update expression;");
  }
  sections_.set(number);
  return {};
}

Result<void> UpdateParser::TakeAction(UpdateAction::Kind section) {
  UpdateAction action{.kind = section, .path = TRY(TakePath())};
  switch (section) {
    case UpdateAction::Kind::kSet:
      TRY_VOID(parser_.Expect(Token::Kind::kEqual));
      action.operand = TRY(TakeValue()).operand;
      break;
    case UpdateAction::Kind::kRemove:
      break;
    case UpdateAction::Kind::kAdd:
    case UpdateAction::Kind::kDelete:
      if (!parser_.NextIs(Token::Kind::kValuePlaceholder)) {
        return parser_.SyntaxError();
      }
      action.operand = AddLeaf(Kind::kValue, parser_.TakeValue());
      break;
  }
  tree_.actions.push_back(action);
  return {};
}

Result<std::uint32_t> UpdateParser::TakePath() {
  tree_.paths.push_back(TRY(parser_.TakePath()));
  return static_cast<std::uint32_t>(tree_.paths.size() - 1);
}

Result<UpdateParser::Piece> UpdateParser::TakeValue() {
  const Piece left = TRY(parser_.NextIs(Token::Kind::kLeftParenthesis) ? TakeParenthesized()
                                                                       : TakeSimpleOperand(false));
  const bool plus = parser_.NextIs(Token::Kind::kPlus);
  const bool adds = !left.sum && (plus || parser_.NextIs(Token::Kind::kMinus));
  if (redundant_ && (adds || parentheses_ == 0)) {
    return parser_.RedundantParentheses();
  }
  if (!adds) {
    return left;
  }
  parser_.Take();
  UseInside(left);
  const Piece right = TRY(TakeOperand(true));
  UseInside(right);
  return Piece{.operand = AddOperand(plus ? Kind::kAdd : Kind::kSubtract,
                                     std::array{left.operand, right.operand}),
               .sum = true};
}

Result<UpdateParser::Piece> UpdateParser::TakeParenthesized() {
  parser_.Take();
  if (++parentheses_ > kNestingMax) {
    return parser_.RedundantParentheses();
  }
  Piece inner = TRY(TakeValue());
  TRY_VOID(parser_.Expect(Token::Kind::kRightParenthesis));
  --parentheses_;
  if (inner.parenthesized) {
    if (inner.sum) {
      return parser_.RedundantParentheses();
    }
    redundant_ = true;
  }
  inner.parenthesized = true;
  return inner;
}

Result<UpdateParser::Piece> UpdateParser::TakeOperand(bool decided) {
  std::size_t parentheses = 0;
  while (parser_.TakeIf(Token::Kind::kLeftParenthesis)) {
    ++parentheses;
  }
  const Piece operand = TRY(TakeSimpleOperand(decided));
  for (std::size_t closed = 1; closed <= parentheses; ++closed) {
    TRY_VOID(parser_.Expect(Token::Kind::kRightParenthesis));
    if (closed > 1 && decided) {
      return parser_.RedundantParentheses();
    }
    redundant_ = redundant_ || closed > 1;
  }
  return operand;
}

Result<UpdateParser::Piece> UpdateParser::TakeSimpleOperand(bool decided) {
  if (parser_.NextIsCall()) {
    return TakeFunction(decided);
  }
  if (parser_.NextIs(Token::Kind::kValuePlaceholder)) {
    return Piece{.operand = AddLeaf(Kind::kValue, parser_.TakeValue())};
  }
  return Piece{.operand = AddLeaf(Kind::kPath, TRY(TakePath()))};
}

Result<UpdateParser::Piece> UpdateParser::TakeFunction(bool decided) {
  const Token name = parser_.Take();
  const std::optional<Kind> known = UpdateFunction(name.text);
  if (!known) {
    parser_.NoteFunction(name, ConditionFunction(name.text)
                                   ? "The function is not allowed in an update expression"
                                   : "Invalid function name");
  }
  if (++calls_ > kNestingMax) {
    return std::unexpected(CheckOperatorCount(parser_.kind(), calls_).error());
  }
  const std::size_t base = waiting_.size();
  TRY_VOID(parser_.Expect(Token::Kind::kLeftParenthesis));
  do {
    const Piece argument = TRY(TakeOperand(decided));
    UseInside(argument);
    waiting_.push_back(argument.operand);
  } while (parser_.TakeIf(Token::Kind::kComma));
  TRY_VOID(parser_.Expect(Token::Kind::kRightParenthesis));
  --calls_;
  const std::uint32_t operand =
      AddOperand(known.value_or(Kind::kIfNotExists), std::span(waiting_).subspan(base));
  waiting_.resize(base);
  return Piece{.operand = operand, .function = name};
}

// Only a whole value may be a list_append.
void UpdateParser::UseInside(const Piece& piece) {
  if (tree_.operands[piece.operand].kind == Kind::kListAppend) {
    parser_.NoteFunction(piece.function, kMisusedFunction);
  }
}

std::uint32_t UpdateParser::AddOperand(Kind kind, std::span<const std::uint32_t> arguments) {
  tree_.operands.push_back({.kind = kind,
                            .first = static_cast<std::uint32_t>(tree_.arguments.size()),
                            .count = static_cast<std::uint32_t>(arguments.size())});
  tree_.arguments.insert(tree_.arguments.end(), arguments.begin(), arguments.end());
  return static_cast<std::uint32_t>(tree_.operands.size() - 1);
}

std::uint32_t UpdateParser::AddLeaf(Kind kind, std::size_t symbol) {
  tree_.operands.push_back({.kind = kind, .first = static_cast<std::uint32_t>(symbol)});
  return static_cast<std::uint32_t>(tree_.operands.size() - 1);
}

}  // namespace

std::string_view OperatorName(UpdateOperand::Kind kind) {
  switch (kind) {
    case Kind::kPath:
    case Kind::kValue:
      return "";
    case Kind::kAdd:
      return "+";
    case Kind::kSubtract:
      return "-";
    case Kind::kIfNotExists:
      return "if_not_exists";
    case Kind::kListAppend:
      return "list_append";
  }
  std::unreachable();
}

std::string_view SectionName(UpdateAction::Kind kind) {
  switch (kind) {
    case UpdateAction::Kind::kSet:
      return "SET";
    case UpdateAction::Kind::kRemove:
      return "REMOVE";
    case UpdateAction::Kind::kAdd:
      return "ADD";
    case UpdateAction::Kind::kDelete:
      return "DELETE";
  }
  std::unreachable();
}

Result<std::shared_ptr<const UpdateTree>> ParseUpdate(std::string_view text) {
  TRY_VOID(CheckExpressionSize(ExpressionKind::kUpdate, text));
  return UpdateParser(text).Parse();
}

}  // namespace stator::expression
