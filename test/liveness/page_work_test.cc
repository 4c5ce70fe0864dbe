// What a call may use is counted: pages end by their work and by the bytes that they fetch, calls
// on one stream read one stream's row, and on a thread that serves others all of them ask to be
// moved before they hold anybody up.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/work.h"
#include "engine/engine.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"

namespace stator {
namespace {

class PageWork : public testing::Test {
 protected:
  PageWork() {
    engine::EngineOptions options;
    options.store.in_memory = true;
    options.clock = &clock_;
    options.random = &random_;
    options.housekeeping_interval = std::chrono::milliseconds(0);
    engine_ = engine::Engine::Open(options).value();
    EXPECT_TRUE(engine_->CreateTable({
        .table_name = "table",
        .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                  {"sk", ScalarAttributeType::kNumber},
                                  {"other", ScalarAttributeType::kNumber}},
        .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
        .billing_mode = BillingMode::kPayPerRequest,
        .local_secondary_indexes = {{{
            .index_name = "local",
            .key_schema = {{"pk", KeyType::kHash}, {"other", KeyType::kRange}},
            .projection = {.projection_type = ProjectionType::kKeysOnly},
        }}},
    }));
  }

  void Put(int number, std::size_t bytes) {
    ASSERT_TRUE(engine_->PutItem(
        {.table_name = "table",
         .item = {
             {"pk", "p"}, {"sk", number}, {"other", -number}, {"t", std::string(bytes, 'a')}}}));
  }

  // The numbers of the items on each page, in the order in which they come.
  std::vector<std::vector<std::size_t>> Pages(QueryInput input) {
    std::vector<std::vector<std::size_t>> pages;
    do {
      const QueryOutput page = engine_->Query(input).value();
      pages.push_back(
          {static_cast<std::size_t>(page.scanned_count), page.items ? page.items->size() : 0});
      input.exclusive_start_key = page.last_evaluated_key;
    } while (input.exclusive_start_key && pages.size() < 1000);
    return pages;
  }

  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'700'800))};
  SeededRandom random_{1};
  std::unique_ptr<engine::Engine> engine_;
};

TEST_F(PageWork, ItemsFetchedForALocalIndexCountTowardsThePage) {
  for (int i = 0; i < 10; ++i) {
    Put(i, 300 * limits::kKilobyte);
  }
  const auto pages = Pages({.table_name = "table",
                            .index_name = "local",
                            .key_condition_expression = "pk = :p",
                            .expression_attribute_values = {{{":p", "p"}}},
                            .select = Select::kAllAttributes});
  std::size_t items = 0;
  for (const auto& page : pages) {
    EXPECT_LE(page[1], 4U);
    items += page[1];
  }
  EXPECT_EQ(items, 10U);
  // What is only in the index is read in one page.
  EXPECT_EQ(Pages({.table_name = "table",
                   .index_name = "local",
                   .key_condition_expression = "pk = :p",
                   .expression_attribute_values = {{{":p", "p"}}}})
                .size(),
            1U);
}

TEST_F(PageWork, APageWhoseFilterIsLongEndsEarlyAndGoesOn) {
  for (int i = 0; i < 40; ++i) {
    Put(i, 10 * limits::kKilobyte);
  }
  // 1,200 comparisons with values that are as long as the attribute.
  std::string in = "t IN (:v";
  for (int i = 1; i < 100; ++i) {
    in += ",:v";
  }
  in += ")";
  std::string filter = in;
  for (int i = 1; i < 12; ++i) {
    filter += " OR " + in;
  }
  QueryInput query{.table_name = "table",
                   .key_condition_expression = "pk = :p",
                   .filter_expression = filter,
                   .expression_attribute_values =
                       Map{{":p", "p"}, {":v", std::string(9 * limits::kKilobyte, 'a')}}};
  const auto pages = Pages(query);
  EXPECT_GT(pages.size(), 1U);
  EXPECT_LT(pages.size(), 10U);
  std::size_t scanned = 0;
  for (const auto& page : pages) {
    EXPECT_EQ(page[1], 0U);
    scanned += page[0];
  }
  EXPECT_EQ(scanned, 40U);
}

TEST_F(PageWork, LongReadsAskToBeMovedFromAThreadThatServes) {
  for (int i = 0; i < 3; ++i) {
    Put(i, 300 * limits::kKilobyte);
  }
  Put(3, 1000);
  const auto threads_for = [](auto call) {
    const base::WorkScope scope({.share = base::kServingShare, .may_wait = false});
    const auto result = call();
    EXPECT_EQ(result.has_value(), !scope.wanted_threads());
    return scope.wanted_threads();
  };
  const Item large = {{"pk", "p"}, {"sk", 0}};
  const Item small = {{"pk", "p"}, {"sk", 3}};
  EXPECT_EQ(threads_for([&] { return engine_->GetItem({.table_name = "table", .key = small}); }),
            std::nullopt);
  EXPECT_EQ(threads_for([&] { return engine_->GetItem({.table_name = "table", .key = large}); }),
            base::Threads::kPool);
  EXPECT_EQ(threads_for([&] { return engine_->Scan({.table_name = "table"}); }),
            base::Threads::kPool);
  EXPECT_EQ(threads_for([&] {
              return engine_->BatchGetItem({.request_items = {{"table", {.keys = {large}}}}});
            }),
            base::Threads::kPool);
  EXPECT_EQ(threads_for([&] {
              return engine_->TransactGetItems(
                  {.transact_items = {{.table_name = "table", .key = large}}});
            }),
            base::Threads::kPool);
  EXPECT_EQ(threads_for([&] { return engine_->DeleteTable({.table_name = "table"}); }),
            base::Threads::kControl);
  EXPECT_TRUE(engine_->DescribeTable({.table_name = "table"}));
  // A filter is paid for before it is asked: one item, ten searches.
  std::string filter = "contains(t, :v)";
  for (int i = 0; i < 9; ++i) {
    filter += " OR contains(t, :v)";
  }
  Put(4, 50 * limits::kKilobyte);
  const auto query = [&] {
    return engine_->Query(
        {.table_name = "table",
         .key_condition_expression = "pk = :p AND sk = :n",
         .filter_expression = filter,
         .expression_attribute_values = Map{{":p", "p"}, {":n", 4}, {":v", "b"}}});
  };
  EXPECT_EQ(threads_for(query), base::Threads::kPool);
  filter = "contains(t, :v)";
  EXPECT_EQ(threads_for(query), std::nullopt);
}

TEST_F(PageWork, SeeksOverManyDeletedRowsAskToBeMoved) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 120; ++i) {
      std::vector<WriteRequest> requests;
      for (int j = 0; j < 25; ++j) {
        const Item key = {{"pk", "p"}, {"sk", i * 25 + j}};
        requests.push_back(round == 0 ? WriteRequest{PutRequest{.item = key}}
                                      : WriteRequest{DeleteRequest{.key = key}});
      }
      ASSERT_TRUE(engine_->BatchWriteItem({.request_items = {{"table", std::move(requests)}}}));
    }
  }
  const QueryInput query{.table_name = "table",
                         .key_condition_expression = "pk = :p",
                         .expression_attribute_values = Map{{":p", "p"}}};
  {
    const base::WorkScope scope({.share = base::kServingShare});
    EXPECT_FALSE(engine_->Query(query));
    EXPECT_EQ(scope.wanted_threads(), base::Threads::kPool);
  }
  EXPECT_EQ(engine_->Query(query).value().count, 0);
}

TEST_F(PageWork, AClientThatHasGoneEndsThePage) {
  Put(0, 10);
  const std::atomic<bool> gone = true;
  const base::WorkScope scope({.gone = &gone});
  EXPECT_FALSE(engine_->Scan({.table_name = "table"}));
  EXPECT_FALSE(scope.wanted_threads());
}

TEST_F(PageWork, RemovingOldStreamRecordsCostsWhatItRemoves) {
  const auto set_stream = [this](bool enabled) {
    return engine_->UpdateTable(
        {.table_name = "table",
         .stream_specification = StreamSpecification{
             .stream_enabled = enabled,
             .stream_view_type =
                 enabled ? std::optional(StreamViewType::kKeysOnly) : std::nullopt}});
  };
  for (int i = 0; i < 20; ++i) {
    clock_.Advance(std::chrono::seconds(1));
    ASSERT_TRUE(set_stream(true));
    ASSERT_TRUE(set_stream(false));
  }
  {
    const base::WorkScope scope({.share = 1});
    ASSERT_TRUE(engine_->RunHousekeeping()) << "nothing is due, so no row of a stream is read";
  }
  // The first ten are a day old: each costs a row, the others nothing.
  clock_.Advance(std::chrono::hours(24) - std::chrono::milliseconds(9500));
  {
    const base::WorkScope scope({.share = 10 * base::kRowUnits});
    ASSERT_TRUE(engine_->RunHousekeeping());
  }
  EXPECT_EQ(engine_->ListStreams({}).value().streams.size(), 10U);
  clock_.Advance(std::chrono::hours(1));
  ASSERT_TRUE(engine_->RunHousekeeping());
  EXPECT_EQ(engine_->ListStreams({}).value().streams.size(), 0U);
}

TEST_F(PageWork, CallsOnOneStreamReadOneRow) {
  for (int i = 0; i < 50; ++i) {
    clock_.Advance(std::chrono::seconds(1));
    ASSERT_TRUE(engine_->UpdateTable(
        {.table_name = "table",
         .stream_specification = StreamSpecification{
             .stream_enabled = true, .stream_view_type = StreamViewType::kKeysOnly}}));
    ASSERT_TRUE(engine_->UpdateTable(
        {.table_name = "table",
         .stream_specification = StreamSpecification{.stream_enabled = false}}));
  }
  const ListStreamsOutput all = engine_->ListStreams({}).value();
  ASSERT_EQ(all.streams.size(), 50U);
  for (const std::string& arn : {all.streams[7].stream_arn, all.streams[49].stream_arn}) {
    // Room for four rows, two of them for GetRecords, and the records of none.
    const base::WorkScope scope({.share = 4 * base::kRowUnits});
    const auto described = engine_->DescribeStream({.stream_arn = arn});
    ASSERT_TRUE(described);
    const auto iterator =
        engine_->GetShardIterator({.stream_arn = arn,
                                   .shard_id = described->stream_description.shards[0].shard_id,
                                   .shard_iterator_type = ShardIteratorType::kTrimHorizon});
    ASSERT_TRUE(iterator);
    EXPECT_TRUE(engine_->GetRecords({.shard_iterator = iterator->shard_iterator}));
  }
  // Pages of streams read what they list, and begin where the last one ended.
  ListStreamsInput input{.table_name = "table", .limit = 7};
  std::vector<std::string> seen;
  do {
    const base::WorkScope scope({.share = 9 * base::kRowUnits});
    const ListStreamsOutput page = engine_->ListStreams(input).value();
    for (const auto& stream : page.streams) {
      seen.push_back(stream.stream_arn);
    }
    input.exclusive_start_stream_arn = page.last_evaluated_stream_arn;
  } while (input.exclusive_start_stream_arn && seen.size() < 100);
  ASSERT_EQ(seen.size(), 50U);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], all.streams[i].stream_arn);
  }
  EXPECT_TRUE(engine_->ListStreams({.table_name = "another"}).value().streams.empty());
}

}  // namespace
}  // namespace stator
