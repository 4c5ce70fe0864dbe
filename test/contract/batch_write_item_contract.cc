// BatchWriteItem.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;

class BatchWriteItem : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
    MakeTable({.name = "others", .keys = "id:N"});
  }
  [[nodiscard]] Result<BatchWriteItemOutput> Write(std::vector<WriteRequest> requests) {
    return db().BatchWriteItem({.request_items = {{"things", std::move(requests)}}});
  }
};

TEST_F(BatchWriteItem, PutsAndDeletesInSeveralTables) {
  Put("things", {{"pk", "old"}, {"g", "x"}});
  const auto output = Must(db().BatchWriteItem(
      {.request_items = {{"things",
                          {PutRequest{{{"pk", "a"}, {"g", "x"}}}, DeleteRequest{{{"pk", "old"}}},
                           DeleteRequest{{{"pk", "missing"}}}}},
                         {"others", {PutRequest{{{"id", 1}}}}}}}));
  EXPECT_TRUE(output.unprocessed_items.empty());
  EXPECT_TRUE(output.item_collection_metrics.empty());
  EXPECT_EQ(ScanAll({.table_name = "things"}), (std::vector<Item>{{{"pk", "a"}, {"g", "x"}}}));
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "by_g"}).size(), 1U);
  EXPECT_EQ(ScanAll({.table_name = "others"}).size(), 1U);
}

TEST_F(BatchWriteItem, ReplacesItems) {
  Put("things", {{"pk", "a"}, {"v", 1}});
  ASSERT_TRUE(Succeeds(Write({PutRequest{{{"pk", "a"}, {"w", 2}}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"w", 2}}));
}

TEST_F(BatchWriteItem, TakesTwentyFiveRequestsAndNoMore) {
  std::vector<WriteRequest> requests;
  for (int number = 0; number < 25; ++number) {
    requests.push_back(PutRequest{{{"pk", std::to_string(number)}}});
  }
  EXPECT_TRUE(Succeeds(Write(requests)));
  EXPECT_TRUE(
      Refused(db().BatchWriteItem(
                  {.request_items = {{"things", requests}, {"others", {PutRequest{{{"id", 1}}}}}}}),
              "Too many items requested for the BatchWriteItem call"));
  requests.push_back(PutRequest{{{"pk", "25"}}});
  EXPECT_TRUE(FailsWith(Write(requests), ErrorCode::kValidation));
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 25U);
}

TEST_F(BatchWriteItem, RefusesOneItemTwice) {
  const char* const message = "Provided list of item keys contains duplicates";
  EXPECT_TRUE(
      Refused(Write({PutRequest{{{"pk", "a"}, {"v", 1}}}, PutRequest{{{"pk", "a"}}}}), message));
  EXPECT_TRUE(Refused(Write({PutRequest{{{"pk", "a"}}}, DeleteRequest{{{"pk", "a"}}}}), message));
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(BatchWriteItem, ChecksEveryItemBeforeWritingOne) {
  EXPECT_TRUE(Refused(Write({PutRequest{{{"pk", "a"}}}, PutRequest{{{"v", 1}}}}),
                      "The provided key element does not match the schema"));
  EXPECT_TRUE(Refused(Write({PutRequest{{{"pk", "a"}}}, DeleteRequest{{{"pk", 1}}}}),
                      "The provided key element does not match the schema"));
  EXPECT_TRUE(
      Fails(Write({PutRequest{{{"pk", "a"}}}, PutRequest{{{"pk", "b"}, {"text", Text(409'600)}}}}),
            ErrorCode::kTooLarge, "Item size has exceeded the maximum allowed size"));
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(BatchWriteItem, RefusesToWriteNothing) {
  EXPECT_TRUE(FailsWith(db().BatchWriteItem({.request_items = {}}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Write({}), ErrorCode::kValidation));
}

TEST_F(BatchWriteItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(
      Fails(db().BatchWriteItem({.request_items = {{"nothing", {PutRequest{{{"pk", "a"}}}}},
                                                   {"things", {PutRequest{{{"pk", "a"}}}}}}}),
            ErrorCode::kTableNotFound, "Requested resource not found"));
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(BatchWriteItem, ReportsCollectionMetricsPerTable) {
  MakeTable({.name = "local", .keys = "pk:S | sk:S", .local = {{"by_l", "pk:S | l:S"}}});
  const auto output = Must(
      db().BatchWriteItem({.request_items = {{"local",
                                              {PutRequest{{{"pk", "a"}, {"sk", "1"}}},
                                               DeleteRequest{{{"pk", "b"}, {"sk", "1"}}}}},
                                             {"things", {PutRequest{{{"pk", "a"}}}}}},
                           .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize}));
  ASSERT_EQ(output.item_collection_metrics.size(), 1U);
  EXPECT_EQ(output.item_collection_metrics.at("local").size(), 2U);
}

TEST_F(BatchWriteItem, TakesLargeItems) {
  std::vector<WriteRequest> requests;
  for (int number = 0; number < 25; ++number) {
    requests.push_back(PutRequest{{{"pk", std::to_string(number)}, {"text", Text(400'000)}}});
  }
  EXPECT_TRUE(Succeeds(Write(requests)));
  EXPECT_EQ(Describe("things").item_count, 25);
}

}  // namespace
}  // namespace stator::contract
