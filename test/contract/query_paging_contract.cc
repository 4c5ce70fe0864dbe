// Query: pages, by count and by size, in both directions.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class QueryPaging : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S | sk:N"}); }

  void Fill(int count, std::size_t bytes = 1) {
    for (int number = 1; number <= count; ++number) {
      Put("things", {{"pk", "a"}, {"sk", number}, {"text", Text(bytes)}});
    }
  }

  [[nodiscard]] static QueryInput Everything() {
    return {.table_name = "things",
            .key_condition_expression = "pk = :pk",
            .expression_attribute_values = Map{{":pk", "a"}}};
  }
};

TEST_F(QueryPaging, PagesJoinToTheWholeInBothDirections) {
  Fill(10);
  const std::vector<Item> whole = QueryAll(Everything());
  ASSERT_EQ(whole.size(), 10U);
  for (const std::int32_t limit : {1, 2, 3, 7, 10, 11}) {
    QueryInput input = Everything();
    input.limit = limit;
    EXPECT_EQ(QueryAll(input), whole) << limit;
    input.scan_index_forward = false;
    EXPECT_EQ(QueryAll(input), (std::vector<Item>(whole.rbegin(), whole.rend()))) << limit;
  }
}

TEST_F(QueryPaging, AFullPageHasALastKeyEvenAtTheEnd) {
  Fill(2);
  QueryInput input = Everything();
  input.limit = 2;
  const QueryOutput first = Must(db().Query(input));
  EXPECT_EQ(first.count, 2);
  EXPECT_EQ(first.last_evaluated_key, (Item{{"pk", "a"}, {"sk", 2}}));
  input.exclusive_start_key = first.last_evaluated_key;
  const QueryOutput second = Must(db().Query(input));
  EXPECT_EQ(second.count, 0);
  EXPECT_FALSE(second.last_evaluated_key.has_value());
}

TEST_F(QueryPaging, AnUnfilledPageHasNone) {
  Fill(2);
  QueryInput input = Everything();
  input.limit = 3;
  EXPECT_FALSE(Must(db().Query(input)).last_evaluated_key.has_value());
}

TEST_F(QueryPaging, StaysWithinTheCondition) {
  Fill(9);
  QueryInput input = Everything();
  input.key_condition_expression = "pk = :pk AND sk BETWEEN :v AND :w";
  input.expression_attribute_values = Map{{":pk", "a"}, {":v", 3}, {":w", 7}};
  input.limit = 2;
  EXPECT_EQ(QueryAll(input).size(), 5U);
  input.scan_index_forward = false;
  const std::vector<Item> backward = QueryAll(input);
  ASSERT_EQ(backward.size(), 5U);
  EXPECT_EQ(backward.front().at("sk"), AttributeValue(7));
  EXPECT_EQ(backward.back().at("sk"), AttributeValue(3));
}

TEST_F(QueryPaging, GoesOnBehindAnItemThatIsGone) {
  Fill(4);
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 2}}})));
  QueryInput input = Everything();
  input.exclusive_start_key = Item{{"pk", "a"}, {"sk", 2}};
  EXPECT_EQ(QueryAll(input).size(), 2U);
  input.scan_index_forward = false;
  EXPECT_EQ(QueryAll(input).size(), 1U);
}

TEST_F(QueryPaging, FilteredPagesMayBeEmptyAndGoOn) {
  Fill(5);
  QueryInput input = Everything();
  input.filter_expression = "colour = :no";
  input.expression_attribute_values->Set(":no", "no");
  input.limit = 2;
  const QueryOutput page = Must(db().Query(input));
  EXPECT_EQ(page.count, 0);
  EXPECT_EQ(page.scanned_count, 2);
  EXPECT_TRUE(page.last_evaluated_key.has_value());
  EXPECT_TRUE(QueryAll(input).empty());
}

TEST_F(QueryPaging, APageEndsWithTheItemThatReachesAMegabyte) {
  Fill(6, 300'000);
  const QueryOutput first = Must(db().Query(Everything()));
  EXPECT_EQ(first.count, 4);
  EXPECT_EQ(first.last_evaluated_key, (Item{{"pk", "a"}, {"sk", 4}}));
  EXPECT_EQ(QueryAll(Everything()).size(), 6U);
}

TEST_F(QueryPaging, TheMegabyteCountsBeforeFilterAndProjection) {
  Fill(6, 300'000);
  QueryInput input = Everything();
  input.filter_expression = "sk2 = :no";
  input.projection_expression = "sk";
  input.expression_attribute_values->Set(":no", "no");
  const QueryOutput page = Must(db().Query(input));
  EXPECT_EQ(page.count, 0);
  EXPECT_EQ(page.scanned_count, 4);
  EXPECT_TRUE(page.last_evaluated_key.has_value());
}

TEST_F(QueryPaging, AMegabyteOfCountsIsAPageToo) {
  Fill(6, 300'000);
  QueryInput input = Everything();
  input.select = Select::kCount;
  const QueryOutput page = Must(db().Query(input));
  EXPECT_EQ(page.count, 4);
  EXPECT_FALSE(page.items.has_value());
  EXPECT_TRUE(page.last_evaluated_key.has_value());
}

TEST_F(QueryPaging, SmallItemsAllFitOnOnePage) {
  Fill(100, 100);
  const QueryOutput page = Must(db().Query(Everything()));
  EXPECT_EQ(page.count, 100);
  EXPECT_FALSE(page.last_evaluated_key.has_value());
}

}  // namespace
}  // namespace stator::contract
