// GetItem: keys, projections and what it refuses.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class GetItem : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S | sk:N", .global = {{"by_g", "g:S"}}});
    Put("things", kItem);
  }
  [[nodiscard]] std::optional<Item> Project(const std::string& expression,
                                            std::optional<AttributeNames> names = std::nullopt) {
    return Must(db().GetItem({.table_name = "things",
                              .key = kKey,
                              .projection_expression = expression,
                              .expression_attribute_names = std::move(names)}))
        .item;
  }

  const Item kKey{{"pk", "a"}, {"sk", 1}};  // NOLINT(readability-identifier-naming)
  const Item kItem{{"pk", "a"},             // NOLINT(readability-identifier-naming)
                   {"sk", 1},
                   {"n", 5},
                   {"name", "reserved"},
                   {"a.b", "dotted"},
                   {"map", Map{{"x", 1}, {"y", Map{{"z", 2}}}}},
                   {"list", List{"zero", Map{{"one", 1}, {"two", 2}}, "last"}}};
};

TEST_F(GetItem, FindsNothingWhereNothingIs) {
  EXPECT_EQ(Get("things", {{"pk", "a"}, {"sk", 2}}), std::nullopt);
  EXPECT_EQ(Get("things", {{"pk", "b"}, {"sk", 1}}), std::nullopt);
}

TEST_F(GetItem, FindsTheItemConsistentlyOrNot) {
  EXPECT_EQ(Get("things", kKey), kItem);
  EXPECT_EQ(Must(db().GetItem({.table_name = "things", .key = kKey})).item, kItem);
}

TEST_F(GetItem, ProjectsTopLevelAttributes) {
  EXPECT_EQ(Project("n, pk"), (Item{{"n", 5}, {"pk", "a"}}));
  EXPECT_EQ(Project("#n", AttributeNames{{"#n", "name"}}), (Item{{"name", "reserved"}}));
  EXPECT_EQ(Project("#n", AttributeNames{{"#n", "a.b"}}), (Item{{"a.b", "dotted"}}));
}

TEST_F(GetItem, ProjectsIntoDocuments) {
  EXPECT_EQ(Project("#m.x", AttributeNames{{"#m", "map"}}), (Item{{"map", Map{{"x", 1}}}}));
  EXPECT_EQ(Project("#m.y.z, #m.x", AttributeNames{{"#m", "map"}}),
            (Item{{"map", Map{{"x", 1}, {"y", Map{{"z", 2}}}}}}));
  EXPECT_EQ(Project("#l[2], #l[0]", AttributeNames{{"#l", "list"}}),
            (Item{{"list", List{"zero", "last"}}}));
  EXPECT_EQ(Project("#l[1].two", AttributeNames{{"#l", "list"}}),
            (Item{{"list", List{Map{{"two", 2}}}}}));
}

TEST_F(GetItem, ProjectsNothingOutOfNothing) {
  EXPECT_EQ(Project("nothing"), Item{});
  EXPECT_EQ(Project("n.x"), Item{});
  EXPECT_EQ(Project("#l[9]", AttributeNames{{"#l", "list"}}), Item{});
  EXPECT_EQ(Must(db().GetItem({.table_name = "things",
                               .key = {{"pk", "b"}, {"sk", 1}},
                               .projection_expression = "n"}))
                .item,
            std::nullopt);
}

TEST_F(GetItem, ProjectsByAttributesToGet) {
  EXPECT_EQ(Must(db().GetItem({.table_name = "things",
                               .key = kKey,
                               .attributes_to_get = std::vector<std::string>{"name", "n", "no"}}))
                .item,
            (Item{{"n", 5}, {"name", "reserved"}}));
}

TEST_F(GetItem, RefusesAttributesToGetThatAreEmptyOrTwice) {
  EXPECT_TRUE(FailsWith(
      db().GetItem(
          {.table_name = "things", .key = kKey, .attributes_to_get = std::vector<std::string>{}}),
      ErrorCode::kValidation));
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things",
                            .key = kKey,
                            .attributes_to_get = std::vector<std::string>{"a", "b", "a"}}),
              "One or more parameter values were invalid: Duplicate value in attribute name: a"));
}

TEST_F(GetItem, RefusesBothFormsOfProjection) {
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things",
                            .key = kKey,
                            .projection_expression = "a",
                            .attributes_to_get = std::vector<std::string>{"a"}}),
              "Can not use both expression and non-expression parameters in the same request: "
              "Non-expression parameters: {AttributesToGet} Expression parameters: "
              "{ProjectionExpression}"));
}

TEST_F(GetItem, RefusesReservedWordsAndOverlappingPaths) {
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things", .key = kKey, .projection_expression = "name"}),
              "Invalid ProjectionExpression: Attribute name is a reserved keyword; "
              "reserved keyword: name"));
  EXPECT_TRUE(Refused(
      db().GetItem({.table_name = "things", .key = kKey, .projection_expression = "m.x, m"}),
      "Invalid ProjectionExpression: Two document paths overlap with each other; "
      "must remove or rewrite one of these paths; path one: [m, x], path two: [m]"));
}

TEST_F(GetItem, RefusesAPathIntoAKey) {
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things", .key = kKey, .projection_expression = "pk.x"}),
              "Key attributes must be scalars; list random access '[]' and map lookup '.' "
              "are not allowed: Key: pk"));
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things", .key = kKey, .projection_expression = "g[0]"}),
              "Key attributes must be scalars; list random access '[]' and map lookup '.' "
              "are not allowed: IndexKey: g"));
}

TEST_F(GetItem, RefusesKeysThatDoNotFitTheSchema) {
  const auto get = [&](const Item& key) {
    return db().GetItem({.table_name = "things", .key = key});
  };
  const char* const message = "The provided key element does not match the schema";
  EXPECT_TRUE(Refused(get({}), message));
  EXPECT_TRUE(Refused(get({{"pk", "a"}}), message));
  EXPECT_TRUE(Refused(get({{"pk", "a"}, {"sk", "1"}}), message));
  EXPECT_TRUE(Refused(get({{"pk", "a"}, {"other", 1}}), message));
  EXPECT_TRUE(Refused(get({{"pk", "a"}, {"sk", 1}, {"n", 5}}), message));
}

TEST_F(GetItem, RefusesAnEmptyKey) {
  EXPECT_TRUE(Refused(
      db().GetItem({.table_name = "things", .key = {{"pk", ""}, {"sk", 1}}}),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty string value. Key: pk"));
}

TEST_F(GetItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().GetItem({.table_name = "others", .key = kKey}), ErrorCode::kTableNotFound,
                    "Requested resource not found"));
}

TEST_F(GetItem, RefusesNamesWithoutAnExpression) {
  EXPECT_TRUE(Refused(db().GetItem({.table_name = "things",
                                    .key = kKey,
                                    .expression_attribute_names = AttributeNames{{"#a", "a"}}}),
                      "ExpressionAttributeNames can only be specified when using expressions"));
}

TEST_F(GetItem, RefusesNamesThatTheExpressionDoesNotKnow) {
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things", .key = kKey, .projection_expression = "#a"}),
              "Invalid ProjectionExpression: An expression attribute name used in the "
              "document path is not defined; attribute name: #a"));
  EXPECT_TRUE(Refused(db().GetItem({.table_name = "things",
                                    .key = kKey,
                                    .projection_expression = "#a",
                                    .expression_attribute_names = AttributeNames{}}),
                      "ExpressionAttributeNames must not be empty"));
}

}  // namespace
}  // namespace stator::contract
