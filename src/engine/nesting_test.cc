// Items that are nested as deeply as an item may be, in every row that wraps them: stream records,
// which hold the item in a field of their own, index rows, and the digest of a transaction's token.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/sample_database.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

constexpr int kDeeperThanAnything = 200;

// A text inside so many lists and maps.
AttributeValue Nested(int levels) {
  AttributeValue value("leaf");
  for (int level = 0; level < levels; ++level) {
    if (level % 2 == 0) {
      value = Map{{"m", std::move(value)}};
    } else {
      List list;
      list.push_back(std::move(value));
      value = std::move(list);
    }
  }
  return value;
}

int DeepestAdmitted() {
  int levels = 0;
  while (levels < kDeeperThanAnything &&
         value::CheckItem({{"deep", Nested(levels + 1)}}).has_value()) {
    ++levels;
  }
  return levels;
}

class NestingTest : public testing::Test {
 protected:
  NestingTest() {
    Must(engine_->CreateTable(SampleOrders()));
    engine_->AwaitBackgroundJobs();
  }

  [[nodiscard]] static Item Deep(int levels, const std::string& note) {
    return {
        {"customer", "ann"}, {"number", 1}, {"total", 2}, {"note", note}, {"deep", Nested(levels)}};
  }

  std::vector<StreamRecord> Records() {
    const std::string arn =
        *Must(engine_->DescribeTable({.table_name = "orders"})).table.latest_stream_arn;
    const auto stream = Must(engine_->DescribeStream({.stream_arn = arn})).stream_description;
    const auto iterator =
        Must(engine_->GetShardIterator({.stream_arn = arn,
                                        .shard_id = stream.shards.at(0).shard_id,
                                        .shard_iterator_type = ShardIteratorType::kTrimHorizon}));
    return Must(engine_->GetRecords({.shard_iterator = iterator.shard_iterator})).records;
  }

  SampleEnvironment environment_;
  const std::unique_ptr<Engine> engine_ =
      Must(Engine::Open(environment_.Options({.path = "", .in_memory = true})));
};

TEST_F(NestingTest, TheDeepestItemIsReadBackFromTableIndexAndStream) {
  const int levels = DeepestAdmitted();
  ASSERT_GE(levels, 31);
  ASSERT_LT(levels, kDeeperThanAnything);
  const Item before = Deep(levels, "before");
  const Item after = Deep(levels, "after");
  Must(engine_->PutItem({.table_name = "orders", .item = before}));
  Must(engine_->PutItem({.table_name = "orders", .item = after}));
  const ScanOutput items = Must(engine_->Scan({.table_name = "orders"}));
  EXPECT_THAT(*items.items, testing::ElementsAre(after));
  const ScanOutput rows = Must(engine_->Scan({.table_name = "orders", .index_name = "by_total"}));
  EXPECT_THAT(*rows.items, testing::ElementsAre(after));
  const std::vector<StreamRecord> records = Records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].old_image, before);
  EXPECT_EQ(records[1].new_image, after);
}

TEST_F(NestingTest, TheDeepestItemMayBePutUnderAToken) {
  const TransactWriteItemsInput input = {
      .transact_items = {TransactPut{.table_name = "orders",
                                     .item = Deep(DeepestAdmitted(), "put")}},
      .client_request_token = "token"};
  Must(engine_->TransactWriteItems(input));
  Must(engine_->TransactWriteItems(input));
  EXPECT_EQ(Records().size(), 1U);
}

// Also where nothing but a digest would be made of the value.
TEST_F(NestingTest, WhatIsDeeperIsRefusedBeforeAnythingIsWritten) {
  const Item item = Deep(kDeeperThanAnything, "put");
  EXPECT_EQ(engine_->PutItem({.table_name = "orders", .item = item}).error().code,
            ErrorCode::kValidation);
  const auto transact = [&](const TransactWriteItem& action) {
    return engine_
        ->TransactWriteItems({.transact_items = {action}, .client_request_token = "token"})
        .error()
        .code;
  };
  const Item key = {{"customer", "ann"}, {"number", 1}};
  EXPECT_EQ(transact(TransactPut{.table_name = "orders", .item = item}), ErrorCode::kValidation);
  EXPECT_EQ(transact(TransactUpdate{.table_name = "orders",
                                    .key = key,
                                    .update_expression = "SET deep = :d",
                                    .expression_attribute_values = {{{":d", item.at("deep")}}}}),
            ErrorCode::kValidation);
  EXPECT_EQ(transact(TransactDelete{.table_name = "orders",
                                    .key = key,
                                    .condition_expression = "deep = :d",
                                    .expression_attribute_values = {{{":d", item.at("deep")}}}}),
            ErrorCode::kValidation);
  EXPECT_EQ(
      transact(TransactConditionCheck{.table_name = "orders",
                                      .key = key,
                                      .condition_expression = "deep = :d",
                                      .expression_attribute_values = {{{":d", item.at("deep")}}}}),
      ErrorCode::kValidation);
}

}  // namespace
}  // namespace stator::engine
