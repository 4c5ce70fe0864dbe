// Streams: which writes leave records, and what the four views show.

#include <set>

#include "contract/stream_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using StreamRecords = StreamTest;

TEST_F(StreamRecords, TellInsertsChangesAndRemovals) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewAndOldImages});
  Put("things", {{"pk", "a"}, {"v", 1}});
  ASSERT_TRUE(Succeeds(db().UpdateItem({.table_name = "things",
                                        .key = {{"pk", "a"}},
                                        .update_expression = "SET v = :v",
                                        .expression_attribute_values = Map{{":v", 2}}})));
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_EQ(records[0].event_name, StreamEventName::kInsert);
  EXPECT_EQ(records[0].old_image, std::nullopt);
  EXPECT_EQ(records[0].new_image, (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(records[1].event_name, StreamEventName::kModify);
  EXPECT_EQ(records[1].old_image, (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(records[1].new_image, (Item{{"pk", "a"}, {"v", 2}}));
  EXPECT_EQ(records[2].event_name, StreamEventName::kRemove);
  EXPECT_EQ(records[2].old_image, (Item{{"pk", "a"}, {"v", 2}}));
  EXPECT_EQ(records[2].new_image, std::nullopt);
  for (const StreamRecord& record : records) {
    EXPECT_EQ(record.keys, (Item{{"pk", "a"}}));
    EXPECT_EQ(record.stream_view_type, StreamViewType::kNewAndOldImages);
    EXPECT_FALSE(record.user_identity.has_value());
    EXPECT_FALSE(record.aws_region.empty());
    EXPECT_GT(record.size_bytes, 0);
  }
}

TEST_F(StreamRecords, AReplacementIsOneChangeWithTheWholeOldImage) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kOldImage});
  Put("things", {{"pk", "a"}, {"v", 1}, {"w", Map{{"deep", List{1}}}}});
  Put("things", {{"pk", "a"}, {"x", 2}});
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(2));
  EXPECT_EQ(records[0].old_image, std::nullopt);
  EXPECT_EQ(records[1].event_name, StreamEventName::kModify);
  EXPECT_EQ(records[1].old_image, (Item{{"pk", "a"}, {"v", 1}, {"w", Map{{"deep", List{1}}}}}));
  EXPECT_EQ(records[1].new_image, std::nullopt);
}

TEST_F(StreamRecords, TheNewImageViewShowsNoOldOne) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  Put("things", {{"pk", "a"}, {"v", 1}});
  Put("things", {{"pk", "a"}, {"v", 2}});
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_EQ(records[1].new_image, (Item{{"pk", "a"}, {"v", 2}}));
  EXPECT_EQ(records[1].old_image, std::nullopt);
  EXPECT_EQ(records[2].new_image, std::nullopt);
  EXPECT_EQ(records[2].old_image, std::nullopt);
}

TEST_F(StreamRecords, TheKeysOnlyViewShowsKeys) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N", .stream = StreamViewType::kKeysOnly});
  Put("things", {{"pk", "a"}, {"sk", 1}, {"v", 1}});
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].keys, (Item{{"pk", "a"}, {"sk", 1}}));
  EXPECT_EQ(records[0].new_image, std::nullopt);
  EXPECT_EQ(records[0].old_image, std::nullopt);
}

TEST_F(StreamRecords, WritesThatChangeNothingLeaveNone) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  Put("things", {{"pk", "a"}, {"v", 1}, {"s", StringSet{"x", "y"}}});
  Put("things", {{"pk", "a"}, {"v", N("1.0")}, {"s", StringSet{"y", "x"}}});
  const auto update = [&](const std::string& expression) {
    return db().UpdateItem(
        {.table_name = "things", .key = {{"pk", "a"}}, .update_expression = expression});
  };
  ASSERT_TRUE(Succeeds(update("REMOVE nothing")));
  ASSERT_TRUE(Succeeds(update("SET v = v")));
  ASSERT_TRUE(Succeeds(db().UpdateItem({.table_name = "things", .key = {{"pk", "a"}}})));
  ASSERT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "missing"}}})));
  ASSERT_TRUE(Succeeds(
      db().BatchWriteItem({.request_items = {{"things", {DeleteRequest{{{"pk", "missing"}}}}}}})));
  ASSERT_TRUE(Succeeds(db().TransactWriteItems(
      {.transact_items = {TransactConditionCheck{.table_name = "things",
                                                 .key = {{"pk", "a"}},
                                                 .condition_expression = "attribute_exists(pk)"},
                          TransactDelete{.table_name = "things", .key = {{"pk", "none"}}}}})));
  EXPECT_THAT(Records("things"), SizeIs(1));
}

TEST_F(StreamRecords, RefusedWritesLeaveNone) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  EXPECT_FALSE(db().PutItem({.table_name = "things",
                             .item = {{"pk", "a"}},
                             .condition_expression = "attribute_exists(pk)"}));
  EXPECT_FALSE(db().TransactWriteItems(
      {.transact_items = {
           TransactPut{.table_name = "things", .item = {{"pk", "b"}}},
           TransactConditionCheck{.table_name = "things",
                                  .key = {{"pk", "a"}},
                                  .condition_expression = "attribute_exists(pk)"}}}));
  EXPECT_THAT(Records("things"), IsEmpty());
}

TEST_F(StreamRecords, BatchesAndTransactionsLeaveOnePerItem) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  ASSERT_TRUE(Succeeds(db().BatchWriteItem(
      {.request_items = {{"things", {PutRequest{{{"pk", "a"}}}, PutRequest{{{"pk", "b"}}}}}}})));
  ASSERT_TRUE(Succeeds(db().TransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "things", .item = {{"pk", "c"}}},
                          TransactDelete{.table_name = "things", .key = {{"pk", "a"}}}}})));
  EXPECT_THAT(Records("things"), SizeIs(4));
}

TEST_F(StreamRecords, AreInTheOrderOfTheWrites) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  for (int number = 0; number < 50; ++number) {
    Put("things", {{"pk", std::to_string(number % 7)}, {"n", number}});
  }
  const std::vector<StreamRecord> records = Records("things");
  ASSERT_THAT(records, SizeIs(50));
  std::set<std::string> event_ids;
  for (std::size_t at = 0; at < records.size(); ++at) {
    EXPECT_EQ(records[at].new_image->at("n"), AttributeValue(at));
    event_ids.insert(records[at].event_id);
    if (at > 0) {
      EXPECT_LT(records[at - 1].sequence_number, records[at].sequence_number);
    }
  }
  EXPECT_EQ(event_ids.size(), 50U);
}

TEST_F(StreamRecords, AreOfTheirOwnTableOnly) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  MakeTable({.name = "others", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  MakeTable({.name = "silent", .keys = "pk:S"});
  Put("things", {{"pk", "a"}});
  Put("others", {{"pk", "b"}});
  Put("silent", {{"pk", "c"}});
  ASSERT_THAT(Records("things"), SizeIs(1));
  EXPECT_EQ(Records("things")[0].keys, (Item{{"pk", "a"}}));
  EXPECT_THAT(Records("others"), SizeIs(1));
}

TEST_F(StreamRecords, SayWhenTheyWereMade) {
  if (!ThisHome().controls_time) {
    GTEST_SKIP() << "time is not ours";
  }
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  home().Advance(std::chrono::seconds(5));
  const TimePoint now = home().Now();
  Put("things", {{"pk", "a"}});
  home().Advance(std::chrono::seconds(5));
  EXPECT_EQ(Records("things").at(0).approximate_creation_date_time, now);
}

}  // namespace
}  // namespace stator::contract
