// What a database still knows after it was closed and opened again.

#include "contract/stream_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class Reopening : public StreamTest {
 protected:
  void SetUp() override {
    if (!ThisHome().keeps_data) {
      GTEST_SKIP() << "the home " << ThisHome().name << " keeps nothing";
    }
  }
};

TEST_F(Reopening, KeepsItemsIndexesAndFigures) {
  MakeTable({.name = "things",
             .keys = "pk:S | sk:N",
             .local = {{"by_l", "pk:S | l:N"}},
             .global = {{"by_g", "g:S", KeysOnly()}}});
  for (int number = 0; number < 30; ++number) {
    Put("things", {{"pk", "a"}, {"sk", number}, {"g", "x"}, {"l", -number}});
  }
  const std::vector<Item> items = ScanAll({.table_name = "things"});
  const TableDescription before = Describe("things");
  home().Reopen();
  EXPECT_EQ(ScanAll({.table_name = "things"}), items);
  EXPECT_THAT(ScanAll({.table_name = "things", .index_name = "by_g"}), SizeIs(30));
  EXPECT_THAT(ScanAll({.table_name = "things", .index_name = "by_l"}), SizeIs(30));
  const TableDescription after = Describe("things");
  EXPECT_EQ(after.item_count, before.item_count);
  EXPECT_EQ(after.table_size_bytes, before.table_size_bytes);
  EXPECT_EQ(after.global_secondary_indexes->at(0).item_count, 30);
  EXPECT_EQ(after.table_id, before.table_id);
  EXPECT_EQ(after.creation_date_time, before.creation_date_time);
}

TEST_F(Reopening, KeepsTheSettingsOfATable) {
  CreateTableInput input = TableInput({.name = "things",
                                       .keys = "pk:S",
                                       .global = {{"by_g", "g:S h:N | i:B", Include({"v"})}},
                                       .stream = StreamViewType::kOldImage});
  input.tags = std::vector<Tag>{{.key = "a", .value = "b"}};
  input.deletion_protection_enabled = true;
  input.table_class = TableClass::kStandardInfrequentAccess;
  input.on_demand_throughput = OnDemandThroughput{.max_read_request_units = 5};
  input.sse_specification = SseSpecification{.enabled = true};
  MakeTable(input);
  ASSERT_TRUE(Succeeds(db().UpdateTimeToLive(
      {.table_name = "things",
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}})));
  home().Settle();
  const TableDescription before = Describe("things");
  home().Reopen();
  const TableDescription after = Describe("things");
  EXPECT_EQ(after.key_schema, before.key_schema);
  EXPECT_EQ(after.attribute_definitions, before.attribute_definitions);
  EXPECT_EQ(after.global_secondary_indexes->at(0).key_schema, KeySchema("g:S h:N | i:B"));
  EXPECT_EQ(after.global_secondary_indexes->at(0).projection, Include({"v"}));
  EXPECT_TRUE(after.deletion_protection_enabled);
  EXPECT_EQ(after.table_class_summary->table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_EQ(after.on_demand_throughput, input.on_demand_throughput);
  EXPECT_EQ(after.billing_mode_summary->billing_mode, BillingMode::kPayPerRequest);
  EXPECT_TRUE(after.sse_description.has_value());
  EXPECT_EQ(after.latest_stream_arn, before.latest_stream_arn);
  EXPECT_EQ(after.stream_specification, before.stream_specification);
  EXPECT_EQ(Must(db().ListTagsOfResource({.resource_arn = after.table_arn})).tags, *input.tags);
  EXPECT_EQ(Must(db().DescribeTimeToLive({.table_name = "things"})).time_to_live_status,
            TimeToLiveStatus::kEnabled);
}

TEST_F(Reopening, StreamsGoOn) {
  MakeTable({.name = "things", .keys = "pk:N", .stream = StreamViewType::kNewImage});
  Put("things", {{"pk", 1}});
  Put("things", {{"pk", 2}});
  const std::string latest =
      Must(Iterator(StreamOf("things"), ShardIteratorType::kLatest)).shard_iterator;
  home().Reopen();
  Put("things", {{"pk", 3}});
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_LT(records[1].sequence_number, records[2].sequence_number);
  const std::vector<StreamRecord> later = ReadFrom(latest);
  ASSERT_THAT(later, SizeIs(1));
  EXPECT_EQ(later[0].new_image, (Item{{"pk", 3}}));
}

TEST_F(Reopening, ExpiryGoesOn) {
  MakeTable({.name = "things", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(db().UpdateTimeToLive(
      {.table_name = "things",
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}})));
  home().Settle();
  Put("things", {{"pk", "a"}, {"expires", EpochSeconds(home().Now()) + 10}});
  home().Reopen();
  home().Advance(std::chrono::seconds(11));
  home().Housekeep();
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(Reopening, ADeletedTableStaysDeleted) {
  MakeTable({.name = "things", .keys = "pk:S"});
  for (int number = 0; number < 100; ++number) {
    Put("things", {{"pk", std::to_string(number)}});
  }
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  home().Reopen();
  EXPECT_TRUE(FailsWith(db().DescribeTable({.table_name = "things"}), ErrorCode::kTableNotFound));
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(Reopening, AnIndexThatWasBeingMadeIsMade) {
  MakeTable({.name = "things", .keys = "pk:S"});
  for (int number = 0; number < 500; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"g", "x"}});
  }
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things",
       .attribute_definitions = Definitions("g:S"),
       .global_secondary_index_updates =
           std::vector<GlobalSecondaryIndexUpdate>{GlobalIndex({"by_g", "g:S"})}})));
  home().Reopen();
  home().Settle();
  EXPECT_EQ(Describe("things").global_secondary_indexes->at(0).index_status, IndexStatus::kActive);
  EXPECT_THAT(ScanAll({.table_name = "things", .index_name = "by_g"}), SizeIs(500));
  EXPECT_EQ(Describe("things").global_secondary_indexes->at(0).item_count, 500);
}

TEST_F(Reopening, AnIndexThatWasBeingRemovedIsRemoved) {
  MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  for (int number = 0; number < 200; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"g", "x"}});
  }
  ASSERT_TRUE(Succeeds(db().UpdateTable(
      {.table_name = "things",
       .global_secondary_index_updates =
           std::vector<GlobalSecondaryIndexUpdate>{DeleteGlobalSecondaryIndexAction{"by_g"}}})));
  home().Reopen();
  home().Settle();
  EXPECT_FALSE(Describe("things").global_secondary_indexes.has_value());
}

TEST_F(Reopening, ManyTimesLosesNothing) {
  MakeTable({.name = "things", .keys = "pk:N"});
  for (int round = 0; round < 5; ++round) {
    Put("things", {{"pk", round}});
    home().Reopen();
  }
  EXPECT_THAT(ScanAll({.table_name = "things"}), SizeIs(5));
  EXPECT_EQ(Describe("things").item_count, 5);
}

}  // namespace
}  // namespace stator::contract
