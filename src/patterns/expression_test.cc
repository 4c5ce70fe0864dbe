// What expression.h, update.h and requests.h promise about the text: placeholders only, no
// parentheses to spare, the same text for the same shape. What the text means is tried on every
// home in test/patterns/expression_cases.cc.

#include "stator/patterns/expression.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "stator/patterns/requests.h"
#include "stator/patterns/update.h"

namespace stator::patterns {
namespace {

std::string TextOf(const Condition& condition) {
  return Placeholders().Compile(condition).value_or("(none)");
}

std::string TextOf(const Update& update) {
  return Placeholders().Compile(update).value_or("(none)");
}

const Condition kA = Attribute("a").Exists();
const Condition kB = Attribute("b").Exists();
const Condition kC = Attribute("c").Exists();

TEST(Expression, ComparesAttributesWithValuesOnEitherSide) {
  EXPECT_EQ(TextOf(Attribute("a") == 1), "#n0 = :v0");
  EXPECT_EQ(TextOf(Attribute("a") != "x"), "#n0 <> :v0");
  EXPECT_EQ(TextOf(Attribute("a") < Attribute("b")), "#n0 < #n1");
  EXPECT_EQ(TextOf(3 <= Attribute("a")), ":v0 <= #n0");
  EXPECT_EQ(TextOf(Attribute("a") > std::string("x")), "#n0 > :v0");
  EXPECT_EQ(TextOf(Attribute("a").Size() >= 2), "size(#n0) >= :v0");
}

TEST(Expression, CallsFunctions) {
  EXPECT_EQ(TextOf(Attribute("a").NotExists()), "attribute_not_exists(#n0)");
  EXPECT_EQ(TextOf(Attribute("a").HasType(AttributeValue::Type::kNumberSet)),
            "attribute_type(#n0, :v0)");
  EXPECT_EQ(TextOf(Attribute("a").BeginsWith("x")), "begins_with(#n0, :v0)");
  EXPECT_EQ(TextOf(Attribute("a").Contains(Attribute("b"))), "contains(#n0, #n1)");
  EXPECT_EQ(TextOf(Attribute("a").Between(1, 2)), "#n0 BETWEEN :v0 AND :v1");
  EXPECT_EQ(TextOf(Attribute("a").In({1, "x", true})), "#n0 IN (:v0, :v1, :v2)");
}

TEST(Expression, TakesNamesAsTheyAreAndSpellsTheWayIntoDocuments) {
  Placeholders placeholders;
  EXPECT_EQ(placeholders.Compile(Attribute("a.b[0]")["c"][3]["#d"].Exists()),
            "attribute_exists(#n0.#n1[3].#n2)");
  EXPECT_EQ(placeholders.names(), (AttributeNames{{"#n0", "a.b[0]"}, {"#n1", "c"}, {"#n2", "#d"}}));
}

TEST(Expression, HasParenthesesOnlyWhereTheyMatter) {
  EXPECT_EQ(TextOf(kA && kB && kC),
            "attribute_exists(#n0) AND attribute_exists(#n1) AND attribute_exists(#n2)");
  EXPECT_EQ(TextOf((kA || kB) && kC),
            "(attribute_exists(#n0) OR attribute_exists(#n1)) AND attribute_exists(#n2)");
  EXPECT_EQ(TextOf(kA || (kB && kC)),
            "attribute_exists(#n0) OR attribute_exists(#n1) AND attribute_exists(#n2)");
  EXPECT_EQ(TextOf(!(kA && kB)), "NOT (attribute_exists(#n0) AND attribute_exists(#n1))");
  EXPECT_EQ(TextOf(!kA && kB), "NOT attribute_exists(#n0) AND attribute_exists(#n1)");
  EXPECT_EQ(TextOf(!!kA), "NOT NOT attribute_exists(#n0)");
}

TEST(Expression, AlwaysVanishes) {
  EXPECT_EQ(TextOf(Condition()), "(none)");
  EXPECT_EQ(TextOf(Condition() && kA), "attribute_exists(#n0)");
  EXPECT_EQ(TextOf(kA && Condition()), "attribute_exists(#n0)");
  EXPECT_TRUE((kA || Condition()).always());
}

TEST(Expression, IsNoBool) {
  static_assert(!std::is_convertible_v<Condition, bool>);
  static_assert(!std::is_constructible_v<bool, Condition>);
  static_assert(!std::is_convertible_v<double, Operand>);
}

TEST(Expression, DependsOnTheShapeAlone) {
  const auto shape = [](const AttributeValue& first, const AttributeValue& second) {
    return TextOf(Attribute("a") == first && Attribute("b") == second);
  };
  EXPECT_EQ(shape(1, 1), shape("x", 2));
}

TEST(Update, HasAClausePerKindOfChange) {
  EXPECT_EQ(TextOf(Update()
                       .Remove("r")
                       .Add("n", 1)
                       .Set("a", 1)
                       .Delete("s", StringSet{"x"})
                       .Set("b", Attribute("c"))
                       .Remove(Attribute("m")["k"])),
            "SET #n0 = :v0, #n1 = #n2 REMOVE #n3, #n4.#n5 ADD #n6 :v1 DELETE #n7 :v2");
  EXPECT_EQ(TextOf(Update()), "(none)");
}

TEST(Update, KnowsSumsAndFunctions) {
  EXPECT_EQ(TextOf(Update().Set("n", Attribute("n") + 1)), "SET #n0 = #n0 + :v0");
  EXPECT_EQ(TextOf(Update().Set("n", 1 - Attribute("n"))), "SET #n0 = :v0 - #n0");
  EXPECT_EQ(TextOf(Update().SetIfMissing("n", 1)), "SET #n0 = if_not_exists(#n0, :v0)");
  EXPECT_EQ(TextOf(Update().Append("l", {1})),
            "SET #n0 = list_append(if_not_exists(#n0, :v0), :v1)");
}

TEST(Update, MergesWithAnotherAndWithItself) {
  Update update = Update().Set("a", 1);
  update.Merge(Update().Set("b", 2).Add("c", 3));
  EXPECT_EQ(TextOf(update), "SET #n0 = :v0, #n1 = :v1 ADD #n2 :v2");
  update.Merge(update);
  EXPECT_EQ(update.sets().size(), 4U);
}

TEST(Requests, ShareOnePlaceholderPerNameAndNonePerValue) {
  const UpdateItemInput input = MakeUpdate("table", {{"pk", "x"}}, Update().Set("a", 1),
                                           Attribute("a") == 1 && Attribute("pk").Exists());
  EXPECT_EQ(input.update_expression, "SET #n0 = :v0");
  EXPECT_EQ(input.condition_expression, "#n0 = :v1 AND attribute_exists(#n1)");
  EXPECT_EQ(input.expression_attribute_names, (AttributeNames{{"#n0", "a"}, {"#n1", "pk"}}));
  EXPECT_EQ(input.expression_attribute_values, (Map{{":v0", 1}, {":v1", 1}}));
}

TEST(Expression, CanMeanTheEntriesOfAMap) {
  EXPECT_EQ(TextOf((Attribute("a") == 1 || Attribute("b")["c"].Exists()).Inside("data")),
            "#n0.#n1 = :v0 OR attribute_exists(#n0.#n2.#n3)");
  EXPECT_EQ(TextOf(Condition().Inside("data")), "(none)");
  EXPECT_EQ(TextOf(Update()
                       .Set("a", Attribute("b") + 1)
                       .Append("l", List{"x"})
                       .Remove(Attribute("c")[2])
                       .Add("n", 1)
                       .Inside("data")),
            "SET #n0.#n1 = #n0.#n2 + :v0, "
            "#n0.#n3 = list_append(if_not_exists(#n0.#n3, :v1), :v2) "
            "REMOVE #n0.#n4[2] ADD #n0.#n5 :v3");
}

TEST(Requests, LeaveOutWhatThereIsNot) {
  const PutItemInput put = MakePut("table", {{"pk", "x"}});
  EXPECT_FALSE(put.condition_expression);
  EXPECT_FALSE(put.expression_attribute_names);
  EXPECT_FALSE(put.expression_attribute_values);
  const DeleteItemInput remove = MakeDelete("table", {{"pk", "x"}}, Attribute("pk").Exists());
  EXPECT_TRUE(remove.expression_attribute_names);
  EXPECT_FALSE(remove.expression_attribute_values);
}

TEST(Requests, AskForTheItemWhenTheConditionFails) {
  const Condition condition = Attribute("pk").Exists();
  EXPECT_EQ(MakePut("table", {}, condition).return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
  EXPECT_EQ(MakeUpdate("table", {}, Update().Remove("a"), condition)
                .return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
  EXPECT_EQ(MakeDelete("table", {}, condition).return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
}

}  // namespace
}  // namespace stator::patterns
