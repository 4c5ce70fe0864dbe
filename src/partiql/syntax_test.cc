// The grammar against the public PartiQL parser: the same statements are taken, and the others are
// refused in the same words. And texts made to exhaust the parser.

#include "partiql/syntax.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "value/plain_json.h"

namespace stator::partiql {
namespace {

constexpr std::string_view kPrefix = "Statement wasn't well formed, can't be processed: ";

TEST(Syntax, IsThatOfThePublicParser) {
  std::ifstream file(STATOR_GOLDEN_FOLDER "/partiql_syntax.json");
  std::stringstream text;
  text << file.rdbuf();
  const Result<AttributeValue> golden = value::ValueFromPlainJson(text.str());
  ASSERT_TRUE(golden) << golden.error().message;
  const List& records = *golden->If<Map>()->Find("records")->If<List>();
  ASSERT_GT(records.size(), 800U);
  for (const AttributeValue& record : records) {
    const Map& fields = *record.If<Map>();
    const std::string& statement = *fields.Find("statement")->If<std::string>();
    const AttributeValue* detail = fields.Find("detail");
    const Result<SyntaxTree> tree = Parse(statement);
    if (detail == nullptr) {
      EXPECT_TRUE(tree) << statement << "\n" << tree.error().message;
    } else if (tree) {
      ADD_FAILURE() << statement << "\nis taken; refused with: " << *detail->If<std::string>();
    } else {
      EXPECT_EQ(tree.error().message, std::string(kPrefix) + *detail->If<std::string>())
          << statement;
    }
  }
}

// Recorded on AWS, which knows these type names; version 0.3.4 of the parser does not.
TEST(Syntax, KnowsTheSizesOfIntegers) {
  EXPECT_TRUE(Parse("x IS INT4"));
  EXPECT_TRUE(Parse("x IS INT8"));
  EXPECT_TRUE(Parse("x IS BIGINT"));
  EXPECT_FALSE(Parse("x IS FOO"));
}

TEST(Syntax, CountsLinesAndCharacters) {
  const SyntaxTree tree =
      Parse("SELECT *\nFROM \"äöü\" -- a comment\r\nWHERE x = 'é' AND y = 1").value();
  const auto position = [&](std::string_view text) {
    for (const Token& token : tree.tokens) {
      if (token.text == text) {
        return At(token.position);
      }
    }
    return std::string("nowhere");
  };
  EXPECT_EQ(position("äöü"), " at 2:6:5");
  EXPECT_EQ(position("x"), " at 3:7:1");
  EXPECT_EQ(position("and"), " at 3:15:3");
  EXPECT_EQ(position("y"), " at 3:19:1");
}

TEST(Syntax, RefusesWhatIsTooDeepAndSaysSo) {
  const auto refusal = [](const std::string& text) {
    const Result<SyntaxTree> tree = Parse(text);
    return tree ? "taken" : tree.error().message;
  };
  const std::string too_deep = std::string(kPrefix) + "Nested deeper than 350 levels";
  const std::size_t many = 4000;
  const std::string open = "SELECT * FROM T WHERE ";
  EXPECT_EQ(refusal(open + std::string(many, '(') + "a" + std::string(many, ')')), too_deep);
  EXPECT_EQ(refusal(open + std::string(many, '[')), too_deep);
  EXPECT_EQ(refusal("SELECT * FROM " + std::string(many, '(')), too_deep);
  std::string nots = open;
  std::string sums = open + "1";
  for (std::size_t i = 0; i < 2000; ++i) {
    nots += "NOT ";
    sums += "+1";
  }
  EXPECT_EQ(refusal(nots + "a = 1"), too_deep);
  EXPECT_EQ(refusal(sums), "The expression contains too many operators; operator count: 301");
  EXPECT_TRUE(Parse(open + std::string(200, '(') + "a" + std::string(200, ')')));
}

}  // namespace
}  // namespace stator::partiql
