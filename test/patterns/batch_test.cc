// Batches: any number of items, and nothing that gets lost on the way.

#include "stator/patterns/batch.h"

#include <algorithm>
#include <map>
#include <string>

#include "patterns/patterns_test.h"

namespace stator::patterns {
namespace {

std::string Name(int number) {
  return "t" + std::to_string(number);
}

std::vector<WriteRequest> Puts(int count) {
  std::vector<WriteRequest> writes;
  for (int i = 0; i < count; ++i) {
    writes.emplace_back(PutRequest{{{"pk", Name(i)}, {"n", i}}});
  }
  return writes;
}

std::vector<Item> Keys(int count) {
  std::vector<Item> keys;
  for (int i = 0; i < count; ++i) {
    keys.push_back({{"pk", Name(i)}});
  }
  return keys;
}

// Does the first write of a call and leaves the rest.
class OneAtATime final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    BatchWriteItemInput first = input;
    std::vector<WriteRequest>& writes = first.request_items.begin()->second;
    const std::vector<WriteRequest> rest(writes.begin() + 1, writes.end());
    writes.resize(1);
    Result<BatchWriteItemOutput> output = ForwardingDatabase::BatchWriteItem(first);
    if (output && !rest.empty()) {
      output->unprocessed_items[first.request_items.begin()->first] = rest;
    }
    return output;
  }
};

class BatchTest : public PatternsTest {
 protected:
  // On one thread, unless told otherwise, so that scripts of faults mean something.
  [[nodiscard]] BatchWriter Writer(BatchOptions options = {.parallelism = 1}) {
    return BatchWriter(faulty(), std::move(options), environment());
  }
  [[nodiscard]] BatchReader Reader(BatchOptions options = {.parallelism = 1}) {
    return BatchReader(faulty(), std::move(options), environment());
  }
};

TEST_F(BatchTest, WritesAnyNumberOfItemsOfSeveralTables) {
  Put(kThings, {{"pk", "old"}});
  std::vector<WriteRequest> writes = Puts(60);
  writes.emplace_back(DeleteRequest{{{"pk", "old"}}});
  const BatchWriteOutcome outcome =
      Writer().Write({{kThings, writes}, {kParts, {PutRequest{{{"pk", "a"}, {"sk", "b"}}}}}});
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.written, 62U);
  EXPECT_EQ(All(kThings).size(), 60U);
  EXPECT_EQ(All(kParts).size(), 1U);
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 3U);
  EXPECT_TRUE(Writer().Write({}).complete());
}

TEST_F(BatchTest, CutsByBytesWhereTheCountWouldAllowMore) {
  // Control characters are six bytes each as JSON, of which DynamoDB counts one.
  const std::string text(390 * 1024, '\x01');
  std::vector<WriteRequest> writes;
  for (int i = 0; i < 8; ++i) {
    writes.emplace_back(PutRequest{{{"pk", Name(i)}, {"s", text}}});
  }
  EXPECT_TRUE(Writer().Write({{kThings, writes}}).complete());
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 2U);
}

TEST_F(BatchTest, SendsAgainWhatWasLeftUnprocessed) {
  faulty().SetRates({.unprocessed = 0.7});
  const BatchWriteOutcome outcome = Writer().Write({{kThings, Puts(100)}});
  EXPECT_TRUE(outcome.complete()) << outcome.error->message;
  EXPECT_EQ(outcome.written, 100U);
  EXPECT_GT(outcome.sent_again, 0U);
  EXPECT_EQ(All(kThings).size(), 100U);
  EXPECT_GT(clock_.Elapsed(), Duration::zero()) << "not at once";
}

TEST_F(BatchTest, OnlyTimeWithoutProgressCounts) {
  // Far more rounds than there is time for, but each gets something done.
  OneAtATime slow(db());
  const BatchWriteOutcome outcome =
      BatchWriter(slow, {.parallelism = 1, .retry = Attempts(2)}, environment())
          .Write({{kThings, Puts(25)}});
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.sent_again, 24U * 25 / 2);
  EXPECT_EQ(All(kThings).size(), 25U);
}

TEST_F(BatchTest, NamesWhatIsLeftWhenThereIsNoMoreProgress) {
  faulty().Script("BatchWriteItem", {Fault::kNone, Fault::kThrottled, Fault::kThrottled});
  BatchWriteOutcome outcome =
      Writer({.parallelism = 1, .retry = Attempts(2)}).Write({{kThings, Puts(60)}});
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(outcome.written, 25U);
  ASSERT_EQ(outcome.remaining.size(), 1U);
  EXPECT_EQ(outcome.remaining[0].writes.size(), 35U);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kThrottled);
  EXPECT_TRUE(Writer().Write(std::move(outcome.remaining)).complete());
  EXPECT_EQ(All(kThings).size(), 60U);
}

TEST_F(BatchTest, ALostAnswerIsSentAgain) {
  faulty().Script("BatchWriteItem", {Fault::kLostAfter, Fault::kLostBefore});
  EXPECT_TRUE(Writer().Write({{kThings, Puts(10)}}).complete());
  EXPECT_EQ(All(kThings).size(), 10U);
}

TEST_F(BatchTest, EndsAtOnceWhenTheRequestIsWrong) {
  const BatchWriteOutcome outcome = Writer().Write({{{"no_table", {"pk"}}, Puts(60)}});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kTableNotFound);
  EXPECT_EQ(outcome.remaining[0].writes.size(), 60U);
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 1U);
}

TEST_F(BatchTest, EndsAtTheDeadlineAndWhenAskedTo) {
  faulty().Script("BatchWriteItem", std::vector<Fault>(1000, Fault::kThrottled));
  BatchWriteOutcome outcome = Writer({.parallelism = 1, .retry = {.budget = 1h}, .deadline = 10s})
                                  .Write({{kThings, Puts(60)}});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kTimeout);
  EXPECT_EQ(outcome.remaining[0].writes.size(), 60U);
  EXPECT_LT(clock_.Elapsed(), 16s);
  std::stop_source source;
  source.request_stop();
  const std::size_t calls = faulty().calls();
  outcome = Writer({.parallelism = 1, .stop = source.get_token()}).Write({{kThings, Puts(60)}});
  EXPECT_EQ(outcome.remaining[0].writes.size(), 60U);
  EXPECT_EQ(faulty().calls(), calls);
}

TEST_F(BatchTest, RefusesTwoWritesToOneItem) {
  std::vector<WriteRequest> writes = Puts(30);
  writes.emplace_back(DeleteRequest{{{"pk", Name(3)}}});
  const BatchWriteOutcome outcome = Writer().Write({{kThings, writes}});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kValidation);
  EXPECT_EQ(outcome.remaining[0].writes.size(), 31U);
  EXPECT_EQ(faulty().calls(), 0U);
}

TEST_F(BatchTest, LetsTheLastWriteToAnItemWinWhenToldTo) {
  std::vector<WriteRequest> writes = Puts(30);
  writes.emplace_back(DeleteRequest{{{"pk", Name(3)}}});
  writes.emplace_back(PutRequest{{{"pk", Name(4)}, {"n", "last"}}});
  EXPECT_TRUE(Writer({.duplicates = Duplicates::kLastWins, .parallelism = 1})
                  .Write({{kThings, writes}})
                  .complete());
  EXPECT_FALSE(Get(kThings, {{"pk", Name(3)}}));
  EXPECT_EQ(Get(kThings, {{"pk", Name(4)}})->at("n"), AttributeValue("last"));
}

TEST_F(BatchTest, DuplicatesAreDecidedByTheWholeKey) {
  EXPECT_TRUE(
      Writer()
          .Write({{kParts,
                   {PutRequest{{{"pk", "a"}, {"sk", "b"}}}, PutRequest{{{"pk", "b"}, {"sk", "a"}}},
                    PutRequest{{{"pk", "a"}, {"sk", "a"}}}}}})
          .complete());
  EXPECT_EQ(All(kParts).size(), 3U);
}

TEST_F(BatchTest, DoesNotPassByTheLocksOfVersionedItems) {
  TableLayout versioned = kThings;
  versioned.versioned = true;
  const BatchWriteOutcome outcome = Writer().Write({{versioned, Puts(1)}});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kValidation);
  EXPECT_TRUE(
      Writer({.parallelism = 1, .allow_versioned = true}).Write({{versioned, Puts(1)}}).complete());
}

TEST_F(BatchTest, TellsAboutItsProgress) {
  std::vector<std::size_t> done;
  BatchOptions options{.parallelism = 1};
  options.on_progress = [&](const BatchProgress& progress) {
    EXPECT_EQ(progress.total, 60U);
    done.push_back(progress.done);
  };
  EXPECT_TRUE(Writer(options).Write({{kThings, Puts(60)}}).complete());
  EXPECT_EQ(done, (std::vector<std::size_t>{25, 50, 60}));
}

TEST_F(BatchTest, WritesInParallelOnABadNetwork) {
  faulty().SetRates({.lost_before = 0.1, .lost_after = 0.1, .throttled = 0.1, .unprocessed = 0.3});
  BatchWriteOutcome outcome =
      Writer({.parallelism = 4, .retry = Attempts(30)}).Write({{kThings, Puts(500)}});
  EXPECT_TRUE(outcome.complete()) << outcome.error->message;
  EXPECT_EQ(outcome.written, 500U);
  faulty().SetRates({});
  EXPECT_EQ(All(kThings).size(), 500U);
}

TEST_F(BatchTest, ReadsInTheOrderOfTheKeysWithGapsAndRepetitions) {
  EXPECT_TRUE(Writer().Write({{kThings, Puts(250)}}).complete());
  std::vector<Item> keys = Keys(250);
  std::reverse(keys.begin(), keys.end());
  keys.insert(keys.begin() + 7, Item{{"pk", "missing"}});
  keys.push_back(keys.front());
  faulty().SetRates({.throttled = 0.1, .unprocessed = 0.5});
  const BatchReadOutcome outcome =
      Reader({.parallelism = 4, .retry = Attempts(30)}).Read(kThings, keys);
  ASSERT_TRUE(outcome.complete()) << outcome.error->message;
  ASSERT_EQ(outcome.items.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(outcome.items[i].has_value(), i != 7);
    if (i != 7) {
      EXPECT_EQ(outcome.items[i]->at("pk"), keys[i].at("pk"));
    }
  }
}

TEST_F(BatchTest, ReadsOnlyWhatIsAskedForAndWhatItNeeds) {
  Put(kThings, {{"pk", "a"}, {"data", 1}, {"name", 2}, {"expires_at", kNow + 9}});
  const BatchReadOutcome outcome =
      Reader().Read(kExpiringThings, {{{"pk", "a"}}}, {.attributes = {"data"}});
  EXPECT_EQ(outcome.items[0], (Item{{"pk", "a"}, {"data", 1}, {"expires_at", kNow + 9}}));
}

TEST_F(BatchTest, ReadsNoExpiredItems) {
  Put(kThings, {{"pk", "dead"}, {"expires_at", kNow}});
  Put(kThings, {{"pk", "alive"}, {"expires_at", kNow + 1}});
  const std::vector<Item> keys = {{{"pk", "dead"}}, {{"pk", "alive"}}};
  const BatchReadOutcome outcome = Reader().Read(kExpiringThings, keys);
  EXPECT_FALSE(outcome.items[0]);
  EXPECT_TRUE(outcome.items[1]);
  EXPECT_TRUE(Reader().Read(kExpiringThings, keys, {.include_expired = true}).items[0]);
}

TEST_F(BatchTest, NamesTheKeysThatWereNotRead) {
  faulty().Script("BatchGetItem", {Fault::kNone, Fault::kThrottled});
  const BatchReadOutcome outcome =
      Reader({.parallelism = 1, .retry = Attempts(1)}).Read(kThings, Keys(150));
  EXPECT_EQ(outcome.remaining.size(), 50U);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kThrottled);
}

}  // namespace
}  // namespace stator::patterns
