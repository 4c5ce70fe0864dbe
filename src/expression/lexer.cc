#include "expression/lexer.h"

#include <array>
#include <utility>

namespace stator::expression {
namespace {

using Kind = Token::Kind;

constexpr std::string_view kEndText = "<EOF>";

constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool IsWordByte(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_';
}

constexpr bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

constexpr char ToUpper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view upper) {
  if (text.size() != upper.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (ToUpper(text[i]) != upper[i]) {
      return false;
    }
  }
  return true;
}

Kind KindOfWord(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Kind>, 9> kKeywords = {{
      {"AND", Kind::kAnd},
      {"OR", Kind::kOr},
      {"NOT", Kind::kNot},
      {"IN", Kind::kIn},
      {"BETWEEN", Kind::kBetween},
      {"SET", Kind::kSet},
      {"REMOVE", Kind::kRemove},
      {"ADD", Kind::kAdd},
      {"DELETE", Kind::kDelete},
  }};
  for (const auto& [keyword, kind] : kKeywords) {
    if (EqualsIgnoringCase(word, keyword)) {
      return kind;
    }
  }
  return Kind::kName;
}

Kind KindOfPunctuation(std::string_view rest) {
  const char second = rest.size() > 1 ? rest[1] : '\0';
  switch (rest[0]) {
    case '(':
      return Kind::kLeftParenthesis;
    case ')':
      return Kind::kRightParenthesis;
    case '[':
      return Kind::kLeftBracket;
    case ']':
      return Kind::kRightBracket;
    case '.':
      return Kind::kDot;
    case ',':
      return Kind::kComma;
    case '=':
      return Kind::kEqual;
    case '<':
      return second == '=' ? Kind::kLessOrEqual : second == '>' ? Kind::kNotEqual : Kind::kLess;
    case '>':
      return second == '=' ? Kind::kGreaterOrEqual : Kind::kGreater;
    case '+':
      return Kind::kPlus;
    case '-':
      return Kind::kMinus;
    default:
      return Kind::kUnknown;
  }
}

std::size_t LengthOfPunctuation(Kind kind) {
  switch (kind) {
    case Kind::kNotEqual:
    case Kind::kLessOrEqual:
    case Kind::kGreaterOrEqual:
      return 2;
    default:
      return 1;
  }
}

// How many bytes the UTF-8 character at the start of `rest` has; a byte that begins none stands
// alone.
std::size_t LengthOfCharacter(std::string_view rest) {
  const auto first = static_cast<unsigned char>(rest[0]);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == rest.size() || (static_cast<unsigned char>(rest[i]) & 0xC0U) != 0x80U) {
      return 1;
    }
  }
  return length;
}

std::size_t LengthOfWord(std::string_view rest, std::size_t from) {
  std::size_t length = from;
  while (length < rest.size() && IsWordByte(rest[length])) {
    ++length;
  }
  return length;
}

std::size_t LengthOfNumber(std::string_view rest) {
  std::size_t length = 1;
  if (rest[0] != '0') {
    while (length < rest.size() && IsDigit(rest[length])) {
      ++length;
    }
  }
  return length;
}

// The token at the start of `rest`, which is neither empty nor begins with white space.
Token NextToken(std::string_view rest, std::uint32_t position) {
  const char first = rest[0];
  if (IsLetter(first)) {
    const std::string_view word = rest.substr(0, LengthOfWord(rest, 1));
    return {.kind = KindOfWord(word), .position = position, .text = word};
  }
  if (IsDigit(first)) {
    return {
        .kind = Kind::kNumber, .position = position, .text = rest.substr(0, LengthOfNumber(rest))};
  }
  if (first == '#' || first == ':') {
    const std::size_t length = LengthOfWord(rest, 1);
    if (length > 1) {
      return {.kind = first == '#' ? Kind::kNamePlaceholder : Kind::kValuePlaceholder,
              .position = position,
              .text = rest.substr(0, length)};
    }
  }
  const Kind kind = KindOfPunctuation(rest);
  const std::size_t length =
      kind == Kind::kUnknown ? LengthOfCharacter(rest) : LengthOfPunctuation(kind);
  return {.kind = kind, .position = position, .text = rest.substr(0, length)};
}

}  // namespace

std::vector<Token> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4 + 2);
  std::size_t at = 0;
  while (at < text.size()) {
    if (IsSpace(text[at])) {
      ++at;
      continue;
    }
    tokens.push_back(NextToken(text.substr(at), static_cast<std::uint32_t>(at)));
    at += tokens.back().text.size();
  }
  tokens.push_back(Token{
      .kind = Kind::kEnd, .position = static_cast<std::uint32_t>(text.size()), .text = kEndText});
  return tokens;
}

std::string SyntaxErrorText(std::string_view text, const std::vector<Token>& tokens,
                            std::size_t offending) {
  // The white space around a token belongs to the end of the text: it is shown before the first
  // token and behind the last.
  const std::size_t begin = offending == 0 ? 0 : tokens[offending - 1].position;
  std::size_t end = text.size();
  if (offending + 2 < tokens.size()) {
    const Token& next = tokens[offending + 1];
    end = next.position + next.text.size();
  }
  std::string message = "Syntax error; token: \"";
  message += tokens[offending].text;
  message += "\", near: \"";
  message += text.substr(begin, end - begin);
  message += '"';
  return message;
}

}  // namespace stator::expression
