// Results that do not fit into a record: in a store of blobs.

#include <filesystem>

#include "stator/blobs/blob_store.h"
#include "stator/stores/tasks/task_survey.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

const Json kLarge = std::string(1'500'000, 'x');  // NOLINT: fixed

// Fails when told so.
class BlobsThatFail final : public BlobStore {
 public:
  explicit BlobsThatFail(BlobStore& next) : next_(next) {}

  [[nodiscard]] std::string_view provider() const override { return next_.provider(); }
  [[nodiscard]] std::string place() const override { return next_.place(); }
  Result<void> Write(const std::string& key, std::string_view bytes) override {
    if (fails) {
      return Fail(ErrorCode::kIo, "no room for " + key);
    }
    return next_.Write(key, bytes);
  }
  Result<std::string> Read(const std::string& key) override { return next_.Read(key); }
  Result<void> Remove(const std::string& key) override { return next_.Remove(key); }
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override {
    return next_.Describe(folder);
  }
  Result<std::size_t> RemoveUnfinished(TimePoint before) override {
    return next_.RemoveUnfinished(before);
  }

  bool fails = false;

 private:
  BlobStore& next_;
};

class LargeResults : public TaskStoreTest {
 protected:
  void SetUp() override {
    TaskStoreTest::SetUp();
    folder_ = std::filesystem::temp_directory_path() / ("stator-results-" + SystemRandom().Uuid());
    files_ = *OpenFileBlobs(folder_.string());
    blobs_.emplace(*files_);
    UseOptions({.table = std::string(kTable), .blobs = &*blobs_});
    id_ = Created().task.id;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<TaskRecord> Complete(const Json& result) {
    return store_->Complete("alice", id_, {.status = TaskStatus::kCompleted, .result = result});
  }
  std::vector<std::string> Keys() { return *blobs_->List(std::string(kTable)); }

  std::filesystem::path folder_;
  std::unique_ptr<BlobStore> files_;
  std::optional<BlobsThatFail> blobs_;
  std::string id_;
};

TEST_P(LargeResults, AreReadWithTheTask) {
  const auto completed = Complete(kLarge);
  ASSERT_TRUE(completed) << completed.error().message;
  EXPECT_EQ(completed->result, kLarge);
  EXPECT_EQ(store_->GetResult("alice", id_)->result, kLarge);
  EXPECT_EQ(store_->Get("alice", id_)->result, kLarge);
  EXPECT_EQ(store_->Poll("alice", id_)->status, TaskStatus::kCompleted);
  EXPECT_THAT(Keys(), testing::ElementsAre(*completed->result_blob));
  EXPECT_LT(backend_->Get({.owner = "alice", .task = id_})->data.size(), 2000);
}

TEST_P(LargeResults, SmallOnesStayInTheRecord) {
  ASSERT_TRUE(Complete(std::string(100'000, 'x')));
  EXPECT_FALSE(store_->Get("alice", id_)->result_blob);
  EXPECT_THAT(Keys(), testing::IsEmpty());
}

TEST_P(LargeResults, AreKeptByChangesThatFollow) {
  UseOptions({.table = std::string(kTable), .variables_after_end = true, .blobs = &*blobs_});
  ASSERT_TRUE(store_->SetResult("alice", id_, kLarge));
  ASSERT_TRUE(store_->SetVariables("alice", id_, {{"a", 1}}));
  ASSERT_TRUE(store_->Complete("alice", id_, {.status = TaskStatus::kCompleted}));
  ASSERT_TRUE(store_->SetVariables("alice", id_, {{"b", 2}}));
  EXPECT_EQ(store_->GetResult("alice", id_)->result, kLarge);
}

TEST_P(LargeResults, GiveWayToASmallOne) {
  ASSERT_TRUE(store_->SetResult("alice", id_, kLarge));
  ASSERT_TRUE(Complete("small"));
  EXPECT_EQ(store_->GetResult("alice", id_)->result, Json("small"));
  EXPECT_FALSE(store_->Get("alice", id_)->result_blob);
}

TEST_P(LargeResults, OfAStoreThatFailsLeaveTheTaskAsItWas) {
  blobs_->fails = true;
  const auto failed = Complete(kLarge);
  ASSERT_THAT(failed, FailsWith(ErrorCode::kIo));
  EXPECT_TRUE(IsStoreFailure(failed.error().code));
  EXPECT_EQ(store_->Get("alice", id_)->version, 1);
  blobs_->fails = false;
  EXPECT_TRUE(Complete(kLarge));
}

TEST_P(LargeResults, HaveALimit) {
  UseOptions({.table = std::string(kTable), .blobs = &*blobs_, .result_bytes_max = 1'000'000});
  EXPECT_THAT(Complete(kLarge), FailsWith(ErrorCode::kTooLarge));
  EXPECT_THAT(Keys(), testing::IsEmpty());
}

TEST_P(LargeResults, DoNotHelpATaskThatIsTooLargeWithoutThem) {
  EXPECT_THAT(store_->Create(kAlice, {.method = "m", .arguments = kLarge}),
              FailsWith(ErrorCode::kTooLarge));
  EXPECT_THAT(
      store_->Complete("alice", id_,
                       {.status = TaskStatus::kFailed,
                        .result = kLarge,
                        .error = TaskFault{.code = 1, .message = std::string(500'000, 'x')}}),
      FailsWith(ErrorCode::kTooLarge));
  EXPECT_THAT(Keys(), testing::IsEmpty());
}

TEST_P(LargeResults, ThatWereLostAreAFailureOfTheStore) {
  ASSERT_TRUE(Complete(kLarge));
  ASSERT_TRUE(blobs_->Remove(Keys().front()));
  EXPECT_THAT(store_->GetResult("alice", id_), FailsWith(ErrorCode::kCorruption));
  EXPECT_EQ(store_->Poll("alice", id_)->status, TaskStatus::kCompleted);
}

TEST_P(LargeResults, CannotBeReadWithoutTheirStoreButTheTaskCan) {
  ASSERT_TRUE(Complete(kLarge));
  UseOptions({.table = std::string(kTable)});
  EXPECT_THAT(store_->GetResult("alice", id_), FailsWith(ErrorCode::kCorruption));
  const auto record = store_->Get("alice", id_);
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->result);
  EXPECT_TRUE(record->result_blob);
}

TEST_P(LargeResults, AreSweptWhenNoTaskHasThem) {
  if (GetParam() == BackendKind::kMemory) {
    GTEST_SKIP() << "is no table";
  }
  const auto sweep = [&](Duration later) {
    return *SweepResults(home_->database(), std::string(kTable), *blobs_,
                         SystemClock().Now() + later);
  };
  ASSERT_TRUE(Complete(kLarge));
  const std::string other = Created().task.id;
  ASSERT_TRUE(
      store_->Complete("alice", other, {.status = TaskStatus::kCompleted, .result = kLarge}));
  ASSERT_EQ(Keys().size(), 2) << "two tasks never share a blob";
  EXPECT_EQ(sweep(hours(2)), 0);
  ASSERT_TRUE(*store_->Delete("alice", other));
  EXPECT_EQ(sweep(hours(0)), 0) << "its task may be about to be stored";
  EXPECT_EQ(sweep(hours(2)), 1);
  EXPECT_EQ(store_->GetResult("alice", id_)->result, kLarge);
}

FOR_EVERY_BACKEND(LargeResults);

}  // namespace
}  // namespace stator::tasks
