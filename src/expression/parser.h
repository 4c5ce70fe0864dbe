// What the three grammars have in common: walking over tokens, document paths, symbols, and the
// order in which mistakes are reported.
//
// A text is read to its end first; a token that fits nowhere, or a second pair of parentheses
// around the same thing, ends it at once. Mistakes of other kinds (reserved words, unknown
// functions, absurd indexes) are noted while reading, and the one that stands first in the text is
// reported after the reading went well.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression_kind.h"
#include "expression/lexer.h"
#include "expression/symbols.h"
#include "stator/base/result.h"

namespace stator::expression {

class Parser {
 public:
  Parser(ExpressionKind kind, std::string_view text);

  [[nodiscard]] ExpressionKind kind() const { return kind_; }
  [[nodiscard]] const Token& Next() const { return tokens_[at_]; }
  [[nodiscard]] bool NextIs(Token::Kind kind) const { return Next().kind == kind; }
  // A name with '(' behind it calls a function.
  [[nodiscard]] bool NextIsCall() const;

  // The next token, which is then behind us. REQUIRES: not kEnd.
  Token Take() { return tokens_[at_++]; }
  bool TakeIf(Token::Kind kind);
  Result<void> Expect(Token::Kind kind);

  // A document path; its steps and names are added to the symbols.
  Result<Path> TakePath();
  // REQUIRES: the next token is a value placeholder. Gives its number in Symbols::values.
  std::uint32_t TakeValue();

  // The next token cannot stand here.
  [[nodiscard]] std::unexpected<Error> SyntaxError() const;
  [[nodiscard]] std::unexpected<Error> RedundantParentheses() const;
  [[nodiscard]] std::unexpected<Error> Fail(std::string_view what) const {
    return InvalidExpression(kind_, what);
  }

  // Remembers a mistake at that place of the text unless one before it, or at the same place, is
  // remembered already.
  void Note(std::size_t position, std::string what);
  // "<what>; function: <name>".
  void NoteFunction(const Token& name, std::string_view what);

  // Fails when a mistake was noted.
  [[nodiscard]] Result<void> CheckNotes() const;

  // The symbols of everything that was taken; call it once, at the end.
  Symbols TakeSymbols() { return std::move(symbols_); }

 private:
  Result<void> TakeName();
  Result<void> TakeIndex();
  std::uint32_t NameNumber(const Token& token);

  ExpressionKind kind_;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Symbols symbols_;
  std::size_t noted_position_ = std::numeric_limits<std::size_t>::max();
  std::string noted_;
};

}  // namespace stator::expression
