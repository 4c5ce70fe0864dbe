// The words of a PartiQL statement.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::partiql {

// Where something stands in the statement, counted from 1 in characters. Errors show it as
// "at line:column:length".
struct Position {
  std::uint32_t line = 0;  // 0: nowhere; errors then say nothing
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  [[nodiscard]] bool known() const { return line != 0; }
};

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kIdentifier,
    kQuotedIdentifier,
    kKeyword,
    kOperator,
    kString,
    kNumber,
    kBool,
    kIon,  // `...`
    kNull,
    kMissing,
    kParameter,
    kAs,
    kAt,
    kBy,
    kAsc,
    kDesc,
    kFor,
    kLeftParen,
    kRightParen,
    kLeftBracket,
    kRightBracket,
    kLeftCurly,
    kRightCurly,
    kLeftDoubleAngle,
    kRightDoubleAngle,
    kColon,
    kComma,
    kStar,
    kDot,
    kSemicolon,
  };

  Kind kind = Kind::kEnd;
  // Names and strings without their quotes; numbers as written; keywords and operators in lower
  // case, in the form that the grammar knows ("insert_into", "integer" for INT, "<>" for !=).
  std::string text;
  Position position;

  // What the grammar compares words with; nothing for names and literals.
  [[nodiscard]] std::string_view word() const {
    switch (kind) {
      case Kind::kKeyword:
      case Kind::kOperator:
      case Kind::kAs:
      case Kind::kAt:
      case Kind::kNull:
      case Kind::kMissing:
        return text;
      default:
        return {};
    }
  }
  [[nodiscard]] bool is_name() const {
    return kind == Kind::kIdentifier || kind == Kind::kQuotedIdentifier;
  }
  [[nodiscard]] bool is_literal() const {
    return kind == Kind::kString || kind == Kind::kNumber || kind == Kind::kBool ||
           kind == Kind::kIon;
  }
};

// The statement as tokens, the last of which is kEnd. Words that belong together (NOT IN, INSERT
// INTO) are one token. Fails as a statement that is not well formed, without a detail.
Result<std::vector<Token>> Tokenize(std::string_view statement);

// "Statement wasn't well formed, can't be processed: <detail>".
std::unexpected<Error> NotWellFormed(std::string_view detail);

// " at 1:8:5"; nothing when the position is not known.
std::string At(Position position);

}  // namespace stator::partiql
