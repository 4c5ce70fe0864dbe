// Cuts the text of an expression into tokens. Conditions, updates and projections share one set of
// tokens, so the words of updates (SET, ADD, ...) are no attribute names in conditions either.
//
//   name          a letter, then letters, digits, '_'      (a keyword, in any case, is not a name)
//   #placeholder  '#', then letters, digits, '_'           (likewise :placeholder)
//   number        0, or digits that do not begin with 0
//   white space   space, tab, carriage return, line feed
//
// Any other character is a token of its own that no grammar accepts; so the lexer never fails.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stator::expression {

struct Token {
  enum class Kind : std::uint8_t {
    kName,
    kNamePlaceholder,
    kValuePlaceholder,
    kNumber,
    kAnd,
    kOr,
    kNot,
    kIn,
    kBetween,
    kSet,
    kRemove,
    kAdd,
    kDelete,
    kLeftParenthesis,
    kRightParenthesis,
    kLeftBracket,
    kRightBracket,
    kDot,
    kComma,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kPlus,
    kMinus,
    kUnknown,
    kEnd,
  };

  Kind kind;
  std::uint32_t position;  // of its first byte in the text
  std::string_view text;   // "<EOF>" at the end
};

// All tokens of `text`; the last is kEnd. Tokens point into `text`.
std::vector<Token> Tokenize(std::string_view text);

// `Syntax error; token: "x", near: "a x b"`: the token that cannot stand where it is, with its
// neighbours as they are written.
std::string SyntaxErrorText(std::string_view text, const std::vector<Token>& tokens,
                            std::size_t offending);

}  // namespace stator::expression
