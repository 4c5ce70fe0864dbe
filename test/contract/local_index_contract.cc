// Local indexes: the same partition in another order, with the table behind it.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class LocalIndexes : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .local = {{"keys", "pk:S | l:N", KeysOnly()},
                         {"some", "pk:S | l:N", Include({"v"})},
                         {"all", "pk:S | l:N"}}});
    Put("things", {{"pk", "a"}, {"sk", 1}, {"l", 30}, {"v", 1}, {"w", "one"}});
    Put("things", {{"pk", "a"}, {"sk", 2}, {"l", 20}, {"v", 2}, {"w", "two"}});
    Put("things", {{"pk", "a"}, {"sk", 3}, {"v", 3}});
    Put("things", {{"pk", "b"}, {"sk", 1}, {"l", 10}});
  }

  [[nodiscard]] static QueryInput In(const char* index) {
    return {.table_name = "things",
            .index_name = index,
            .key_condition_expression = "pk = :pk",
            .expression_attribute_values = Map{{":pk", "a"}}};
  }
};

TEST_F(LocalIndexes, ReorderThePartition) {
  QueryInput input = In("all");
  input.projection_expression = "sk";
  EXPECT_EQ(QueryAll(input), (std::vector<Item>{{{"sk", 2}}, {{"sk", 1}}}));
  input.scan_index_forward = false;
  EXPECT_EQ(QueryAll(input), (std::vector<Item>{{{"sk", 1}}, {{"sk", 2}}}));
}

TEST_F(LocalIndexes, ReturnWhatTheyProjectByDefault) {
  EXPECT_EQ(QueryAll(In("keys")), (std::vector<Item>{{{"pk", "a"}, {"sk", 2}, {"l", 20}},
                                                     {{"pk", "a"}, {"sk", 1}, {"l", 30}}}));
  EXPECT_EQ(QueryAll(In("some")),
            (std::vector<Item>{{{"pk", "a"}, {"sk", 2}, {"l", 20}, {"v", 2}},
                               {{"pk", "a"}, {"sk", 1}, {"l", 30}, {"v", 1}}}));
}

TEST_F(LocalIndexes, FetchTheRestWhenAllAttributesAreWanted) {
  QueryInput input = In("keys");
  input.select = Select::kAllAttributes;
  EXPECT_EQ(QueryAll(input),
            (std::vector<Item>{{{"pk", "a"}, {"sk", 2}, {"l", 20}, {"v", 2}, {"w", "two"}},
                               {{"pk", "a"}, {"sk", 1}, {"l", 30}, {"v", 1}, {"w", "one"}}}));
}

TEST_F(LocalIndexes, FetchWhatAProjectionNames) {
  QueryInput input = In("some");
  input.projection_expression = "w, sk";
  EXPECT_EQ(QueryAll(input),
            (std::vector<Item>{{{"sk", 2}, {"w", "two"}}, {{"sk", 1}, {"w", "one"}}}));
}

TEST_F(LocalIndexes, CompareTheirOwnSortKey) {
  QueryInput input = In("all");
  input.key_condition_expression = "pk = :pk AND l > :l";
  input.expression_attribute_values->Set(":l", 20);
  EXPECT_EQ(QueryAll(input).size(), 1U);
  input.key_condition_expression = "pk = :pk AND sk > :l";
  EXPECT_TRUE(Refused(db().Query(input), "Query condition missed key schema element: l"));
}

TEST_F(LocalIndexes, CanBeReadConsistently) {
  QueryInput input = In("keys");
  input.consistent_read = true;
  EXPECT_EQ(QueryAll(input).size(), 2U);
}

TEST_F(LocalIndexes, CanBeScanned) {
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "keys"}).size(), 3U);
  EXPECT_EQ(
      ScanAll({.table_name = "things", .index_name = "keys", .select = Select::kAllAttributes})
          .size(),
      3U);
}

TEST_F(LocalIndexes, FollowEveryWrite) {
  ASSERT_TRUE(Succeeds(db().UpdateItem({.table_name = "things",
                                        .key = {{"pk", "a"}, {"sk", 3}},
                                        .update_expression = "SET l = :l",
                                        .expression_attribute_values = Map{{":l", 25}}})));
  QueryInput input = In("keys");
  input.projection_expression = "sk";
  EXPECT_EQ(QueryAll(input), (std::vector<Item>{{{"sk", 2}}, {{"sk", 3}}, {{"sk", 1}}}));
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 2}}})));
  EXPECT_EQ(QueryAll(input), (std::vector<Item>{{{"sk", 3}}, {{"sk", 1}}}));
}

}  // namespace
}  // namespace stator::contract
