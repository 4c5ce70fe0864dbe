#include "expression/parser.h"

#include <charconv>

#include "expression/reserved_words.h"

namespace stator::expression {
namespace {

using Kind = Token::Kind;

// The largest index that the service takes.
constexpr std::uint32_t kIndexMax = 2'147'483'647;

}  // namespace

Parser::Parser(ExpressionKind kind, std::string_view text)
    : kind_(kind), text_(text), tokens_(Tokenize(text)) {}

bool Parser::NextIsCall() const {
  return NextIs(Kind::kName) && tokens_[at_ + 1].kind == Kind::kLeftParenthesis;
}

bool Parser::TakeIf(Kind kind) {
  if (!NextIs(kind)) {
    return false;
  }
  ++at_;
  return true;
}

Result<void> Parser::Expect(Kind kind) {
  if (!TakeIf(kind)) {
    return SyntaxError();
  }
  return {};
}

Result<Path> Parser::TakePath() {
  const std::size_t first = symbols_.steps.size();
  if (const Result<void> good = TakeName(); !good) {
    return std::unexpected(good.error());
  }
  while (true) {
    Result<void> good;
    if (TakeIf(Kind::kDot)) {
      good = TakeName();
    } else if (TakeIf(Kind::kLeftBracket)) {
      good = TakeIndex();
    } else {
      break;
    }
    if (!good) {
      return std::unexpected(std::move(good).error());
    }
  }
  return Path{.first_step = static_cast<std::uint32_t>(first),
              .step_count = static_cast<std::uint32_t>(symbols_.steps.size() - first)};
}

Result<void> Parser::TakeName() {
  if (!NextIs(Kind::kName) && !NextIs(Kind::kNamePlaceholder)) {
    return SyntaxError();
  }
  const Token name = Take();
  if (name.kind == Kind::kName && IsReservedWord(name.text)) {
    Note(name.position,
         "Attribute name is a reserved keyword; reserved keyword: " + std::string(name.text));
  }
  symbols_.steps.push_back({.is_index = false, .number = NameNumber(name)});
  return {};
}

Result<void> Parser::TakeIndex() {
  if (!NextIs(Kind::kNumber)) {
    return SyntaxError();
  }
  const Token index = Take();
  std::uint32_t number = 0;
  const auto parsed =
      std::from_chars(index.text.data(), index.text.data() + index.text.size(), number);
  if (parsed.ec != std::errc() || number > kIndexMax) {
    Note(index.position,
         "List index is not within the allowable range; index: [" + std::string(index.text) + ']');
  }
  symbols_.steps.push_back({.is_index = true, .number = number});
  return Expect(Kind::kRightBracket);
}

std::uint32_t Parser::NameNumber(const Token& token) {
  const bool placeholder = token.kind == Kind::kNamePlaceholder;
  std::vector<Symbols::Name>& names = symbols_.names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    // A placeholder begins with '#', which no name does.
    if (names[i].text == token.text) {
      return static_cast<std::uint32_t>(i);
    }
  }
  names.push_back({.text = std::string(token.text), .placeholder = placeholder});
  return static_cast<std::uint32_t>(names.size() - 1);
}

std::uint32_t Parser::TakeValue() {
  const Token token = Take();
  std::vector<std::string>& values = symbols_.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == token.text) {
      return static_cast<std::uint32_t>(i);
    }
  }
  values.emplace_back(token.text);
  return static_cast<std::uint32_t>(values.size() - 1);
}

std::unexpected<Error> Parser::SyntaxError() const {
  return Fail(SyntaxErrorText(text_, tokens_, at_));
}

std::unexpected<Error> Parser::RedundantParentheses() const {
  return Fail("The expression has redundant parentheses;");
}

void Parser::Note(std::size_t position, std::string what) {
  if (position < noted_position_) {
    noted_position_ = position;
    noted_ = std::move(what);
  }
}

void Parser::NoteFunction(const Token& name, std::string_view what) {
  Note(name.position, std::string(what) + "; function: " + std::string(name.text));
}

Result<void> Parser::CheckNotes() const {
  if (!noted_.empty()) {
    return Fail(noted_);
  }
  return {};
}

}  // namespace stator::expression
