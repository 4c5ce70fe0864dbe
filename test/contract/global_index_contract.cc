// Global indexes: which items are in them, with which attributes, and what writes they refuse.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using GlobalIndexes = ContractTest;

TEST_F(GlobalIndexes, HoldOnlyItemsThatHaveTheirKeys) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S | h:N"}}});
  Put("things", {{"pk", "both"}, {"g", "x"}, {"h", 1}});
  Put("things", {{"pk", "partition"}, {"g", "x"}});
  Put("things", {{"pk", "sort"}, {"h", 1}});
  Put("things", {{"pk", "none"}});
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "by_g"}),
            (std::vector<Item>{{{"pk", "both"}, {"g", "x"}, {"h", 1}}}));
}

TEST_F(GlobalIndexes, FollowEveryWrite) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  const auto in = [&](const char* value) {
    return QueryAll({.table_name = "things",
                     .index_name = "by_g",
                     .key_condition_expression = "g = :g",
                     .expression_attribute_values = Map{{":g", value}}})
        .size();
  };
  Put("things", {{"pk", "a"}, {"g", "x"}});
  EXPECT_EQ(in("x"), 1U);
  Put("things", {{"pk", "a"}, {"g", "y"}});
  EXPECT_EQ(in("x"), 0U);
  EXPECT_EQ(in("y"), 1U);
  ASSERT_TRUE(Succeeds(db().UpdateItem(
      {.table_name = "things", .key = {{"pk", "a"}}, .update_expression = "REMOVE g"})));
  EXPECT_EQ(in("y"), 0U);
  ASSERT_TRUE(Succeeds(db().UpdateItem({.table_name = "things",
                                        .key = {{"pk", "a"}},
                                        .update_expression = "SET g = :x",
                                        .expression_attribute_values = Map{{":x", "x"}}})));
  EXPECT_EQ(in("x"), 1U);
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_EQ(in("x"), 0U);
}

TEST_F(GlobalIndexes, FollowAttributesThatAreNoKeys) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S", Include({"v"})}}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"v", 1}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"v", 2}, {"w", 3}});
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "by_g"}),
            (std::vector<Item>{{{"pk", "a"}, {"g", "x"}, {"v", 2}}}));
}

TEST_F(GlobalIndexes, ProjectKeysSomeOrAll) {
  MakeTable({.name = "things",
             .keys = "pk:S | sk:N",
             .global = {{"keys", "g:S", KeysOnly()},
                        {"some", "g:S", Include({"v", "missing"})},
                        {"all", "g:S"}}});
  const Item item{{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"v", List{1}}, {"w", 2}};
  Put("things", item);
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "keys"}),
            (std::vector<Item>{{{"pk", "a"}, {"sk", 1}, {"g", "x"}}}));
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "some"}),
            (std::vector<Item>{{{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"v", List{1}}}}));
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "all"}), std::vector<Item>{item});
}

TEST_F(GlobalIndexes, ReturnOnlyWhatTheyProject) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S", Include({"v"})}}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"v", 1}, {"w", 2}});
  QueryInput input{.table_name = "things",
                   .index_name = "by_g",
                   .key_condition_expression = "g = :g",
                   .expression_attribute_values = Map{{":g", "x"}},
                   .select = Select::kAllAttributes};
  EXPECT_TRUE(Refused(db().Query(input),
                      "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is "
                      "not supported for global secondary index by_g because its projection type "
                      "is not ALL"));
  input.select.reset();
  input.projection_expression = "v, w, u";
  EXPECT_TRUE(Refused(db().Query(input),
                      "One or more parameter values were invalid: Global secondary index by_g does "
                      "not project [u, w]"));
  input.projection_expression = "v";
  EXPECT_EQ(QueryAll(input), (std::vector<Item>{{{"v", 1}}}));
}

TEST_F(GlobalIndexes, OnTheTablesOwnKeysTurnItAround) {
  MakeTable({.name = "things", .keys = "pk:S | sk:S", .global = {{"inverted", "sk:S | pk:S"}}});
  Put("things", {{"pk", "a"}, {"sk", "x"}});
  Put("things", {{"pk", "b"}, {"sk", "x"}});
  Put("things", {{"pk", "b"}, {"sk", "y"}});
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .index_name = "inverted",
                      .key_condition_expression = "sk = :x",
                      .expression_attribute_values = Map{{":x", "x"}},
                      .limit = 1}),
            (std::vector<Item>{{{"pk", "a"}, {"sk", "x"}}, {{"pk", "b"}, {"sk", "x"}}}));
}

class IndexKeyChecks : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:S",
               .local = {{"by_l", "pk:S | l:N"}},
               .global = {{"by_g", "g:S | h:B"}}});
  }
  [[nodiscard]] Result<PutItemOutput> PutWith(const std::string& name, AttributeValue value) {
    return db().PutItem(
        {.table_name = "things", .item = {{"pk", "a"}, {"sk", "b"}, {name, std::move(value)}}});
  }
  [[nodiscard]] Result<UpdateItemOutput> UpdateWith(const std::string& name, AttributeValue value) {
    return db().UpdateItem({.table_name = "things",
                            .key = {{"pk", "a"}, {"sk", "b"}},
                            .update_expression = "SET " + name + " = :v",
                            .expression_attribute_values = Map{{":v", std::move(value)}}});
  }
};

TEST_F(IndexKeyChecks, RefuseAnotherType) {
  EXPECT_TRUE(Refused(PutWith("g", 1),
                      "One or more parameter values were invalid: Type mismatch for Index Key g "
                      "Expected: S Actual: N IndexName: by_g"));
  EXPECT_TRUE(Refused(PutWith("h", "text"),
                      "One or more parameter values were invalid: Type mismatch for Index Key h "
                      "Expected: B Actual: S IndexName: by_g"));
  EXPECT_TRUE(Refused(PutWith("l", "1"),
                      "One or more parameter values were invalid: Type mismatch for Index Key l "
                      "Expected: N Actual: S IndexName: by_l"));
  EXPECT_TRUE(Refused(PutWith("g", Null{}),
                      "One or more parameter values were invalid: Type mismatch for Index Key g "
                      "Expected: S Actual: NULL IndexName: by_g"));
  EXPECT_TRUE(Refused(UpdateWith("g", 1),
                      "One or more parameter values were invalid: Type mismatch for Index Key g "
                      "Expected: S Actual: N IndexName: by_g"));
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(IndexKeyChecks, RefuseEmptyValues) {
  EXPECT_TRUE(Refused(PutWith("g", ""),
                      "One or more parameter values are not valid. A value specified for a "
                      "secondary index key is not supported. The AttributeValue for a key "
                      "attribute cannot contain an empty string value. IndexName: by_g, IndexKey: "
                      "g"));
  EXPECT_TRUE(FailsWith(PutWith("h", Binary{""}), ErrorCode::kValidation));
  EXPECT_TRUE(Refused(UpdateWith("g", ""),
                      "One or more parameter values are not valid. The update expression attempted "
                      "to update a secondary index key to a value that is not supported. The "
                      "AttributeValue for a key attribute cannot contain an empty string value."));
}

TEST_F(IndexKeyChecks, RefuseTooLongValues) {
  EXPECT_TRUE(Succeeds(PutWith("g", Text(2048))));
  EXPECT_TRUE(FailsWith(PutWith("g", Text(2049)), ErrorCode::kValidation));
  EXPECT_TRUE(Succeeds(PutWith("h", Binary{Text(1024)})));
  EXPECT_TRUE(FailsWith(PutWith("h", Binary{Text(1025)}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(UpdateWith("g", Text(2049)), ErrorCode::kValidation));
}

TEST_F(IndexKeyChecks, HoldInBatchesAndTransactions) {
  EXPECT_TRUE(Refused(
      db().BatchWriteItem(
          {.request_items = {{"things", {PutRequest{{{"pk", "a"}, {"sk", "b"}, {"g", 1}}}}}}}),
      "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S "
      "Actual: N IndexName: by_g"));
  const auto canceled = db().TransactWriteItems(
      {.transact_items = {
           TransactPut{.table_name = "things", .item = {{"pk", "a"}, {"sk", "b"}, {"g", 1}}}}});
  EXPECT_TRUE(FailsWith(canceled, ErrorCode::kTransactionCanceled));
  ASSERT_EQ(ReasonsIn(canceled).size(), 1U);
  EXPECT_EQ(ReasonsIn(canceled)[0].code, "ValidationError");
}

TEST_F(IndexKeyChecks, UpdatesByComputationAreCheckedToo) {
  Put("things", {{"pk", "a"}, {"sk", "b"}, {"n", 1}});
  EXPECT_TRUE(FailsWith(db().UpdateItem({.table_name = "things",
                                         .key = {{"pk", "a"}, {"sk", "b"}},
                                         .update_expression = "SET g = n"}),
                        ErrorCode::kValidation));
  EXPECT_EQ(Get("things", {{"pk", "a"}, {"sk", "b"}}), (Item{{"pk", "a"}, {"sk", "b"}, {"n", 1}}));
}

}  // namespace
}  // namespace stator::contract
