// What condition.h promises beyond what was recorded from the service: missing items, one tree with
// other values, the attributes a condition looks at, and texts made to exhaust the parser.

#include "expression/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"

namespace stator::expression {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Condition> Bound(std::string_view text, Substitutions& substitutions) {
  std::shared_ptr<const ConditionTree> tree = TRY(ParseCondition(ExpressionKind::kFilter, text));
  return Condition::Bind(ExpressionKind::kFilter, std::move(tree), substitutions);
}

bool Matches(std::string_view text, const Item* item, const Map& values) {
  Substitutions substitutions(nullptr, &values);
  return Bound(text, substitutions).value().Matches(item);
}

TEST(Condition, OfAMissingItemSeesNoAttributes) {
  const Map values = {{":v", 1}};
  EXPECT_TRUE(Matches("attribute_not_exists(a)", nullptr, values));
  EXPECT_FALSE(Matches("attribute_exists(a)", nullptr, values));
  EXPECT_FALSE(Matches("a = :v", nullptr, values));
  EXPECT_TRUE(Matches("a <> :v", nullptr, values));
  EXPECT_TRUE(Matches("NOT a.b[0] = :v", nullptr, values));
  EXPECT_FALSE(Matches("size(a) = :v", nullptr, values));
  EXPECT_TRUE(Matches(":v = :v", nullptr, values));
}

TEST(Condition, CountsStringsInUtf16Units) {
  const Item item = {{"plain", "abc"}, {"accent", "é"}, {"face", "\U0001F600"}};
  EXPECT_TRUE(Matches("size(plain) = :v", &item, {{":v", 3}}));
  EXPECT_TRUE(Matches("size(accent) = :v", &item, {{":v", 1}}));
  EXPECT_TRUE(Matches("size(face) = :v", &item, {{":v", 2}}));
}

TEST(Condition, ComparesSetsInsideDocumentsWithoutOrder) {
  const Item item = {{"m", Map{{"s", StringSet{"b", "a"}}}}};
  EXPECT_TRUE(Matches("m = :v", &item, {{":v", Map{{"s", StringSet{"a", "b"}}}}}));
}

TEST(Condition, OneTreeServesRequestsWithOtherNamesAndValues) {
  const auto tree = ParseCondition(ExpressionKind::kCondition, "#s = :open AND rev = :rev").value();
  const Item item = {{"status", "OPEN"}, {"state", "SHUT"}, {"rev", 7}};
  const auto matches = [&](const std::string& name, const AttributeValue& open, int rev) {
    const Substitutions::Names names = {{"#s", name}};
    const Map values = {{":open", open}, {":rev", rev}};
    Substitutions substitutions(&names, &values);
    const Result<Condition> bound =
        Condition::Bind(ExpressionKind::kCondition, tree, substitutions);
    EXPECT_TRUE(substitutions.CheckAllUsed().has_value());
    return bound.value().Matches(item);
  };
  EXPECT_TRUE(matches("status", "OPEN", 7));
  EXPECT_FALSE(matches("state", "OPEN", 7));
  EXPECT_TRUE(matches("state", "SHUT", 7));
  EXPECT_FALSE(matches("status", "OPEN", 8));
}

TEST(Condition, TellsWhichAttributesItLooksAt) {
  const Substitutions::Names names = {{"#a", "alpha"}, {"#same", "b"}};
  Substitutions substitutions(&names, nullptr);
  const Condition condition =
      Bound("#a.x = c[0] AND attribute_exists(b) OR size(#same) < d", substitutions).value();
  EXPECT_THAT(condition.TopLevelAttributes(), ElementsAre("alpha", "b", "c", "d"));
  EXPECT_TRUE(condition.LooksInside("alpha"));
  EXPECT_TRUE(condition.LooksInside("c"));
  EXPECT_FALSE(condition.LooksInside("b"));
  EXPECT_FALSE(condition.LooksInside("x"));
}

TEST(Condition, BindsMoreSymbolsThanFitInline) {
  std::string text;
  Substitutions::Names names;
  Map values;
  Item item;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    text += i == 0 ? "#n" : " AND #n";
    text += number;
    text += " = :v";
    text += number;
    names.emplace("#n" + number, "attribute" + number);
    values.Set(":v" + number, i);
    item.Set("attribute" + number, i);
  }
  Substitutions substitutions(&names, &values);
  const Condition condition = Bound(text, substitutions).value();
  EXPECT_TRUE(condition.Matches(item));
  item.Set("attribute39", 0);
  EXPECT_FALSE(condition.Matches(item));
}

std::string Repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += piece;
  }
  return text;
}

TEST(Condition, RefusesTextsThatNestWithoutEnd) {
  Substitutions none(nullptr, nullptr);
  for (const std::string& text :
       {Repeated("(", 4096), Repeated("NOT ", 1024), Repeated("size(", 819), Repeated("NOT(", 1000),
        Repeated("a=(", 1300), Repeated("(", 2000) + Repeated(")", 2000), Repeated("(a=b AND", 500),
        Repeated("a.", 2048), Repeated("a[0]", 1024)}) {
    const Result<Condition> condition = Bound(text, none);
    ASSERT_FALSE(condition.has_value());
    EXPECT_EQ(condition.error().code, ErrorCode::kValidation);
    EXPECT_THAT(condition.error().message, HasSubstr("Invalid FilterExpression: "));
  }
}

TEST(Condition, TakesTheDeepestNestingThatItsOperatorsAllow) {
  Substitutions none(nullptr, nullptr);
  const std::string text = Repeated("(", 149) + "a=b" + Repeated(" AND a=b)", 149);
  const Result<Condition> condition = Bound(text, none);
  ASSERT_TRUE(condition.has_value()) << condition.error().message;
  EXPECT_FALSE(condition->Matches(nullptr));
}

}  // namespace
}  // namespace stator::expression
