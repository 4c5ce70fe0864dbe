// Schema changes while others write: an index that is made meanwhile agrees with its table, and a
// table that is deleted and made again holds nothing of its past.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "concurrency/stage.h"
#include "stator/base/random.h"

namespace stator::concurrency {
namespace {

constexpr int kWriters = 6;
constexpr int kKeys = 12;

using Updates = std::vector<GlobalSecondaryIndexUpdate>;

class SchemaChanges : public ConcurrencyTest {
 protected:
  std::vector<Item> ReadAll(const std::optional<std::string>& index) {
    ScanInput input{.table_name = "things", .index_name = index};
    std::vector<Item> items;
    while (true) {
      const ScanOutput output = Must(db().Scan(input));
      items.insert(items.end(), output.items->begin(), output.items->end());
      if (!output.last_evaluated_key) {
        return items;
      }
      input.exclusive_start_key = output.last_evaluated_key;
    }
  }

  static void SortByKey(std::vector<Item>& items) {
    std::sort(items.begin(), items.end(), [](const Item& left, const Item& right) {
      return *left.at("pk").If<std::string>() < *right.at("pk").If<std::string>();
    });
  }

  // One random write; the table may be gone.
  void WriteSomething(Random& random, bool may_be_gone) {
    const std::string pk = std::to_string(random.Below(kKeys));
    Item item{{"pk", pk}, {"v", static_cast<std::int64_t>(random.Below(100))}};
    if (random.Below(4) != 0) {
      item.Set("g", std::string(1, static_cast<char>('a' + random.Below(3))));
    }
    Result<void> result;
    const auto note = [&](const auto& outcome) {
      if (!outcome) {
        result = std::unexpected(outcome.error());
      }
    };
    switch (random.Below(4)) {
      case 0:
        note(db().DeleteItem({.table_name = "things", .key = {{"pk", pk}}}));
        break;
      case 1:
        note(db().TransactWriteItems(
            {.transact_items = {TransactPut{.table_name = "things", .item = item}}}));
        break;
      case 2:
        note(db().BatchWriteItem({.request_items = {{"things", {PutRequest{item}}}}}));
        break;
      default:
        note(db().PutItem({.table_name = "things", .item = item}));
    }
    if (!result && !(may_be_gone && result.error().code == ErrorCode::kTableNotFound)) {
      FailMust(result.error());
    }
  }

  void CheckIndexAgrees() {
    std::vector<Item> expected;
    for (const Item& item : ReadAll(std::nullopt)) {
      if (item.contains("g")) {
        expected.push_back(item);
      }
    }
    std::vector<Item> indexed = ReadAll("by_g");
    SortByKey(expected);
    SortByKey(indexed);
    EXPECT_EQ(indexed, expected);
    const auto table = Must(db().DescribeTable({.table_name = "things"})).table;
    EXPECT_EQ(table.global_secondary_indexes->at(0).item_count,
              static_cast<std::int64_t>(expected.size()));
  }
};

TEST_P(SchemaChanges, AnIndexMadeMeanwhileAgreesWithItsTable) {
  MakeTable("things");
  for (int round = 0; round < 4 * Effort(); ++round) {
    std::atomic<bool> made = false;
    InParallel(kWriters + 1, [&](int thread) {
      if (thread == kWriters) {
        // A setting that changes just before puts one more version of the table between writers.
        Must(db().UpdateTable({.table_name = "things", .deletion_protection_enabled = false}));
        Must(db().UpdateTable(
            {.table_name = "things",
             .attribute_definitions =
                 std::vector<AttributeDefinition>{{"g", ScalarAttributeType::kString}},
             .global_secondary_index_updates =
                 Updates{GlobalSecondaryIndex{.index_name = "by_g",
                                              .key_schema = {{"g", KeyType::kHash}},
                                              .projection = {ProjectionType::kAll}}}}));
        db().AwaitBackgroundJobs();
        made = true;
        return;
      }
      SeededRandom random(static_cast<std::uint64_t>(round * kWriters + thread));
      while (!made) {
        WriteSomething(random, false);
      }
      for (int number = 0; number < 10; ++number) {
        WriteSomething(random, false);
      }
    });
    CheckIndexAgrees();
    Must(db().UpdateTable(
        {.table_name = "things",
         .global_secondary_index_updates = Updates{DeleteGlobalSecondaryIndexAction{"by_g"}}}));
    db().AwaitBackgroundJobs();
  }
}

TEST_P(SchemaChanges, AnIndexCanBeDroppedMeanwhile) {
  MakeTable("things");
  for (int round = 0; round < 3 * Effort(); ++round) {
    std::atomic<bool> done = false;
    InParallel(kWriters + 1, [&](int thread) {
      if (thread < kWriters) {
        SeededRandom random(static_cast<std::uint64_t>(round * kWriters + thread));
        while (!done) {
          WriteSomething(random, false);
        }
        return;
      }
      for (int number = 0; number < 2; ++number) {
        Must(db().UpdateTable(
            {.table_name = "things",
             .attribute_definitions =
                 std::vector<AttributeDefinition>{{"g", ScalarAttributeType::kString}},
             .global_secondary_index_updates =
                 Updates{GlobalSecondaryIndex{.index_name = "by_g",
                                              .key_schema = {{"g", KeyType::kHash}},
                                              .projection = {ProjectionType::kAll}}}}));
        db().AwaitBackgroundJobs();
        if (number == 0) {
          Must(db().UpdateTable({.table_name = "things",
                                 .global_secondary_index_updates =
                                     Updates{DeleteGlobalSecondaryIndexAction{"by_g"}}}));
          db().AwaitBackgroundJobs();
        }
      }
      done = true;
    });
    CheckIndexAgrees();
    Must(db().UpdateTable(
        {.table_name = "things",
         .global_secondary_index_updates = Updates{DeleteGlobalSecondaryIndexAction{"by_g"}}}));
    db().AwaitBackgroundJobs();
  }
}

TEST_P(SchemaChanges, ATableMadeAgainHoldsNothingOfItsPast) {
  MakeTable("things");
  std::atomic<bool> done = false;
  InParallel(kWriters + 1, [&](int thread) {
    if (thread < kWriters) {
      SeededRandom random(static_cast<std::uint64_t>(thread));
      while (!done) {
        WriteSomething(random, true);
      }
      return;
    }
    for (int round = 0; round < 8 * Effort(); ++round) {
      Must(db().DeleteTable({.table_name = "things"}));
      MakeTable("things");
    }
    done = true;
  });
  Must(db().DeleteTable({.table_name = "things"}));
  MakeTable("things");
  EXPECT_TRUE(ReadAll(std::nullopt).empty());
  db().AwaitBackgroundJobs();
  EXPECT_TRUE(ReadAll(std::nullopt).empty());
  EXPECT_EQ(Must(db().DescribeTable({.table_name = "things"})).table.item_count, 0);
}

TEST_P(SchemaChanges, ExpirySwitchedOnMeanwhileFindsEveryItem) {
  MakeTable("things");
  std::atomic<bool> done = false;
  InParallel(kWriters + 1, [&](int thread) {
    if (thread < kWriters) {
      SeededRandom random(static_cast<std::uint64_t>(thread));
      while (!done) {
        const std::string pk = std::to_string(random.Below(kKeys));
        // Long enough ago to be swept, not so long as to be ignored.
        const std::int64_t past = EpochSeconds(SystemClock().Now()) - 1000;
        Must(db().PutItem({.table_name = "things", .item = {{"pk", pk}, {"expires", past}}}));
      }
      return;
    }
    Must(db().UpdateTimeToLive(
        {.table_name = "things",
         .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
    db().AwaitBackgroundJobs();
    done = true;
  });
  Must(db().RunHousekeeping());
  EXPECT_TRUE(ReadAll(std::nullopt).empty());
}

INSTANTIATE_TEST_SUITE_P(Homes, SchemaChanges, testing::Values(Home::kMemory, Home::kFiles),
                         NameOfHome);

}  // namespace
}  // namespace stator::concurrency
