// Query: key conditions, order, filters, projections and counts on a table.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class Query : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S | sk:N"});
    for (int number = 1; number <= 9; ++number) {
      Put("things", {{"pk", "a"}, {"sk", number}, {"odd", number % 2 == 1}, {"v", number * 10}});
    }
    Put("things", {{"pk", "b"}, {"sk", 5}});
  }

  // The sort keys that a condition selects, in the order of the answer.
  [[nodiscard]] std::vector<std::int64_t> Select(const std::string& condition, Map values,
                                                 bool forward = true) {
    values.Set(":pk", "a");
    std::vector<std::int64_t> found;
    for (const Item& item : QueryAll({.table_name = "things",
                                      .key_condition_expression = condition,
                                      .expression_attribute_values = std::move(values),
                                      .scan_index_forward = forward})) {
      found.push_back(item.at("sk").If<Number>()->ToInt64().value_or(-1));
    }
    return found;
  }

  using Found = std::vector<std::int64_t>;
};

TEST_F(Query, ReturnsAPartitionInOrder) {
  EXPECT_EQ(Select("pk = :pk", {}), (Found{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(Select("pk = :pk", {}, false), (Found{9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST_F(Query, ComparesTheSortKey) {
  EXPECT_EQ(Select("pk = :pk AND sk = :v", {{":v", 4}}), (Found{4}));
  EXPECT_EQ(Select("pk = :pk AND sk < :v", {{":v", 3}}), (Found{1, 2}));
  EXPECT_EQ(Select("pk = :pk AND sk <= :v", {{":v", 3}}), (Found{1, 2, 3}));
  EXPECT_EQ(Select("pk = :pk AND sk > :v", {{":v", 7}}), (Found{8, 9}));
  EXPECT_EQ(Select("pk = :pk AND sk >= :v", {{":v", 7}}), (Found{7, 8, 9}));
  EXPECT_EQ(Select("pk = :pk AND sk BETWEEN :v AND :w", {{":v", 3}, {":w", 5}}), (Found{3, 4, 5}));
  EXPECT_EQ(Select("pk = :pk AND sk BETWEEN :v AND :w", {{":v", 3}, {":w", 5}}, false),
            (Found{5, 4, 3}));
}

TEST_F(Query, MaySayItsConditionInAnyOrder) {
  EXPECT_EQ(Select("sk > :v AND pk = :pk", {{":v", 8}}), (Found{9}));
  EXPECT_EQ(Select("(:pk = pk) AND (:v > sk)", {{":v", 2}}), (Found{1}));
}

TEST_F(Query, FindsNothingWhereNothingIs) {
  const QueryOutput output =
      Must(db().Query({.table_name = "things",
                       .key_condition_expression = "pk = :pk",
                       .expression_attribute_values = Map{{":pk", "none"}}}));
  ASSERT_TRUE(output.items.has_value());
  EXPECT_TRUE(output.items->empty());
  EXPECT_EQ(output.count, 0);
  EXPECT_EQ(output.scanned_count, 0);
  EXPECT_FALSE(output.last_evaluated_key.has_value());
}

TEST_F(Query, FiltersAfterReading) {
  const QueryOutput output =
      Must(db().Query({.table_name = "things",
                       .key_condition_expression = "pk = :pk",
                       .filter_expression = "odd = :true",
                       .expression_attribute_values = Map{{":pk", "a"}, {":true", true}},
                       .limit = 4}));
  EXPECT_EQ(output.count, 2);
  EXPECT_EQ(output.scanned_count, 4);
  EXPECT_EQ(output.items->size(), 2U);
  EXPECT_EQ(output.last_evaluated_key, (Item{{"pk", "a"}, {"sk", 4}}));
}

TEST_F(Query, CountsWithoutItems) {
  const QueryOutput output =
      Must(db().Query({.table_name = "things",
                       .key_condition_expression = "pk = :pk",
                       .filter_expression = "odd = :true",
                       .expression_attribute_values = Map{{":pk", "a"}, {":true", true}},
                       .select = Select::kCount}));
  EXPECT_FALSE(output.items.has_value());
  EXPECT_EQ(output.count, 5);
  EXPECT_EQ(output.scanned_count, 9);
}

TEST_F(Query, ProjectsWhatTheFilterMayStillSee) {
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .key_condition_expression = "pk = :pk",
                      .filter_expression = "v > :v",
                      .projection_expression = "sk",
                      .expression_attribute_values = Map{{":pk", "a"}, {":v", 70}}}),
            (std::vector<Item>{{{"sk", 8}}, {{"sk", 9}}}));
}

TEST_F(Query, TakesSpecificAttributesWithAProjection) {
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .key_condition_expression = "pk = :pk",
                      .projection_expression = "pk",
                      .expression_attribute_values = Map{{":pk", "b"}},
                      .select = Select::kSpecificAttributes}),
            (std::vector<Item>{{{"pk", "b"}}}));
}

TEST_F(Query, BeginsWithSelectsAPrefix) {
  MakeTable({.name = "texts", .keys = "pk:S | sk:S"});
  for (const char* text : {"a", "ab", "abc", "abd", "ac", "b"}) {
    Put("texts", {{"pk", "p"}, {"sk", text}});
  }
  std::vector<std::string> found;
  for (const Item& item :
       QueryAll({.table_name = "texts",
                 .key_condition_expression = "pk = :pk AND begins_with(sk, :v)",
                 .expression_attribute_values = Map{{":pk", "p"}, {":v", "ab"}}})) {
    found.push_back(*item.at("sk").If<std::string>());
  }
  EXPECT_EQ(found, (std::vector<std::string>{"ab", "abc", "abd"}));
}

TEST_F(Query, BeginsWithTheHighestByteSelectsItsPrefix) {
  MakeTable({.name = "binaries", .keys = "pk:S | sk:B"});
  for (const char* bytes : {"\xFE", "\xFF", "\xFF\x01", "\xFF\xFF"}) {
    Put("binaries", {{"pk", "p"}, {"sk", Binary{bytes}}});
  }
  EXPECT_EQ(QueryAll({.table_name = "binaries",
                      .key_condition_expression = "pk = :pk AND begins_with(sk, :v)",
                      .expression_attribute_values = Map{{":pk", "p"}, {":v", Binary{"\xFF"}}}})
                .size(),
            3U);
}

TEST_F(Query, OrdersStringsAndBinariesByUnsignedBytes) {
  MakeTable({.name = "texts", .keys = "pk:S | sk:S"});
  const std::vector<std::string> in_order = {"A", "B", "a", "aa", "b", "\x7F", "é", "€", "😀"};
  for (auto text = in_order.rbegin(); text != in_order.rend(); ++text) {
    Put("texts", {{"pk", "p"}, {"sk", *text}});
  }
  std::vector<std::string> found;
  for (const Item& item : QueryAll({.table_name = "texts",
                                    .key_condition_expression = "pk = :pk",
                                    .expression_attribute_values = Map{{":pk", "p"}}})) {
    found.push_back(*item.at("sk").If<std::string>());
  }
  EXPECT_EQ(found, in_order);
}

TEST_F(Query, OfATableWithoutSortKeyFindsTheOneItem) {
  MakeTable({.name = "plain", .keys = "pk:S"});
  Put("plain", {{"pk", "a"}});
  Put("plain", {{"pk", "ab"}});
  EXPECT_EQ(QueryAll({.table_name = "plain",
                      .key_condition_expression = "pk = :pk",
                      .expression_attribute_values = Map{{":pk", "a"}}}),
            (std::vector<Item>{{{"pk", "a"}}}));
}

TEST_F(Query, SeesWritesAtOnce) {
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 5}}})));
  Put("things", {{"pk", "a"}, {"sk", N("4.5")}});
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .key_condition_expression = "pk = :pk AND sk BETWEEN :v AND :w",
                      .projection_expression = "sk",
                      .expression_attribute_values = Map{{":pk", "a"}, {":v", 4}, {":w", 6}}}),
            (std::vector<Item>{{{"sk", 4}}, {{"sk", N("4.5")}}, {{"sk", 6}}}));
}

}  // namespace
}  // namespace stator::contract
