// Pages of an index: many items with equal index keys are neither repeated nor skipped, in both
// directions, whatever the page size.

#include <algorithm>

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class IndexPaging : public ContractTest {
 protected:
  // Reads the index by pages of every size and compares with the whole, forward and backward.
  void CheckPages(QueryInput input, std::size_t expected) {
    const std::vector<Item> whole = QueryAll(input);
    ASSERT_EQ(whole.size(), expected);
    for (const std::int32_t limit : {1, 2, 3, 5, 8}) {
      input.limit = limit;
      input.scan_index_forward = true;
      EXPECT_EQ(QueryAll(input), whole) << "limit " << limit;
      input.scan_index_forward = false;
      EXPECT_EQ(QueryAll(input), (std::vector<Item>(whole.rbegin(), whole.rend())))
          << "backward, limit " << limit;
    }
  }
};

TEST_F(IndexPaging, TiesInAGlobalIndexWithoutSortKey) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  for (int number = 0; number < 20; ++number) {
    Put("things", {{"pk", "p" + std::to_string(number)}, {"g", number % 2 == 0 ? "x" : "y"}});
  }
  CheckPages({.table_name = "things",
              .index_name = "by_g",
              .key_condition_expression = "g = :g",
              .expression_attribute_values = Map{{":g", "x"}}},
             10);
}

TEST_F(IndexPaging, TiesInAGlobalIndexWithSortKey) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N", .global = {{"by_g", "g:S | h:N"}}});
  for (int number = 0; number < 24; ++number) {
    Put("things",
        {{"pk", "p" + std::to_string(number % 3)}, {"sk", number}, {"g", "x"}, {"h", number / 8}});
  }
  CheckPages({.table_name = "things",
              .index_name = "by_g",
              .key_condition_expression = "g = :g",
              .expression_attribute_values = Map{{":g", "x"}}},
             24);
  CheckPages({.table_name = "things",
              .index_name = "by_g",
              .key_condition_expression = "g = :g AND h = :h",
              .expression_attribute_values = Map{{":g", "x"}, {":h", 1}}},
             8);
  CheckPages({.table_name = "things",
              .index_name = "by_g",
              .key_condition_expression = "g = :g AND h >= :h",
              .expression_attribute_values = Map{{":g", "x"}, {":h", 1}}},
             16);
}

TEST_F(IndexPaging, TiesInALocalIndex) {
  MakeTable({.name = "things", .keys = "pk:S | sk:S", .local = {{"by_l", "pk:S | l:S"}}});
  for (int number = 0; number < 15; ++number) {
    Put("things", {{"pk", "a"}, {"sk", "s" + std::to_string(number)}, {"l", "same"}});
  }
  CheckPages({.table_name = "things",
              .index_name = "by_l",
              .key_condition_expression = "pk = :pk AND l = :l",
              .expression_attribute_values = Map{{":pk", "a"}, {":l", "same"}}},
             15);
}

TEST_F(IndexPaging, TheLastKeyHasTableKeyAndIndexKey) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N", .global = {{"by_g", "g:S | h:N"}}});
  Put("things", {{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"h", 2}, {"v", 3}});
  const QueryOutput page = Must(db().Query({.table_name = "things",
                                            .index_name = "by_g",
                                            .key_condition_expression = "g = :g",
                                            .projection_expression = "v",
                                            .expression_attribute_values = Map{{":g", "x"}},
                                            .limit = 1}));
  EXPECT_EQ(page.items, (std::vector<Item>{{{"v", 3}}}));
  EXPECT_EQ(page.last_evaluated_key, (Item{{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"h", 2}}));
}

TEST_F(IndexPaging, AnIndexOnATableKeyNamesItOnce) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N", .global = {{"by_sk", "sk:N"}}});
  Put("things", {{"pk", "a"}, {"sk", 1}});
  const QueryOutput page = Must(db().Query({.table_name = "things",
                                            .index_name = "by_sk",
                                            .key_condition_expression = "sk = :n",
                                            .expression_attribute_values = Map{{":n", 1}},
                                            .limit = 1}));
  EXPECT_EQ(page.last_evaluated_key, (Item{{"pk", "a"}, {"sk", 1}}));
}

TEST_F(IndexPaging, TheLongestKeysPageToo) {
  MakeTable({.name = "things", .keys = "pk:S | sk:S", .global = {{"by_g", "g:S | h:S"}}});
  for (const char* end : {"a", "b", "c"}) {
    Put("things",
        {{"pk", Text(2047) + end}, {"sk", Text(1023) + end}, {"g", Text(2048)}, {"h", Text(1024)}});
  }
  CheckPages({.table_name = "things",
              .index_name = "by_g",
              .key_condition_expression = "g = :g",
              .expression_attribute_values = Map{{":g", Text(2048)}}},
             3);
}

TEST_F(IndexPaging, ScansOfAnIndexPageToo) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S", KeysOnly()}}});
  for (int number = 0; number < 30; ++number) {
    Put("things", {{"pk", "p" + std::to_string(number)}, {"g", std::to_string(number % 4)}});
  }
  const std::vector<Item> whole = ScanAll({.table_name = "things", .index_name = "by_g"});
  EXPECT_EQ(whole.size(), 30U);
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "by_g", .limit = 4}), whole);
}

TEST_F(IndexPaging, GoesOnWhereItWasWhenItemsMove) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S | h:N"}}});
  for (int number = 0; number < 6; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"g", "x"}, {"h", number}});
  }
  QueryInput input{.table_name = "things",
                   .index_name = "by_g",
                   .key_condition_expression = "g = :g",
                   .expression_attribute_values = Map{{":g", "x"}},
                   .limit = 3};
  const QueryOutput first = Must(db().Query(input));
  // The item at which the page ended leaves, and one that was read comes back behind it.
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "2"}}})));
  Put("things", {{"pk", "0"}, {"g", "x"}, {"h", 9}});
  input.exclusive_start_key = first.last_evaluated_key;
  input.limit.reset();
  std::vector<std::string> rest;
  for (const Item& item : QueryAll(input)) {
    rest.push_back(*item.at("pk").If<std::string>());
  }
  EXPECT_EQ(rest, (std::vector<std::string>{"3", "4", "5", "0"}));
}

}  // namespace
}  // namespace stator::contract
