#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <utility>

#include "base/try.h"
#include "partiql/token.h"
#include "partiql/words.h"

namespace stator::partiql {
namespace {

using Kind = Token::Kind;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    while (true) {
      TRY_VOID(SkipBlanks());
      Mark();
      if (at_ == text_.size()) {
        Add(Kind::kEnd, "");
        return std::move(tokens_);
      }
      TRY_VOID(Next());
    }
  }

 private:
  static std::unexpected<Error> BadToken() { return NotWellFormed(""); }

  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Goes one byte on; columns count characters, so the later bytes of one do not count.
  void Step() {
    const char c = text_[at_++];
    if (c == '\n' || (c == '\r' && Peek() != '\n')) {
      ++line_;
      column_ = 1;
    } else if (c != '\r' && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column_;
      ++characters_;
      return;
    }
    characters_ += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  }
  void Step(std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      Step();
    }
  }

  void Mark() {
    start_ = at_;
    start_characters_ = characters_;
    position_ = {.line = line_, .column = column_, .length = 0};
  }

  void Add(Kind kind, std::string text) {
    position_.length = characters_ - start_characters_;
    Token token{.kind = kind, .text = std::move(text), .position = position_};
    Merge(token);
    tokens_.push_back(std::move(token));
  }
  // Makes one token of `token` and those before it when together they are a phrase.
  void Merge(Token& token);

  Result<void> SkipBlanks();
  Result<void> Next();
  Result<void> Quoted(char quote, Kind kind);
  Result<void> IonLiteral();
  Result<void> Number();
  void Word();
  Result<void> Symbol();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  std::uint32_t characters_ = 0;
  std::size_t start_ = 0;
  std::uint32_t start_characters_ = 0;
  Position position_;
  std::vector<Token> tokens_;
};

void Lexer::Merge(Token& token) {
  for (std::size_t count = kPhraseWordsMax; count >= 2; --count) {
    if (tokens_.size() < count - 1) {
      continue;
    }
    std::array<std::string_view, kPhraseWordsMax> words;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      words[i] = tokens_[tokens_.size() - (count - 1) + i].word();
    }
    words[count - 1] = token.word();
    const std::optional<Phrase> phrase = FindPhrase(std::span(words).first(count));
    if (phrase) {
      const Position first = tokens_[tokens_.size() - (count - 1)].position;
      tokens_.resize(tokens_.size() - (count - 1));
      token = {.kind = phrase->kind, .text = std::string(phrase->token), .position = first};
    }
  }
}

Result<void> Lexer::SkipBlanks() {
  while (at_ < text_.size()) {
    if (IsSpace(Peek())) {
      Step();
    } else if (Peek() == '-' && Peek(1) == '-') {
      while (at_ < text_.size() && Peek() != '\n' && Peek() != '\r') {
        Step();
      }
    } else if (Peek() == '/' && Peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        return BadToken();
      }
      Step(end + 2 - at_);
    } else {
      return {};
    }
  }
  return {};
}

Result<void> Lexer::Next() {
  const char c = Peek();
  if (IsNameStart(c)) {
    Word();
    return {};
  }
  if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
    return Number();
  }
  switch (c) {
    case '\'':
      return Quoted('\'', Kind::kString);
    case '"':
      return Quoted('"', Kind::kQuotedIdentifier);
    case '`':
      return IonLiteral();
    default:
      return Symbol();
  }
}

Result<void> Lexer::Quoted(char quote, Kind kind) {
  std::string content;
  Step();
  while (at_ < text_.size()) {
    if (Peek() == quote && Peek(1) == quote) {
      content.push_back(quote);
      Step(2);
    } else if (Peek() == quote) {
      Step();
      Add(kind, std::move(content));
      return {};
    } else {
      content.push_back(Peek());
      Step();
    }
  }
  return BadToken();
}

// Up to the next backtick that is outside of Ion's own quotes.
Result<void> Lexer::IonLiteral() {
  Step();
  char inside = '\0';
  while (at_ < text_.size()) {
    const char c = Peek();
    if (inside != '\0' && c == '\\') {
      Step();
      if (at_ == text_.size()) {
        break;
      }
    } else if (inside == '\0' && c == '`') {
      std::string content(text_.substr(start_ + 1, at_ - start_ - 1));
      Step();
      Add(Kind::kIon, std::move(content));
      return {};
    } else if (inside == '\0' && (c == '"' || c == '\'')) {
      inside = c;
    } else if (c == inside) {
      inside = '\0';
    }
    Step();
  }
  return BadToken();
}

Result<void> Lexer::Number() {
  int dots = 0;
  std::size_t decimals = 0;
  while (IsDigit(Peek()) || (Peek() == '.' && (dots == 0 || text_[at_ - 1] == '.'))) {
    if (Peek() == '.') {
      ++dots;
    } else if (dots > 0) {
      ++decimals;
    }
    Step();
  }
  std::int64_t exponent = 0;
  if (Peek() == 'e' || Peek() == 'E') {
    Step();
    const bool negative = Peek() == '-';
    if (Peek() == '-' || Peek() == '+') {
      Step();
    }
    if (!IsDigit(Peek())) {
      return BadToken();
    }
    constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
    for (; IsDigit(Peek()); Step()) {
      exponent = std::min(kHuge, exponent * 10 + (Peek() - '0'));
    }
    exponent = negative ? -exponent : exponent;
  }
  // The number's own exponent and that of its last digit are 32 bits wide.
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const std::int64_t last = exponent - static_cast<std::int64_t>(decimals);
  if (dots > 1 || exponent > kMax || exponent < -kMax || last > kMax || last < -kMax) {
    return BadToken();
  }
  Add(Kind::kNumber, std::string(text_.substr(start_, at_ - start_)));
  return {};
}

void Lexer::Word() {
  while (IsNameStart(Peek()) || IsDigit(Peek())) {
    Step();
  }
  const std::string_view written = text_.substr(start_, at_ - start_);
  std::string lower = Lower(written);
  constexpr std::array<std::pair<std::string_view, Kind>, 10> kWords = {{
      {"as", Kind::kAs},
      {"at", Kind::kAt},
      {"by", Kind::kBy},
      {"asc", Kind::kAsc},
      {"desc", Kind::kDesc},
      {"for", Kind::kFor},
      {"null", Kind::kNull},
      {"missing", Kind::kMissing},
      {"true", Kind::kBool},
      {"false", Kind::kBool},
  }};
  for (const auto& [word, kind] : kWords) {
    if (lower == word) {
      Add(kind, std::move(lower));
      return;
    }
  }
  if (IsOperatorWord(lower)) {
    Add(Kind::kOperator, std::move(lower));
  } else if (IsKeyword(lower)) {
    Add(Kind::kKeyword, std::string(Unaliased(lower)));
  } else {
    Add(Kind::kIdentifier, std::string(written));
  }
}

Result<void> Lexer::Symbol() {
  struct Known {
    std::string_view text;
    Kind kind;
  };
  // Longer ones first.
  constexpr std::array<Known, 27> kSymbols = {{
      {"<<", Kind::kLeftDoubleAngle},
      {">>", Kind::kRightDoubleAngle},
      {"<=", Kind::kOperator},
      {"<>", Kind::kOperator},
      {">=", Kind::kOperator},
      {"!=", Kind::kOperator},
      {"||", Kind::kOperator},
      {"<", Kind::kOperator},
      {">", Kind::kOperator},
      {"=", Kind::kOperator},
      {"+", Kind::kOperator},
      {"-", Kind::kOperator},
      {"/", Kind::kOperator},
      {"%", Kind::kOperator},
      {"@", Kind::kOperator},
      {"(", Kind::kLeftParen},
      {")", Kind::kRightParen},
      {"[", Kind::kLeftBracket},
      {"]", Kind::kRightBracket},
      {"{", Kind::kLeftCurly},
      {"}", Kind::kRightCurly},
      {":", Kind::kColon},
      {",", Kind::kComma},
      {"*", Kind::kStar},
      {".", Kind::kDot},
      {";", Kind::kSemicolon},
      {"?", Kind::kParameter},
  }};
  const std::string_view rest = text_.substr(at_);
  for (const Known& known : kSymbols) {
    if (rest.starts_with(known.text)) {
      Step(known.text.size());
      Add(known.kind, std::string(known.text == "!=" ? "<>" : known.text));
      return {};
    }
  }
  return BadToken();
}

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view statement) {
  return Lexer(statement).Run();
}

std::unexpected<Error> NotWellFormed(std::string_view detail) {
  return Invalid("Statement wasn't well formed, can't be processed: " + std::string(detail));
}

std::string At(Position position) {
  if (!position.known()) {
    return "";
  }
  return " at " + std::to_string(position.line) + ':' + std::to_string(position.column) + ':' +
         std::to_string(position.length);
}

}  // namespace stator::partiql
