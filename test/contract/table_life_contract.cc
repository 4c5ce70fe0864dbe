// DescribeTable, ListTables and DeleteTable, and names that are used again.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using DescribeTable = ContractTest;
using ListTables = ContractTest;
using DeleteTable = ContractTest;
using TableArns = ContractTest;

TEST_F(DescribeTable, NamesTheTableThatIsNotThere) {
  EXPECT_TRUE(Fails(db().DescribeTable({.table_name = "things"}), ErrorCode::kTableNotFound,
                    "Requested resource not found: Table: things not found"));
}

TEST_F(DescribeTable, CountsItemsAndBytes) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S", KeysOnly()}}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"text", Text(100)}});
  Put("things", {{"pk", "b"}, {"text", Text(10)}});
  TableDescription table = Describe("things");
  EXPECT_EQ(table.item_count, 2);
  EXPECT_EQ(table.table_size_bytes, (3 + 2 + 104) + (3 + 14));
  EXPECT_EQ(table.global_secondary_indexes->at(0).item_count, 1);
  EXPECT_EQ(table.global_secondary_indexes->at(0).index_size_bytes, 3 + 2);
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  table = Describe("things");
  EXPECT_EQ(table.item_count, 1);
  EXPECT_EQ(table.table_size_bytes, 17);
  EXPECT_EQ(table.global_secondary_indexes->at(0).item_count, 0);
  EXPECT_EQ(table.global_secondary_indexes->at(0).index_size_bytes, 0);
}

TEST_F(DescribeTable, CountsWhatTransactionsAndBatchesWrite) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(db().BatchWriteItem(
      {.request_items = {{"things", {PutRequest{{{"pk", "a"}}}, PutRequest{{{"pk", "b"}}}}}}})));
  ASSERT_TRUE(Succeeds(db().TransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "things", .item = {{"pk", "c"}}},
                          TransactDelete{.table_name = "things", .key = {{"pk", "a"}}}}})));
  EXPECT_EQ(Describe("things").item_count, 2);
}

TEST_F(ListTables, IsEmptyAtFirst) {
  const ListTablesOutput output = Must(db().ListTables({}));
  EXPECT_THAT(output.table_names, IsEmpty());
  EXPECT_FALSE(output.last_evaluated_table_name.has_value());
}

TEST_F(ListTables, IsInOrderOfNames) {
  for (const char* name : {"bbb", "aaa", "ccc", "Zzz"}) {
    MakeTable({.name = name, .keys = "pk:S"});
  }
  EXPECT_EQ(Must(db().ListTables({})).table_names,
            (std::vector<std::string>{"Zzz", "aaa", "bbb", "ccc"}));
}

TEST_F(ListTables, ComesInPages) {
  for (const char* name : {"aaa", "bbb", "ccc"}) {
    MakeTable({.name = name, .keys = "pk:S"});
  }
  const ListTablesOutput first = Must(db().ListTables({.limit = 2}));
  EXPECT_EQ(first.table_names, (std::vector<std::string>{"aaa", "bbb"}));
  EXPECT_EQ(first.last_evaluated_table_name, "bbb");
  const ListTablesOutput second = Must(
      db().ListTables({.exclusive_start_table_name = first.last_evaluated_table_name, .limit = 2}));
  EXPECT_EQ(second.table_names, std::vector<std::string>{"ccc"});
  EXPECT_FALSE(second.last_evaluated_table_name.has_value());
}

TEST_F(ListTables, BeginsBehindANameThatIsNoTable) {
  MakeTable({.name = "ccc", .keys = "pk:S"});
  EXPECT_EQ(Must(db().ListTables({.exclusive_start_table_name = "bbb"})).table_names,
            std::vector<std::string>{"ccc"});
}

TEST_F(ListTables, RefusesALimitOutOfRange) {
  EXPECT_TRUE(Refused(db().ListTables({.limit = 0}),
                      "1 validation error detected: Value '0' at 'limit' failed to satisfy "
                      "constraint: Member must have value greater than or equal to 1"));
  EXPECT_TRUE(Refused(db().ListTables({.limit = 101}),
                      "1 validation error detected: Value '101' at 'limit' failed to satisfy "
                      "constraint: Member must have value less than or equal to 100"));
}

TEST_F(DeleteTable, AnswersWithoutTheSchema) {
  MakeTable({.name = "things",
             .keys = "pk:S | sk:S",
             .local = {{"by_l", "pk:S | l:S"}},
             .global = {{"by_g", "g:S"}}});
  const auto deleted = Must(db().DeleteTable({.table_name = "things"})).table_description;
  EXPECT_EQ(deleted.table_name, "things");
  EXPECT_EQ(deleted.table_status, TableStatus::kDeleting);
  EXPECT_FALSE(deleted.key_schema.has_value());
  EXPECT_FALSE(deleted.attribute_definitions.has_value());
  EXPECT_FALSE(deleted.local_secondary_indexes.has_value());
  EXPECT_FALSE(deleted.global_secondary_indexes.has_value());
}

TEST_F(DeleteTable, MakesTheTableUnknown) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  home().Settle();
  EXPECT_TRUE(Fails(db().DescribeTable({.table_name = "things"}), ErrorCode::kTableNotFound,
                    "Requested resource not found: Table: things not found"));
  EXPECT_TRUE(Fails(db().GetItem({.table_name = "things", .key = {{"pk", "a"}}}),
                    ErrorCode::kTableNotFound, "Requested resource not found"));
  EXPECT_THAT(Must(db().ListTables({})).table_names, IsEmpty());
}

TEST_F(DeleteTable, NamesTheTableThatIsNotThere) {
  EXPECT_TRUE(Fails(db().DeleteTable({.table_name = "things"}), ErrorCode::kTableNotFound,
                    "Requested resource not found: Table: things not found"));
}

TEST_F(DeleteTable, IsRefusedWhileTheTableIsProtected) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  input.deletion_protection_enabled = true;
  MakeTable(input);
  EXPECT_TRUE(Refused(db().DeleteTable({.table_name = "things"}),
                      "Resource cannot be deleted as it is currently protected against deletion. "
                      "Disable deletion protection first."));
  ASSERT_TRUE(
      Succeeds(db().UpdateTable({.table_name = "things", .deletion_protection_enabled = false})));
  home().Settle();
  EXPECT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
}

TEST_F(DeleteTable, ATableOfTheSameNameBeginsEmpty) {
  const TableShape shape{.name = "things", .keys = "pk:S | sk:N", .global = {{"by_g", "g:S"}}};
  MakeTable(shape);
  const std::string first_id = Describe("things").table_id;
  for (int number = 0; number < 300; ++number) {
    Put("things", {{"pk", "a"}, {"sk", number}, {"g", "x"}});
  }
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  MakeTable(shape);
  EXPECT_NE(Describe("things").table_id, first_id);
  EXPECT_EQ(Describe("things").item_count, 0);
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
  EXPECT_THAT(ScanAll({.table_name = "things", .index_name = "by_g"}), IsEmpty());
  Put("things", {{"pk", "a"}, {"sk", 7}});
  home().Settle();
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 1U);
}

TEST_F(DeleteTable, ATableOfTheSameNameMayHaveOtherKeys) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  MakeTable({.name = "things", .keys = "id:N | at:B"});
  Put("things", {{"id", 1}, {"at", Binary{"x"}}});
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 1U);
}

TEST_F(DeleteTable, LeavesOtherTablesAlone) {
  MakeTable({.name = "things", .keys = "pk:S"});
  MakeTable({.name = "others", .keys = "pk:S"});
  Put("things", {{"pk", "a"}});
  Put("others", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  home().Settle();
  EXPECT_TRUE(Get("others", {{"pk", "a"}}).has_value());
}

TEST_F(TableArns, StandForTheNameInEveryOperation) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string arn = Describe("things").table_arn;
  EXPECT_EQ(Describe(arn).table_name, "things");
  Put(arn, {{"pk", "a"}});
  EXPECT_TRUE(Get(arn, {{"pk", "a"}}).has_value());
  EXPECT_TRUE(Succeeds(db().UpdateItem({.table_name = arn, .key = {{"pk", "a"}}})));
  EXPECT_EQ(ScanAll({.table_name = arn}).size(), 1U);
  EXPECT_EQ(QueryAll({.table_name = arn,
                      .key_condition_expression = "pk = :a",
                      .expression_attribute_values = Map{{":a", "a"}}})
                .size(),
            1U);
  const auto batch = Must(db().BatchGetItem({.request_items = {{arn, {.keys = {{{"pk", "a"}}}}}}}));
  EXPECT_EQ(batch.responses.at(arn).size(), 1U);
  EXPECT_TRUE(
      Succeeds(db().BatchWriteItem({.request_items = {{arn, {PutRequest{{{"pk", "b"}}}}}}})));
  EXPECT_TRUE(Succeeds(
      db().TransactGetItems({.transact_items = {{.table_name = arn, .key = {{"pk", "a"}}}}})));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(
      {.transact_items = {TransactDelete{.table_name = arn, .key = {{"pk", "b"}}}}})));
  EXPECT_TRUE(Succeeds(db().DescribeTimeToLive({.table_name = arn})));
  EXPECT_TRUE(Succeeds(db().DescribeContinuousBackups({.table_name = arn})));
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = arn, .key = {{"pk", "a"}}})));
  EXPECT_TRUE(Succeeds(db().DeleteTable({.table_name = arn})));
}

TEST_F(TableArns, OneItemUnderBothNamesIsOneItem) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const std::string arn = Describe("things").table_arn;
  EXPECT_TRUE(
      Refused(db().TransactWriteItems(
                  {.transact_items = {TransactPut{.table_name = arn, .item = {{"pk", "a"}}},
                                      TransactPut{.table_name = "things", .item = {{"pk", "a"}}}}}),
              "Transaction request cannot include multiple operations on one item"));
}

TEST_F(TableArns, OfNoTableAreNotFound) {
  EXPECT_TRUE(
      FailsWith(db().GetItem({.table_name = "arn:aws:dynamodb:us-east-1:000000000000:table/things",
                              .key = {{"pk", "a"}}}),
                ErrorCode::kTableNotFound));
}

}  // namespace
}  // namespace stator::contract
