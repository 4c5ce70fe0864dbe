// UpdateTable: global indexes added to, changed on and removed from a table with items.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using Updates = std::vector<GlobalSecondaryIndexUpdate>;

class UpdateTableIndex : public ContractTest {
 protected:
  [[nodiscard]] Result<UpdateTableOutput> AddIndex(const IndexShape& shape) {
    auto result = db().UpdateTable({.table_name = "things",
                                    .attribute_definitions = Definitions(shape.keys),
                                    .global_secondary_index_updates = Updates{GlobalIndex(shape)}});
    return result;
  }
  [[nodiscard]] Result<UpdateTableOutput> DropIndex(const std::string& name) {
    return db().UpdateTable(
        {.table_name = "things",
         .global_secondary_index_updates = Updates{DeleteGlobalSecondaryIndexAction{name}}});
  }
  [[nodiscard]] std::vector<Item> Entries(const std::string& index) {
    return ScanAll({.table_name = "things", .index_name = index});
  }
};

TEST_F(UpdateTableIndex, ANewIndexIsBeingCreatedAtFirst) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const auto updated = Must(AddIndex({"by_g", "g:S"})).table_description;
  EXPECT_EQ(updated.table_status, TableStatus::kUpdating);
  ASSERT_TRUE(updated.global_secondary_indexes.has_value());
  EXPECT_EQ(updated.global_secondary_indexes->at(0).index_status, IndexStatus::kCreating);
  home().Settle();
  const TableDescription table = Describe("things");
  EXPECT_EQ(table.global_secondary_indexes->at(0).index_status, IndexStatus::kActive);
  EXPECT_FALSE(table.global_secondary_indexes->at(0).backfilling.value_or(false));
  EXPECT_EQ(table.attribute_definitions, Definitions("pk:S g:S"));
}

TEST_F(UpdateTableIndex, BackfillFindsEveryItemThatBelongs) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N"});
  for (int number = 0; number < 450; ++number) {
    Item item{{"pk", "p" + std::to_string(number % 7)}, {"sk", number}, {"other", "x"}};
    if (number % 3 != 0) {
      item.Set("g", "g" + std::to_string(number % 5));
    }
    Put("things", item);
  }
  ASSERT_TRUE(Succeeds(AddIndex({"by_g", "g:S | sk:N", KeysOnly()})));
  home().Settle();
  EXPECT_EQ(Entries("by_g").size(), 300U);
  const auto index = Describe("things").global_secondary_indexes->at(0);
  EXPECT_EQ(index.item_count, 300);
  const std::vector<Item> found =
      QueryAll({.table_name = "things",
                .index_name = "by_g",
                .key_condition_expression = "g = :g AND sk < :n",
                .expression_attribute_values = Map{{":g", "g1"}, {":n", 12}}});
  EXPECT_EQ(found, (std::vector<Item>{{{"pk", "p1"}, {"sk", 1}, {"g", "g1"}},
                                      {{"pk", "p4"}, {"sk", 11}, {"g", "g1"}}}));
}

TEST_F(UpdateTableIndex, BackfillSkipsItemsWhoseValueCannotBeAKey) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "good"}, {"g", "x"}});
  Put("things", {{"pk", "number"}, {"g", 1}});
  Put("things", {{"pk", "null"}, {"g", Null{}}});
  Put("things", {{"pk", "empty"}, {"g", ""}});
  Put("things", {{"pk", "long"}, {"g", Text(2049)}});
  ASSERT_TRUE(Succeeds(AddIndex({"by_g", "g:S"})));
  home().Settle();
  EXPECT_EQ(Entries("by_g"), (std::vector<Item>{{{"pk", "good"}, {"g", "x"}}}));
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 5U);
}

TEST_F(UpdateTableIndex, AnItemThatBackfillSkippedCanStillBeChanged) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "a"}, {"g", 1}});
  ASSERT_TRUE(Succeeds(AddIndex({"by_g", "g:S"})));
  home().Settle();
  EXPECT_TRUE(Succeeds(db().UpdateItem({.table_name = "things",
                                        .key = {{"pk", "a"}},
                                        .update_expression = "SET g = :g",
                                        .expression_attribute_values = Map{{":g", "x"}}})));
  EXPECT_EQ(Entries("by_g").size(), 1U);
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_THAT(Entries("by_g"), IsEmpty());
}

TEST_F(UpdateTableIndex, WritesAfterwardsKeepTheIndex) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "a"}, {"g", "x"}});
  ASSERT_TRUE(Succeeds(AddIndex({"by_g", "g:S"})));
  home().Settle();
  Put("things", {{"pk", "a"}, {"g", "y"}});
  Put("things", {{"pk", "b"}, {"g", "y"}});
  EXPECT_EQ(Entries("by_g").size(), 2U);
  EXPECT_EQ(Describe("things").global_secondary_indexes->at(0).item_count, 2);
}

TEST_F(UpdateTableIndex, RemovesAnIndexAndItsDefinitions) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}, {"by_h", "h:N | g:S"}}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"h", 1}});
  const auto updated = Must(DropIndex("by_h")).table_description;
  EXPECT_EQ(updated.global_secondary_indexes->at(1).index_status, IndexStatus::kDeleting);
  home().Settle();
  const TableDescription table = Describe("things");
  ASSERT_EQ(table.global_secondary_indexes->size(), 1U);
  EXPECT_EQ(table.attribute_definitions, Definitions("pk:S g:S"));
  EXPECT_TRUE(Fails(db().Scan({.table_name = "things", .index_name = "by_h"}),
                    ErrorCode::kIndexNotFound,
                    "The table does not have the specified index: by_h"));
  EXPECT_EQ(Entries("by_g").size(), 1U);
  Put("things", {{"pk", "b"}, {"h", "no longer a key"}});
}

TEST_F(UpdateTableIndex, AnIndexOfTheSameNameBeginsAnew) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  Put("things", {{"pk", "a"}, {"g", "x"}, {"h", 1}});
  Put("things", {{"pk", "b"}, {"g", "x"}});
  ASSERT_TRUE(Succeeds(DropIndex("by_g")));
  home().Settle();
  EXPECT_FALSE(Describe("things").global_secondary_indexes.has_value());
  ASSERT_TRUE(Succeeds(AddIndex({"by_g", "h:N"})));
  home().Settle();
  EXPECT_EQ(Entries("by_g").size(), 1U);
}

TEST_F(UpdateTableIndex, RefusesTwoChangesOfTheIndexSetAtOnce) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_TRUE(Fails(
      db().UpdateTable(
          {.table_name = "things",
           .attribute_definitions = Definitions("h:S"),
           .global_secondary_index_updates =
               Updates{GlobalIndex({"by_h", "h:S"}), DeleteGlobalSecondaryIndexAction{"by_g"}}}),
      ErrorCode::kLimitExceeded,
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
      "table"));
}

TEST_F(UpdateTableIndex, RefusesTwoUpdatesOfOneIndex) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_TRUE(Refused(
      db().UpdateTable(
          {.table_name = "things",
           .global_secondary_index_updates = Updates{DeleteGlobalSecondaryIndexAction{"by_g"},
                                                     DeleteGlobalSecondaryIndexAction{"by_g"}}}),
      "One or more parameter values were invalid: Only one global secondary index update per index "
      "is allowed simultaneously. Index: by_g"));
}

TEST_F(UpdateTableIndex, RefusesAnIndexThatExists) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_TRUE(
      Refused(AddIndex({"by_g", "h:S"}), "Attempting to create an index which already exists"));
}

TEST_F(UpdateTableIndex, RefusesAKeyWithoutADefinition) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(
      db().UpdateTable({.table_name = "things",
                        .global_secondary_index_updates = Updates{GlobalIndex({"by_g", "g:S"})}}),
      ErrorCode::kValidation));
}

TEST_F(UpdateTableIndex, RefusesToRemoveWhatIsNotThere) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(DropIndex("by_g"), ErrorCode::kResourceNotFound));
}

TEST_F(UpdateTableIndex, ATwentyFirstIndexIsOneTooMany) {
  TableShape shape{.name = "things", .keys = "pk:S"};
  for (int number = 0; number < 20; ++number) {
    shape.global.push_back({"index" + std::to_string(number), "g:S"});
  }
  MakeTable(shape);
  EXPECT_TRUE(FailsWith(AddIndex({"one_more", "g:S"}), ErrorCode::kLimitExceeded));
}

TEST_F(UpdateTableIndex, ChangesTheThroughputOfAnIndex) {
  CreateTableInput input =
      TableInput({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  input.billing_mode.reset();
  input.provisioned_throughput = ProvisionedThroughput{1, 1};
  input.global_secondary_indexes->at(0).provisioned_throughput = ProvisionedThroughput{2, 2};
  MakeTable(input);
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things",
       .global_secondary_index_updates = Updates{UpdateGlobalSecondaryIndexAction{
           .index_name = "by_g", .provisioned_throughput = ProvisionedThroughput{9, 8}}}})));
  home().Settle();
  const auto throughput = Describe("things").global_secondary_indexes->at(0).provisioned_throughput;
  EXPECT_EQ(throughput.read_capacity_units, 9);
  EXPECT_EQ(throughput.write_capacity_units, 8);
}

TEST_F(UpdateTableIndex, AnIndexOfAProvisionedTableNeedsThroughput) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  input.billing_mode.reset();
  input.provisioned_throughput = ProvisionedThroughput{1, 1};
  MakeTable(input);
  EXPECT_TRUE(FailsWith(AddIndex({"by_g", "g:S"}), ErrorCode::kValidation));
}

}  // namespace
}  // namespace stator::contract
