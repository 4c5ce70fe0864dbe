// CreateTable: what a new table is, and that it can be used.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using CreateTable = ContractTest;

CreateTableInput Provisioned(const TableShape& shape) {
  CreateTableInput input = TableInput(shape);
  input.billing_mode.reset();
  input.provisioned_throughput = ProvisionedThroughput{5, 6};
  return input;
}

TEST_F(CreateTable, AnswersThatTheTableIsBeingCreated) {
  const auto output = Must(db().CreateTable(TableInput({.name = "things", .keys = "pk:S"})));
  EXPECT_EQ(output.table_description.table_status, TableStatus::kCreating);
  EXPECT_EQ(output.table_description.table_name, "things");
  EXPECT_EQ(output.table_description.item_count, 0);
  EXPECT_EQ(output.table_description.table_size_bytes, 0);
}

TEST_F(CreateTable, DescribesTheKeysAsTheyWereGiven) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N"});
  const TableDescription table = Describe("things");
  EXPECT_EQ(table.table_status, TableStatus::kActive);
  EXPECT_EQ(table.key_schema, KeySchema("pk:S | sk:N"));
  EXPECT_EQ(table.attribute_definitions, Definitions("pk:S | sk:N"));
  EXPECT_FALSE(table.local_secondary_indexes.has_value());
  EXPECT_FALSE(table.global_secondary_indexes.has_value());
}

TEST_F(CreateTable, GivesTheTableAnArnAndAUuid) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const TableDescription table = Describe("things");
  EXPECT_TRUE(table.table_arn.starts_with("arn:aws:dynamodb:")) << table.table_arn;
  EXPECT_TRUE(table.table_arn.ends_with(":table/things")) << table.table_arn;
  ASSERT_EQ(table.table_id.size(), 36U);
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) {
    EXPECT_EQ(table.table_id[dash], '-');
  }
}

TEST_F(CreateTable, IsProvisionedUnlessItIsAskedForOnDemand) {
  MakeTable(Provisioned({.name = "things", .keys = "pk:S"}));
  const TableDescription table = Describe("things");
  EXPECT_FALSE(table.billing_mode_summary.has_value());
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 5);
  EXPECT_EQ(table.provisioned_throughput.write_capacity_units, 6);
  EXPECT_EQ(table.provisioned_throughput.number_of_decreases_today, 0);
}

TEST_F(CreateTable, OnDemandTablesHaveNoThroughputAndASummaryThatSaysSo) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const TableDescription table = Describe("things");
  ASSERT_TRUE(table.billing_mode_summary.has_value());
  EXPECT_EQ(table.billing_mode_summary->billing_mode, BillingMode::kPayPerRequest);
  EXPECT_TRUE(table.billing_mode_summary->last_update_to_pay_per_request_date_time.has_value());
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 0);
  EXPECT_EQ(table.provisioned_throughput.write_capacity_units, 0);
}

TEST_F(CreateTable, AlwaysReportsWarmThroughput) {
  MakeTable({.name = "on_demand", .keys = "pk:S"});
  MakeTable(Provisioned({.name = "provisioned", .keys = "pk:S"}));
  const TableDescription on_demand = Describe("on_demand");
  ASSERT_TRUE(on_demand.warm_throughput.has_value());
  EXPECT_EQ(on_demand.warm_throughput->read_units_per_second, 12'000);
  EXPECT_EQ(on_demand.warm_throughput->write_units_per_second, 4'000);
  EXPECT_EQ(on_demand.warm_throughput->status, TableStatus::kActive);
  const TableDescription provisioned = Describe("provisioned");
  ASSERT_TRUE(provisioned.warm_throughput.has_value());
  EXPECT_EQ(provisioned.warm_throughput->read_units_per_second, 5);
}

TEST_F(CreateTable, DescribesLocalIndexes) {
  MakeTable({.name = "things",
             .keys = "pk:S | sk:S",
             .local = {{"by_size", "pk:S | size:N", Include({"colour"})}}});
  const TableDescription table = Describe("things");
  ASSERT_TRUE(table.local_secondary_indexes.has_value());
  const auto& index = table.local_secondary_indexes->at(0);
  EXPECT_EQ(index.index_name, "by_size");
  EXPECT_EQ(index.key_schema, KeySchema("pk:S | size:N"));
  EXPECT_EQ(index.projection, Include({"colour"}));
  EXPECT_EQ(index.index_arn, table.table_arn + "/index/by_size");
  EXPECT_EQ(index.item_count, 0);
}

TEST_F(CreateTable, DescribesGlobalIndexes) {
  CreateTableInput input = Provisioned(
      {.name = "things", .keys = "pk:S", .global = {{"by_colour", "colour:S", KeysOnly()}}});
  input.global_secondary_indexes->at(0).provisioned_throughput = ProvisionedThroughput{3, 4};
  const auto created = Must(db().CreateTable(input)).table_description;
  ASSERT_TRUE(created.global_secondary_indexes.has_value());
  EXPECT_EQ(created.global_secondary_indexes->at(0).index_status, IndexStatus::kCreating);
  home().Settle();
  const TableDescription table = Describe("things");
  ASSERT_TRUE(table.global_secondary_indexes.has_value());
  const auto& index = table.global_secondary_indexes->at(0);
  EXPECT_EQ(index.index_status, IndexStatus::kActive);
  EXPECT_FALSE(index.backfilling.has_value());
  EXPECT_EQ(index.projection, KeysOnly());
  EXPECT_EQ(index.provisioned_throughput.read_capacity_units, 3);
  EXPECT_EQ(index.provisioned_throughput.write_capacity_units, 4);
  EXPECT_EQ(index.index_arn, table.table_arn + "/index/by_colour");
}

TEST_F(CreateTable, DescribesTheStreamThatItStarts) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  const TableDescription table = Describe("things");
  ASSERT_TRUE(table.stream_specification.has_value());
  EXPECT_TRUE(table.stream_specification->stream_enabled);
  EXPECT_EQ(table.stream_specification->stream_view_type, StreamViewType::kNewImage);
  ASSERT_TRUE(table.latest_stream_arn && table.latest_stream_label);
  EXPECT_EQ(*table.latest_stream_arn, table.table_arn + "/stream/" + *table.latest_stream_label);
}

TEST_F(CreateTable, AStreamThatIsNotEnabledIsNone) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  input.stream_specification = StreamSpecification{.stream_enabled = false};
  MakeTable(input);
  EXPECT_FALSE(Describe("things").latest_stream_arn.has_value());
}

TEST_F(CreateTable, KeepsTagsClassAndDeletionProtection) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  input.tags = std::vector<Tag>{{.key = "team", .value = "blue"}};
  input.table_class = TableClass::kStandardInfrequentAccess;
  input.deletion_protection_enabled = true;
  MakeTable(input);
  const TableDescription table = Describe("things");
  EXPECT_TRUE(table.deletion_protection_enabled);
  ASSERT_TRUE(table.table_class_summary.has_value());
  EXPECT_EQ(table.table_class_summary->table_class, TableClass::kStandardInfrequentAccess);
  const auto tags = Must(db().ListTagsOfResource({.resource_arn = table.table_arn})).tags;
  EXPECT_EQ(tags, (std::vector<Tag>{{.key = "team", .value = "blue"}}));
}

TEST_F(CreateTable, KeepsTheLimitsOfAnOnDemandTable) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  input.on_demand_throughput =
      OnDemandThroughput{.max_read_request_units = 10, .max_write_request_units = 20};
  MakeTable(input);
  EXPECT_EQ(Describe("things").on_demand_throughput, input.on_demand_throughput);
}

TEST_F(CreateTable, DescribesEncryptionOnlyWhenItIsAskedFor) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S"});
  MakeTable(input);
  EXPECT_FALSE(Describe("things").sse_description.has_value());
  input.table_name = "secrets";
  input.sse_specification = SseSpecification{.enabled = true};
  MakeTable(input);
  ASSERT_TRUE(Describe("secrets").sse_description.has_value());
  EXPECT_EQ(Describe("secrets").sse_description->sse_type, SseType::kKms);
}

TEST_F(CreateTable, RefusesANameThatIsTaken) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(Fails(db().CreateTable(TableInput({.name = "things", .keys = "other:N"})),
                    ErrorCode::kResourceInUse, "Table already exists: things"));
}

TEST_F(CreateTable, TakesTheShortestAndTheLongestName) {
  MakeTable({.name = "abc", .keys = "pk:S"});
  MakeTable({.name = Text(255), .keys = "pk:S"});
  EXPECT_EQ(Must(db().ListTables({})).table_names, (std::vector{std::string("abc"), Text(255)}));
}

TEST_F(CreateTable, EveryScalarTypeCanBeAKey) {
  MakeTable({.name = "things", .keys = "pk:B | sk:N"});
  Put("things", {{"pk", Binary{"\x01\xFF"}}, {"sk", 1}});
  EXPECT_TRUE(Get("things", {{"pk", Binary{"\x01\xFF"}}, {"sk", 1}}).has_value());
}

TEST_F(CreateTable, ANewTableIsEmpty) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
  EXPECT_THAT(ScanAll({.table_name = "things", .index_name = "by_g"}), IsEmpty());
}

TEST_F(CreateTable, TakesTheArnThatTheTableWillHave) {
  MakeTable({.name = "things", .keys = "pk:S"});
  std::string arn = Describe("things").table_arn;
  arn.replace(arn.size() - 6, 6, "others");
  const CreateTableInput input = TableInput({.name = arn, .keys = "pk:S"});
  MakeTable(input);
  EXPECT_EQ(Describe("others").table_name, "others");
}

}  // namespace
}  // namespace stator::contract
