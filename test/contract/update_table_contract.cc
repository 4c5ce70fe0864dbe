// UpdateTable: settings of a table. Its indexes are in update_table_index_contract.cc, its streams
// in stream_life_contract.cc.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using UpdateTable = ContractTest;

CreateTableInput Provisioned(const TableShape& shape) {
  CreateTableInput input = TableInput(shape);
  input.billing_mode.reset();
  input.provisioned_throughput = ProvisionedThroughput{5, 6};
  if (input.global_secondary_indexes) {
    for (GlobalSecondaryIndex& index : *input.global_secondary_indexes) {
      index.provisioned_throughput = ProvisionedThroughput{2, 2};
    }
  }
  return input;
}

TEST_F(UpdateTable, AnswersThatTheTableIsBeingUpdated) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S"}));
  const auto updated = Must(db().UpdateTable(
      {.table_name = "things", .provisioned_throughput = ProvisionedThroughput{7, 6}}));
  EXPECT_EQ(updated.table_description.table_status, TableStatus::kUpdating);
  home().Settle();
  EXPECT_EQ(Describe("things").table_status, TableStatus::kActive);
}

TEST_F(UpdateTable, ChangesThroughputAndRemembersWhen) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S"}));
  EXPECT_FALSE(Describe("things").provisioned_throughput.last_increase_date_time.has_value());
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things", .provisioned_throughput = ProvisionedThroughput{7, 6}})));
  home().Settle();
  EXPECT_EQ(Describe("things").provisioned_throughput.read_capacity_units, 7);
  EXPECT_TRUE(Describe("things").provisioned_throughput.last_increase_date_time.has_value());
  EXPECT_FALSE(Describe("things").provisioned_throughput.last_decrease_date_time.has_value());
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things", .provisioned_throughput = ProvisionedThroughput{7, 1}})));
  home().Settle();
  EXPECT_TRUE(Describe("things").provisioned_throughput.last_decrease_date_time.has_value());
}

TEST_F(UpdateTable, RefusesTheThroughputThatTheTableHas) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S"}));
  EXPECT_TRUE(Refused(
      db().UpdateTable(
          {.table_name = "things", .provisioned_throughput = ProvisionedThroughput{5, 6}}),
      "The provisioned throughput for the table will not change. The requested value equals the "
      "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
      "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. Requested "
      "WriteCapacityUnits: 6. Refer to the Amazon DynamoDB Developer Guide for current limits and "
      "how to request higher limits."));
}

TEST_F(UpdateTable, SwitchesToOnDemandAndBack) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S"}));
  ASSERT_TRUE(Succeeds(
      db().UpdateTable({.table_name = "things", .billing_mode = BillingMode::kPayPerRequest})));
  home().Settle();
  TableDescription table = Describe("things");
  ASSERT_TRUE(table.billing_mode_summary.has_value());
  EXPECT_EQ(table.billing_mode_summary->billing_mode, BillingMode::kPayPerRequest);
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 0);
  ASSERT_TRUE(Succeeds(db().UpdateTable({.table_name = "things",
                                         .billing_mode = BillingMode::kProvisioned,
                                         .provisioned_throughput = ProvisionedThroughput{3, 3}})));
  home().Settle();
  table = Describe("things");
  EXPECT_EQ(table.billing_mode_summary->billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 3);
  EXPECT_TRUE(table.billing_mode_summary->last_update_to_pay_per_request_date_time.has_value());
}

TEST_F(UpdateTable, RefusesToProvisionWithoutThroughput) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(Refused(
      db().UpdateTable({.table_name = "things", .billing_mode = BillingMode::kProvisioned}),
      "One or more parameter values were invalid: ProvisionedThroughput must be specified when "
      "BillingMode is PROVISIONED"));
}

TEST_F(UpdateTable, RefusesToProvisionWithoutThroughputOfTheIndexes) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_TRUE(Refused(
      db().UpdateTable({.table_name = "things",
                        .billing_mode = BillingMode::kProvisioned,
                        .provisioned_throughput = ProvisionedThroughput{3, 3}}),
      "One or more parameter values were invalid: ProvisionedThroughput must be specified for "
      "index: by_g"));
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things",
       .billing_mode = BillingMode::kProvisioned,
       .provisioned_throughput = ProvisionedThroughput{3, 3},
       .global_secondary_index_updates =
           std::vector<GlobalSecondaryIndexUpdate>{UpdateGlobalSecondaryIndexAction{
               .index_name = "by_g", .provisioned_throughput = ProvisionedThroughput{4, 4}}}})));
  home().Settle();
  EXPECT_EQ(
      Describe("things").global_secondary_indexes->at(0).provisioned_throughput.read_capacity_units,
      4);
}

TEST_F(UpdateTable, RefusesThroughputForAnOnDemandTable) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(Refused(
      db().UpdateTable(
          {.table_name = "things", .provisioned_throughput = ProvisionedThroughput{1, 1}}),
      "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits "
      "can be specified when BillingMode is PAY_PER_REQUEST"));
}

TEST_F(UpdateTable, OnDemandTakesTheThroughputOfIndexesAway) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}}));
  ASSERT_TRUE(Succeeds(
      db().UpdateTable({.table_name = "things", .billing_mode = BillingMode::kPayPerRequest})));
  home().Settle();
  EXPECT_EQ(
      Describe("things").global_secondary_indexes->at(0).provisioned_throughput.read_capacity_units,
      0);
}

TEST_F(UpdateTable, RefusesToChangeNothing) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(
      Refused(db().UpdateTable({.table_name = "things"}),
              "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
              "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"));
}

TEST_F(UpdateTable, NamesTheTableThatIsNotThere) {
  EXPECT_TRUE(
      Fails(db().UpdateTable({.table_name = "things", .billing_mode = BillingMode::kPayPerRequest}),
            ErrorCode::kTableNotFound, "Requested resource not found: Table: things not found"));
}

TEST_F(UpdateTable, ChangesClassProtectionAndLimits) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(
      db().UpdateTable({.table_name = "things",
                        .table_class = TableClass::kStandardInfrequentAccess,
                        .deletion_protection_enabled = true,
                        .on_demand_throughput = OnDemandThroughput{.max_read_request_units = 100},
                        .warm_throughput = WarmThroughput{.read_units_per_second = 20'000}})));
  home().Settle();
  const TableDescription table = Describe("things");
  EXPECT_EQ(table.table_class_summary->table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_TRUE(table.deletion_protection_enabled);
  EXPECT_EQ(table.on_demand_throughput->max_read_request_units, 100);
  EXPECT_EQ(table.warm_throughput->read_units_per_second, 20'000);
  EXPECT_EQ(table.warm_throughput->write_units_per_second, 4'000);
}

TEST_F(UpdateTable, SwitchesEncryption) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things", .sse_specification = SseSpecification{.enabled = true}})));
  home().Settle();
  EXPECT_TRUE(Describe("things").sse_description.has_value());
}

TEST_F(UpdateTable, IgnoresDefinitionsThatNoKeyUses) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(db().UpdateTable({.table_name = "things",
                                         .attribute_definitions = Definitions("pk:S other:N"),
                                         .deletion_protection_enabled = false})));
  home().Settle();
  EXPECT_EQ(Describe("things").attribute_definitions, Definitions("pk:S"));
}

TEST_F(UpdateTable, LeavesItemsAlone) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "a"}, {"n", 1}});
  ASSERT_TRUE(
      Succeeds(db().UpdateTable({.table_name = "things", .deletion_protection_enabled = true})));
  home().Settle();
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 1}}));
  EXPECT_EQ(Describe("things").item_count, 1);
}

}  // namespace
}  // namespace stator::contract
