// Checkpoints of projections: their life, conditional writes, lost answers, and where their state
// is.

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"
#include "stator/blobs/blob_store.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/projection_status.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;
namespace fs = std::filesystem;

// Bytes that do not get smaller.
std::string Noise(std::size_t size) {
  SeededRandom random(3);
  std::string bytes(size, '\0');
  random.Fill(std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

class CheckpointTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    directory_ = fs::temp_directory_path() / ("stator-states-" + SystemRandom().Uuid());
    blobs_ = *OpenFileBlobs(directory_.string());
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  static Checkpoint Make(std::string state, const CheckpointToken& token = {}) {
    return {.projector = "seats",
            .version = "1",
            .cursor = {SortableId::FromParts(5, 6), "event", 7},
            .events = 9,
            .state = std::move(state),
            .token = token};
  }

  static CheckpointToken CurrentOf(const Result<CheckpointToken>& result) {
    if (result) {
      ADD_FAILURE() << "was not rejected";
      return {};
    }
    EXPECT_EQ(result.error().code, ErrorCode::kConditionFailed) << result.error().message;
    const auto* detail = dynamic_cast<const CheckpointRejected*>(result.error().detail.get());
    return detail == nullptr ? CheckpointToken{} : detail->current;
  }

  fs::path directory_;
  std::unique_ptr<BlobStore> blobs_;
};

constexpr CheckpointToken kFirst{.generation = 0, .revision = 1, .exists = true};

TEST_F(CheckpointTest, LivesFromTheFirstSaveThroughTombstoneToRebuilt) {
  CheckpointStore checkpoints(*store_);
  EXPECT_FALSE(checkpoints.Find("seats", "1")->has_value());
  ASSERT_EQ(*checkpoints.Save(Make("one")), kFirst);
  const auto found = checkpoints.Find("seats", "1");
  EXPECT_EQ((*found)->state, "one");
  EXPECT_EQ((*found)->cursor, (Cursor{SortableId::FromParts(5, 6), "event", 7}));
  EXPECT_EQ((*found)->events, 9U);
  EXPECT_EQ((*found)->token, kFirst);
  const auto second = checkpoints.Save(Make("two", kFirst));
  EXPECT_EQ(second->revision, 2U);
  const auto tombstone = checkpoints.Invalidate("seats", "1", *second);
  EXPECT_EQ(*tombstone, (CheckpointToken{1, 3, true, true}));
  EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, "two");
  // A save cannot revive it, whatever it knows.
  CurrentOf(checkpoints.Save(Make("three", *tombstone)));
  EXPECT_EQ(CurrentOf(checkpoints.Save(Make("three", *second))), *tombstone);
  EXPECT_EQ(*checkpoints.CommitRebuilt(Make("rebuilt", *tombstone)),
            (CheckpointToken{1, 4, false, true}));
  EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, "rebuilt");
  EXPECT_TRUE(*checkpoints.Remove("seats", "1"));
  EXPECT_FALSE(*checkpoints.Remove("seats", "1"));
}

TEST_F(CheckpointTest, AStaleTokenIsRefusedThoughItsGenerationIsRight) {
  CheckpointStore checkpoints(*store_);
  ASSERT_TRUE(checkpoints.Save(Make("one")).has_value());
  const auto second = checkpoints.Save(Make("two", kFirst));
  EXPECT_EQ(CurrentOf(checkpoints.Save(Make("other", kFirst))), *second);
  EXPECT_EQ(CurrentOf(checkpoints.Save(Make("other"))), *second);
  EXPECT_EQ(CurrentOf(checkpoints.Invalidate("seats", "1", kFirst)), *second);
  EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, "two");
}

TEST_F(CheckpointTest, OfTenThatTryTheSameStepOneSucceeds) {
  CheckpointStore checkpoints(*store_);
  std::atomic<int> saved = 0;
  std::atomic<int> invalidated = 0;
  std::atomic<int> rebuilt = 0;
  const auto race = [&](const std::function<bool()>& step, std::atomic<int>& winners) {
    std::vector<std::jthread> racers;
    for (int racer = 0; racer < 10; ++racer) {
      racers.emplace_back([&] { winners += step() ? 1 : 0; });
    }
  };
  race([&] { return checkpoints.Save(Make("x")).has_value(); }, saved);
  race([&] { return checkpoints.Invalidate("seats", "1", kFirst).has_value(); }, invalidated);
  const CheckpointToken tombstone{1, 2, true, true};
  race([&] { return checkpoints.CommitRebuilt(Make("y", tombstone)).has_value(); }, rebuilt);
  EXPECT_EQ(saved, 1);
  EXPECT_EQ(invalidated, 1);
  EXPECT_EQ(rebuilt, 1);
}

TEST_F(CheckpointTest, ALostAnswerIsSettledByReading) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  CheckpointStore checkpoints(*store);
  database.Script("PutItem", {Fault::kLostAfter});
  EXPECT_EQ(*checkpoints.Save(Make("one")), kFirst);
  database.Script("UpdateItem", {Fault::kLostAfter});
  const auto tombstone = checkpoints.Invalidate("seats", "1", kFirst);
  ASSERT_TRUE(tombstone.has_value()) << tombstone.error().message;
  EXPECT_TRUE(tombstone->tombstoned);
}

TEST_F(CheckpointTest, AWriteThatNeverArrivedIsInDoubtAndItsRepetitionSucceeds) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  CheckpointStore checkpoints(*store);
  ASSERT_TRUE(checkpoints.Save(Make("one")).has_value());
  database.Script("PutItem", {Fault::kLostBefore});
  const auto lost = checkpoints.Save(Make("two", kFirst));
  ASSERT_FALSE(lost.has_value());
  EXPECT_EQ(lost.error().code, ErrorCode::kAmbiguous);
  EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, "one");
  EXPECT_EQ(checkpoints.Save(Make("two", kFirst))->revision, 2U);
}

// Reads that take six seconds each and fail.
class HangingDatabase final : public ForwardingDatabase {
 public:
  HangingDatabase(Database& next, Clock& clock) : ForwardingDatabase(next), clock_(&clock) {}
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    if (hangs) {
      return Fail(ErrorCode::kAmbiguous, "the answer is lost");
    }
    return ForwardingDatabase::PutItem(input);
  }
  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    if (hangs) {
      ++reads;
      clock_->SleepFor(std::chrono::seconds(6));
      return Fail(ErrorCode::kTimeout, "hangs");
    }
    return ForwardingDatabase::GetItem(input);
  }
  bool hangs = false;
  int reads = 0;

 private:
  Clock* clock_;
};

TEST_F(CheckpointTest, ReadingBackHasABudget) {
  HangingDatabase hanging(home_->database(), clock_);
  auto store = Open(hanging);
  CheckpointStore checkpoints(*store);
  hanging.hangs = true;
  EXPECT_EQ(checkpoints.Save(Make("one")).error().code, ErrorCode::kAmbiguous);
  EXPECT_EQ(hanging.reads, 2);  // ten seconds, and nothing goes on behind the caller's back
  hanging.hangs = false;
  EXPECT_FALSE(checkpoints.Find("seats", "1")->has_value());
}

TEST_F(CheckpointTest, ARowWithoutGenerationsIsReadAndCanBeSaved) {
  CheckpointStore checkpoints(*store_);
  ASSERT_TRUE(checkpoints.Save(Make("old")).has_value());
  patterns::Update update;
  update.Remove("generation").Remove("revision").Remove("lifecycle").Remove("documentType");
  ASSERT_TRUE(home_->database().UpdateItem(patterns::MakeUpdate(
      "SekibanProjectionStates", {{"pk", "SERVICE#default#PROJECTOR#seats"}, {"sk", "VERSION#1"}},
      update)));
  const auto old = checkpoints.Find("seats", "1");
  EXPECT_EQ((*old)->token, (CheckpointToken{0, 0, false, true}));
  EXPECT_EQ(checkpoints.Save(Make("new", (*old)->token))->revision, 1U);
  EXPECT_EQ(checkpoints.List("seats")->size(), 1U);
}

TEST_F(CheckpointTest, StateGoesWhereItsItemFits) {
  auto store = Open(home_->database(), {.offload_threshold_bytes = 100'000});
  CheckpointStore with_blobs(*store, blobs_.get());
  CheckpointStore without(*store);
  CheckpointToken token;
  const auto save = [&](CheckpointStore& checkpoints, std::size_t bytes) {
    const auto saved = checkpoints.Save(Make(Noise(bytes), token));
    EXPECT_TRUE(saved.has_value()) << saved.error().message;
    token = saved.value_or(token);
    EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, Noise(bytes));
    return checkpoints.List("seats")->front().offloaded;
  };
  EXPECT_FALSE(save(with_blobs, 0));
  EXPECT_FALSE(save(with_blobs, 90'000));
  EXPECT_TRUE(save(with_blobs, 100'001));
  EXPECT_EQ(blobs_->List("default")->size(), 1U);
  EXPECT_TRUE(save(with_blobs, 1'000'000));
  // The blob of the state before is gone.
  EXPECT_EQ(blobs_->List("default")->size(), 1U);
  EXPECT_FALSE(save(without, 350'000));
  const auto too_large = without.Save(Make(Noise(450'000), token));
  ASSERT_FALSE(too_large.has_value());
  EXPECT_EQ(too_large.error().code, ErrorCode::kValidation);
  // What compresses well stays inline however large it is.
  const auto saved = with_blobs.Save(Make(std::string(5'000'000, 'x'), token));
  ASSERT_TRUE(saved.has_value()) << saved.error().message;
  EXPECT_FALSE(with_blobs.List("seats")->front().offloaded);
}

TEST_F(CheckpointTest, BlobsThatNobodyNamesAreSwept) {
  CheckpointStore checkpoints(*store_, blobs_.get());
  ASSERT_TRUE(checkpoints.Save(Make(Noise(500'000))).has_value());
  const std::string orphan = MakeBlobKey("default/seats/1", "orphan");
  const std::string other = MakeBlobKey("default/others/1", "other");
  ASSERT_TRUE(blobs_->Write(orphan, "orphan").has_value());
  ASSERT_TRUE(blobs_->Write(other, "other").has_value());
  const TimePoint written = blobs_->Describe("default/seats")->front().written_at;
  // An hour must have passed: a save that is under way has stored no key yet.
  clock_.Advance(written - clock_.Now());
  EXPECT_EQ(*checkpoints.SweepBlobs("seats"), 0U);
  clock_.Advance(std::chrono::hours(2));
  EXPECT_EQ(*checkpoints.SweepBlobs("seats"), 1U);
  EXPECT_EQ(blobs_->Read(orphan).error().code, ErrorCode::kResourceNotFound);
  EXPECT_TRUE(blobs_->Read(other).has_value());
  EXPECT_EQ((*checkpoints.Find("seats", "1"))->state, Noise(500'000));
}

TEST_F(CheckpointTest, TheBlobsOfAProjectorAreNotBelowThoseOfAnother) {
  CheckpointStore checkpoints(*store_, blobs_.get());
  Checkpoint inner = Make(Noise(500'000));
  inner.projector = "seats/1";
  ASSERT_TRUE(checkpoints.Save(inner).has_value());
  clock_.Advance(std::chrono::hours(24 * 365 * 50));
  EXPECT_EQ(*checkpoints.SweepBlobs("seats"), 0U);
  EXPECT_EQ((*checkpoints.Find("seats/1", "1"))->state, Noise(500'000));
}

// Lets something happen before a blob is read.
class InterruptedBlobs final : public BlobStore {
 public:
  explicit InterruptedBlobs(BlobStore& blobs) : blobs_(&blobs) {}
  std::function<void()> before_read;

  [[nodiscard]] std::string_view provider() const override { return blobs_->provider(); }
  [[nodiscard]] std::string place() const override { return blobs_->place(); }
  Result<void> Write(const std::string& key, std::string_view bytes) override {
    return blobs_->Write(key, bytes);
  }
  Result<std::string> Read(const std::string& key) override {
    if (before_read) {
      std::exchange(before_read, nullptr)();
    }
    return blobs_->Read(key);
  }
  Result<void> Remove(const std::string& key) override { return blobs_->Remove(key); }
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override {
    return blobs_->Describe(folder);
  }
  Result<std::size_t> RemoveUnfinished(TimePoint before) override {
    return blobs_->RemoveUnfinished(before);
  }

 private:
  BlobStore* blobs_;
};

TEST_F(CheckpointTest, AStateThatIsReplacedWhileItIsReadIsReadAgain) {
  CheckpointStore checkpoints(*store_, blobs_.get());
  ASSERT_TRUE(checkpoints.Save(Make(Noise(500'000))).has_value());
  InterruptedBlobs interrupted(*blobs_);
  interrupted.before_read = [&] {
    ASSERT_TRUE(checkpoints.Save(Make(Noise(600'000), kFirst)).has_value());
  };
  const auto found = CheckpointStore(*store_, &interrupted).Find("seats", "1");
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ((*found)->state, Noise(600'000));
  // One that is really gone is said to be.
  const std::vector<std::string> keys = *blobs_->List("default");
  for (const std::string& key : keys) {
    ASSERT_TRUE(blobs_->Remove(key).has_value());
  }
  EXPECT_EQ(checkpoints.Find("seats", "1").error().code, ErrorCode::kResourceNotFound);
}

TEST_F(CheckpointTest, StatesAndStatusRowsDoNotMix) {
  CheckpointStore checkpoints(*store_);
  StatusRegistry registry(*store_);
  ASSERT_TRUE(checkpoints.Save(Make("one")).has_value());
  ProjectionStatus status{.projector = "seats", .version = "1", .instance = "host-1"};
  ASSERT_TRUE(registry.Write(status, 0).has_value());
  EXPECT_EQ(checkpoints.List("seats")->size(), 1U);
  EXPECT_EQ(registry.List("seats")->size(), 1U);
  EXPECT_TRUE(*checkpoints.Remove("seats", "1"));
  EXPECT_EQ(registry.List("seats")->size(), 1U);
  EXPECT_TRUE(registry.List("seats", "2")->empty());
}

TEST_F(CheckpointTest, AStatusWriterThatWasLeftBehindDoesNotOverwrite) {
  StatusRegistry registry(*store_);
  ProjectionStatus status{.projector = "seats",
                          .version = "1",
                          .instance = "host-1",
                          .phase = ProjectionPhase::kCatchingUp,
                          .events = 5,
                          .last_applied = SortableId::FromParts(1, 2),
                          .last_traversed = SortableId::FromParts(3, 4)};
  ASSERT_TRUE(registry.Write(status, 0).has_value());
  EXPECT_FALSE(registry.Write(status, 0).has_value());
  status.sequence = 2;
  status.phase = ProjectionPhase::kCaughtUp;
  ASSERT_TRUE(registry.Write(status, 1).has_value());
  status.sequence = 3;
  const auto stale = registry.Write(status, 1);
  ASSERT_FALSE(stale.has_value());
  const auto* conflict = dynamic_cast<const StatusConflict*>(stale.error().detail.get());
  ASSERT_NE(conflict, nullptr);
  EXPECT_EQ(conflict->current->sequence, 2U);
  EXPECT_EQ(conflict->current->phase, ProjectionPhase::kCaughtUp);
  EXPECT_EQ(conflict->current->last_traversed, SortableId::FromParts(3, 4));
  EXPECT_EQ(registry.Write(status, 3).error().code, ErrorCode::kValidation);
}

}  // namespace
}  // namespace stator::events
