// Conditions: what each operator and function says of an item, seen through conditional writes.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

class Conditions : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    Put("things", {{"pk", "a"},
                   {"n", 5},
                   {"s", "text"},
                   {"e", ""},
                   {"b", Binary{"\x80"}},
                   {"t", true},
                   {"null", Null{}},
                   {"ss", StringSet{"x", "y"}},
                   {"ns", NumberSet{1, 2}},
                   {"l", List{1, "two", Map{{"in", StringSet{"q", "p"}}}}},
                   {"m", Map{{"k", 1}, {"d", Map{{"e", "deep"}}}}}});
  }

  // Whether the condition holds for the item.
  [[nodiscard]] bool Holds(const std::string& condition, Map values = {}) {
    const auto result = Try(condition, std::move(values));
    if (!result && result.error().code != ErrorCode::kConditionFailed) {
      ADD_FAILURE() << condition << ": " << result.error().message;
    }
    return result.has_value();
  }

  [[nodiscard]] Result<UpdateItemOutput> Try(const std::string& condition, Map values = {}) {
    UpdateItemInput input{
        .table_name = "things", .key = {{"pk", "a"}}, .condition_expression = condition};
    if (!values.empty()) {
      input.expression_attribute_values = std::move(values);
    }
    return db().UpdateItem(input);
  }
};

TEST_F(Conditions, CompareNumbersByValue) {
  EXPECT_TRUE(Holds("n = :v", {{":v", N("5.0")}}));
  EXPECT_FALSE(Holds("n <> :v", {{":v", N("5e0")}}));
  EXPECT_TRUE(Holds("n < :v", {{":v", N("5.1")}}));
  EXPECT_TRUE(Holds("n >= :v", {{":v", 5}}));
  EXPECT_FALSE(Holds("n > :v", {{":v", 5}}));
  EXPECT_TRUE(Holds("n <= :v", {{":v", 5}}));
}

TEST_F(Conditions, CompareStringsAndBinariesByBytes) {
  EXPECT_TRUE(Holds("s > :v", {{":v", "Text"}}));
  EXPECT_TRUE(Holds("s < :v", {{":v", "texts"}}));
  EXPECT_TRUE(Holds("e < :v", {{":v", "a"}}));
  EXPECT_TRUE(Holds("b > :v", {{":v", Binary{"\x7F"}}}));
}

TEST_F(Conditions, DifferentTypesAreUnequalAndUnordered) {
  EXPECT_FALSE(Holds("n = :v", {{":v", "5"}}));
  EXPECT_TRUE(Holds("n <> :v", {{":v", "5"}}));
  EXPECT_FALSE(Holds("n < :v", {{":v", "6"}}));
  EXPECT_FALSE(Holds("n > :v", {{":v", "4"}}));
}

TEST_F(Conditions, AMissingAttributeIsUnequalToEverything) {
  EXPECT_FALSE(Holds("x = :v", {{":v", 1}}));
  EXPECT_TRUE(Holds("x <> :v", {{":v", 1}}));
  EXPECT_FALSE(Holds("x < :v", {{":v", 1}}));
  EXPECT_FALSE(Holds("x BETWEEN :v AND :w", {{":v", 1}, {":w", 2}}));
  EXPECT_FALSE(Holds("x = y"));
  EXPECT_TRUE(Holds("x <> y"));
  EXPECT_FALSE(Holds("x <= y"));
  EXPECT_TRUE(Holds("NOT x = y"));
}

TEST_F(Conditions, AttributesCompareWithAttributes) {
  EXPECT_TRUE(Holds("m.k < n"));
  EXPECT_TRUE(Holds("l[0] = m.k"));
  EXPECT_FALSE(Holds("l[1] = m.k"));
}

TEST_F(Conditions, BetweenIncludesItsBounds) {
  EXPECT_TRUE(Holds("n BETWEEN :v AND :w", {{":v", 5}, {":w", 6}}));
  EXPECT_TRUE(Holds("n BETWEEN :v AND :w", {{":v", 4}, {":w", 5}}));
  EXPECT_FALSE(Holds("n BETWEEN :v AND :w", {{":v", 6}, {":w", 7}}));
}

TEST_F(Conditions, InFindsEqualValues) {
  EXPECT_TRUE(Holds("n IN (:v, :w)", {{":v", "x"}, {":w", 5}}));
  EXPECT_FALSE(Holds("n IN (:v)", {{":v", 6}}));
  EXPECT_FALSE(Holds("x IN (:v)", {{":v", 6}}));
}

TEST_F(Conditions, SetsAreEqualInAnyOrderAtAnyDepth) {
  EXPECT_TRUE(Holds("ss = :v", {{":v", StringSet{"y", "x"}}}));
  EXPECT_TRUE(Holds("l[2] = :v", {{":v", Map{{"in", StringSet{"p", "q"}}}}}));
  EXPECT_FALSE(Holds("ss = :v", {{":v", StringSet{"x"}}}));
  EXPECT_FALSE(Holds("ss = :v", {{":v", List{"x", "y"}}}));
}

TEST_F(Conditions, ListsAreEqualInOrder) {
  EXPECT_TRUE(Holds("m = :v", {{":v", Map{{"d", Map{{"e", "deep"}}}, {"k", 1}}}}));
  EXPECT_FALSE(Holds("l = :v", {{":v", List{"two", 1}}}));
}

TEST_F(Conditions, ExistenceLooksAtPaths) {
  EXPECT_TRUE(Holds("attribute_exists(n)"));
  EXPECT_TRUE(Holds("attribute_exists(m.d.e)"));
  EXPECT_TRUE(Holds("attribute_exists(l[2])"));
  EXPECT_FALSE(Holds("attribute_exists(l[3])"));
  EXPECT_TRUE(Holds("attribute_not_exists(m.x)"));
  EXPECT_TRUE(Holds("attribute_not_exists(n.x)"));
}

TEST_F(Conditions, TypesHaveTheirShortNames) {
  EXPECT_TRUE(Holds("attribute_type(n, :v)", {{":v", "N"}}));
  EXPECT_TRUE(Holds("attribute_type(ss, :v)", {{":v", "SS"}}));
  EXPECT_TRUE(Holds("attribute_type(t, :v)", {{":v", "BOOL"}}));
  EXPECT_TRUE(Holds("attribute_type(l, :v)", {{":v", "L"}}));
  EXPECT_FALSE(Holds("attribute_type(n, :v)", {{":v", "S"}}));
  EXPECT_FALSE(Holds("attribute_type(x, :v)", {{":v", "S"}}));
  EXPECT_TRUE(FailsWith(Try("attribute_type(n, :v)", {{":v", "X"}}), ErrorCode::kValidation));
}

TEST_F(Conditions, BeginsWithComparesBytes) {
  EXPECT_TRUE(Holds("begins_with(s, :v)", {{":v", "te"}}));
  EXPECT_TRUE(Holds("begins_with(s, :v)", {{":v", ""}}));
  EXPECT_FALSE(Holds("begins_with(s, :v)", {{":v", "xt"}}));
  EXPECT_FALSE(Holds("begins_with(n, :v)", {{":v", "5"}}));
  EXPECT_FALSE(Holds("begins_with(x, :v)", {{":v", "5"}}));
}

TEST_F(Conditions, ContainsLooksIntoTextSetsAndLists) {
  EXPECT_TRUE(Holds("contains(s, :v)", {{":v", "ex"}}));
  EXPECT_TRUE(Holds("contains(ss, :v)", {{":v", "x"}}));
  EXPECT_FALSE(Holds("contains(ss, :v)", {{":v", "xy"}}));
  EXPECT_TRUE(Holds("contains(ns, :v)", {{":v", N("2.0")}}));
  EXPECT_TRUE(Holds("contains(l, :v)", {{":v", "two"}}));
  EXPECT_TRUE(Holds("contains(l, :v)", {{":v", Map{{"in", StringSet{"p", "q"}}}}}));
  EXPECT_FALSE(Holds("contains(x, :v)", {{":v", "two"}}));
}

TEST_F(Conditions, SizeCountsBytesAndEntries) {
  EXPECT_TRUE(Holds("size(s) = :v", {{":v", 4}}));
  EXPECT_TRUE(Holds("size(e) = :v", {{":v", 0}}));
  EXPECT_TRUE(Holds("size(b) = :v", {{":v", 1}}));
  EXPECT_TRUE(Holds("size(ss) = :v", {{":v", 2}}));
  EXPECT_TRUE(Holds("size(l) = :v", {{":v", 3}}));
  EXPECT_TRUE(Holds("size(m) = :v", {{":v", 2}}));
  EXPECT_FALSE(Holds("size(n) >= :v", {{":v", 0}}));
  EXPECT_FALSE(Holds("size(x) >= :v", {{":v", 0}}));
}

TEST_F(Conditions, AndBindsTighterThanOrAndNotTightest) {
  EXPECT_TRUE(Holds("n = :five OR n = :six AND s = :no", {{":five", 5}, {":six", 6}, {":no", ""}}));
  EXPECT_FALSE(
      Holds("(n = :five OR n = :six) AND s = :no", {{":five", 5}, {":six", 6}, {":no", ""}}));
  EXPECT_TRUE(Holds("NOT n = :six AND s <> :no", {{":six", 6}, {":no", ""}}));
}

TEST_F(Conditions, RefuseToOrderWhatHasNoOrder) {
  const std::string start =
      "Invalid ConditionExpression: Incorrect operand type for operator or "
      "function; operator or function: ";
  EXPECT_TRUE(RefusedAtOnce(Try("n < :v", {{":v", true}}), start + "<, operand type: BOOL"));
  EXPECT_TRUE(RefusedAtOnce(Try("n >= :v", {{":v", List{}}}), start + ">=, operand type: L"));
  EXPECT_TRUE(RefusedAtOnce(Try("n BETWEEN :v AND :v", {{":v", Map{}}}),
                            start + "BETWEEN, operand type: M"));
  EXPECT_TRUE(RefusedAtOnce(Try("begins_with(s, :v)", {{":v", 1}}),
                            start + "begins_with, operand type: N"));
}

TEST_F(Conditions, RefuseFunctionsThatAreNotForThem) {
  EXPECT_TRUE(
      RefusedAtOnce(Try("if_not_exists(n, :v) = :v", {{":v", 1}}),
                    "Invalid ConditionExpression: The function is not allowed in a condition "
                    "expression; function: if_not_exists"));
  EXPECT_TRUE(
      RefusedAtOnce(Try("nonsense(n)"),
                    "Invalid ConditionExpression: Invalid function name; function: nonsense"));
  EXPECT_TRUE(FailsWith(Try("_f(n)"), ErrorCode::kValidation));
}

TEST_F(Conditions, RefuseToCompareAnAttributeWithItself) {
  EXPECT_TRUE(
      RefusedAtOnce(Try("n = n"),
                    "Invalid ConditionExpression: The first operand must be distinct from the "
                    "remaining operands for this operator or function; operator: =, first "
                    "operand: [n]"));
}

TEST_F(Conditions, RefuseReservedWords) {
  for (const char* word : {"items", "DATA", "Status", "name", "TTL", "owner"}) {
    EXPECT_TRUE(RefusedAtOnce(Try("attribute_exists(" + std::string(word) + ")"),
                              "Invalid ConditionExpression: Attribute name is a reserved keyword; "
                              "reserved keyword: " +
                                  std::string(word)));
  }
}

TEST_F(Conditions, RefuseValuesThatAreNotThere) {
  EXPECT_TRUE(RefusedAtOnce(Try("n = :v"),
                            "Invalid ConditionExpression: An expression attribute value used in "
                            "expression is not defined; attribute value: :v"));
}

TEST_F(Conditions, RefuseAPathIntoAKey) {
  EXPECT_TRUE(Refused(Try("attribute_exists(pk.x)"),
                      "Key attributes must be scalars; list random access '[]' and map lookup '.' "
                      "are not allowed: Key: pk"));
}

TEST_F(Conditions, RefuseMoreThanFourKilobytes) {
  std::string text = "attribute_exists(" + std::string(4096 - 18, 'x') + ")";
  ASSERT_EQ(text.size(), 4096U);
  EXPECT_TRUE(FailsWith(Try(text), ErrorCode::kConditionFailed));
  text.insert(text.size() - 1, "x");
  EXPECT_TRUE(RefusedAtOnce(Try(text),
                            "Invalid ConditionExpression: Expression size has exceeded the maximum "
                            "allowed size; expression size: 4097"));
}

TEST_F(Conditions, OfAMissingItemSeeNothing) {
  const auto with_condition = [&](const std::string& condition) {
    return db().UpdateItem(
        {.table_name = "things", .key = {{"pk", "b"}}, .condition_expression = condition});
  };
  EXPECT_TRUE(FailsWith(with_condition("attribute_exists(pk)"), ErrorCode::kConditionFailed));
  EXPECT_TRUE(Succeeds(with_condition("attribute_not_exists(pk)")));
}

}  // namespace
}  // namespace stator::contract
