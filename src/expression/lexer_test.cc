// What lexer.h promises: which characters make which token, that nothing is lost, and how a token
// that stands in the wrong place is shown.

#include "expression/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stator::expression {
namespace {

using Kind = Token::Kind;
using testing::ElementsAre;

std::vector<Kind> KindsOf(std::string_view text) {
  std::vector<Kind> kinds;
  for (const Token& token : Tokenize(text)) {
    kinds.push_back(token.kind);
  }
  return kinds;
}

std::vector<std::string_view> TextsOf(std::string_view text) {
  std::vector<std::string_view> texts;
  for (const Token& token : Tokenize(text)) {
    texts.push_back(token.text);
  }
  return texts;
}

TEST(Lexer, EndsEveryTextWithTheEnd) {
  EXPECT_THAT(TextsOf(""), ElementsAre("<EOF>"));
  EXPECT_THAT(TextsOf(" \t\r\n"), ElementsAre("<EOF>"));
}

TEST(Lexer, KnowsKeywordsInAnyCase) {
  EXPECT_THAT(KindsOf("AND or Not iN between SET remove Add dElEtE"),
              ElementsAre(Kind::kAnd, Kind::kOr, Kind::kNot, Kind::kIn, Kind::kBetween, Kind::kSet,
                          Kind::kRemove, Kind::kAdd, Kind::kDelete, Kind::kEnd));
  EXPECT_THAT(KindsOf("android notx set_"),
              ElementsAre(Kind::kName, Kind::kName, Kind::kName, Kind::kEnd));
}

TEST(Lexer, CutsPunctuationAtItsLongest) {
  EXPECT_THAT(TextsOf("<=<>>==<"), ElementsAre("<=", "<>", ">=", "=", "<", "<EOF>"));
  EXPECT_THAT(KindsOf("()[].,+-"),
              ElementsAre(Kind::kLeftParenthesis, Kind::kRightParenthesis, Kind::kLeftBracket,
                          Kind::kRightBracket, Kind::kDot, Kind::kComma, Kind::kPlus, Kind::kMinus,
                          Kind::kEnd));
}

TEST(Lexer, TakesNamesNumbersAndPlaceholders) {
  EXPECT_THAT(TextsOf("a_1.#b[20]=:_c"),
              ElementsAre("a_1", ".", "#b", "[", "20", "]", "=", ":_c", "<EOF>"));
  EXPECT_THAT(KindsOf("a #b :c 7"),
              ElementsAre(Kind::kName, Kind::kNamePlaceholder, Kind::kValuePlaceholder,
                          Kind::kNumber, Kind::kEnd));
}

TEST(Lexer, CutsWhatNoGrammarAcceptsIntoCharacters) {
  EXPECT_THAT(KindsOf("_a # :"),
              ElementsAre(Kind::kUnknown, Kind::kName, Kind::kUnknown, Kind::kUnknown, Kind::kEnd));
  EXPECT_THAT(TextsOf("é!"), ElementsAre("é", "!", "<EOF>"));
  EXPECT_THAT(TextsOf("007"), ElementsAre("0", "0", "7", "<EOF>"));
}

TEST(Lexer, SurvivesTextThatIsNotUtf8) {
  EXPECT_THAT(TextsOf("a\xF0"), ElementsAre("a", "\xF0", "<EOF>"));
  EXPECT_THAT(TextsOf("\x80z"), ElementsAre("\x80", "z", "<EOF>"));
  EXPECT_THAT(TextsOf("\xE1 a"), ElementsAre("\xE1", "a", "<EOF>"));
}

TEST(Lexer, ShowsAnOffendingTokenWithItsNeighbours) {
  constexpr std::string_view kText = " a  x b c ";
  const std::vector<Token> tokens = Tokenize(kText);
  EXPECT_EQ(SyntaxErrorText(kText, tokens, 0), "Syntax error; token: \"a\", near: \" a  x\"");
  EXPECT_EQ(SyntaxErrorText(kText, tokens, 1), "Syntax error; token: \"x\", near: \"a  x b\"");
  EXPECT_EQ(SyntaxErrorText(kText, tokens, 3), "Syntax error; token: \"c\", near: \"b c \"");
  EXPECT_EQ(SyntaxErrorText(kText, tokens, 4), "Syntax error; token: \"<EOF>\", near: \"c \"");
}

RC_GTEST_PROP(Lexer, LosesNothingButWhiteSpace, (const std::string& text)) {
  std::string joined;
  std::size_t position = 0;
  const std::vector<Token> tokens = Tokenize(text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    RC_ASSERT(tokens[i].position >= position);
    RC_ASSERT(text.substr(tokens[i].position, tokens[i].text.size()) == tokens[i].text);
    position = tokens[i].position + tokens[i].text.size();
    joined += tokens[i].text;
  }
  std::string expected = text;
  std::erase_if(expected, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  RC_ASSERT(joined == expected);
}

}  // namespace
}  // namespace stator::expression
