// Numbers: 38 digits, exact, one form on the way out.

#include "contract/update_item_test.h"

namespace stator::contract {
namespace {

using Numbers = UpdateItemTest;

TEST_F(Numbers, AreKeptExactly) {
  for (const char* text :
       {"0", "1", "-1", "0.5", "-123.456", "12345678901234567890123456789012345678",
        "0.12345678901234567890123456789012345678"}) {
    Set({{"n", N(text)}});
    ASSERT_TRUE(Rest().has_value());
    EXPECT_EQ(Rest()->at("n").If<Number>()->ToString(), text);
  }
}

TEST_F(Numbers, ReachFromTheSmallestToTheLargest) {
  for (const char* text : {"1E-130", "-1E-130", "9.9999999999999999999999999999999999999E+125",
                           "-9.9999999999999999999999999999999999999E+125"}) {
    Set({{"n", N(text)}});
    EXPECT_EQ(Rest(), (Item{{"n", N(text)}}));
  }
}

TEST_F(Numbers, SumsOfManyDigitsAreExact) {
  Set({{"n", N("99999999999999999999999999999999999999")}});
  ASSERT_TRUE(Succeeds(Update("SET n = n - :one", Map{{":one", 1}})));
  EXPECT_EQ(Rest(), (Item{{"n", N("99999999999999999999999999999999999998")}}));
}

TEST_F(Numbers, ASumOfTooManyDigitsIsRefusedNotRounded) {
  Set({{"n", N("10000000000000000000000000000000000000")}});
  EXPECT_TRUE(
      FailsWith(Update("SET n = n + :tenth", Map{{":tenth", N("0.1")}}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Update("ADD n :tenth", Map{{":tenth", N("0.1")}}), ErrorCode::kValidation));
  EXPECT_EQ(Rest(), (Item{{"n", N("10000000000000000000000000000000000000")}}));
}

TEST_F(Numbers, AnOverflowIsRefused) {
  Set({{"n", N("9E+125")}});
  EXPECT_TRUE(Refused(
      Update("ADD n :n", Map{{":n", N("9E+125")}}),
      "Number overflow. Attempting to store a number with magnitude larger than supported range"));
}

TEST_F(Numbers, EqualNumbersAreEqualSetMembers) {
  Set({{"s", NumberSet{1, 2}}});
  ASSERT_TRUE(Succeeds(Update("ADD s :s", Map{{":s", NumberSet{N("1.0"), N("2e0"), N("3")}}})));
  EXPECT_EQ(Rest(), (Item{{"s", NumberSet{1, 2, 3}}}));
}

TEST_F(Numbers, ZeroHasNoSign) {
  Set({{"n", N("-0")}});
  EXPECT_EQ(Rest()->at("n").If<Number>()->ToString(), "0");
}

TEST_F(Numbers, OrderSortKeysByValue) {
  MakeTable({.name = "sorted", .keys = "pk:S | n:N"});
  const std::vector<std::string> in_order = {"-9.9999999999999999999999999999999999999E+125",
                                             "-1E+30",
                                             "-100",
                                             "-99.9",
                                             "-1",
                                             "-0.1",
                                             "-1E-130",
                                             "0",
                                             "1E-130",
                                             "0.099",
                                             "0.1",
                                             "1",
                                             "1.5",
                                             "9",
                                             "10",
                                             "11",
                                             "100",
                                             "1E+30",
                                             "9.9999999999999999999999999999999999999E+125"};
  for (auto text = in_order.rbegin(); text != in_order.rend(); ++text) {
    Put("sorted", {{"pk", "a"}, {"n", N(*text)}});
  }
  const QueryInput query{.table_name = "sorted",
                         .key_condition_expression = "pk = :a",
                         .expression_attribute_values = Map{{":a", "a"}}};
  std::vector<Item> expected;
  for (const std::string& text : in_order) {
    expected.push_back({{"pk", "a"}, {"n", N(text)}});
  }
  EXPECT_EQ(QueryAll(query), expected);
}

}  // namespace
}  // namespace stator::contract
