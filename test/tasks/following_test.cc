// Hearing of changes: by the stream of the table, if it has one.

#include "stator/stores/tasks/task_table.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::seconds;

class Following : public TaskStoreTest {
 protected:
  // What the feed names within a few looks: a stream may tell with a delay.
  static std::vector<RecordKey> Heard(ChangeFeed& feed, std::size_t expected) {
    std::vector<RecordKey> keys;
    for (int look = 0; look < 100 && (keys.size() < expected || look < 3); ++look) {
      const auto changes = feed.Poll();
      EXPECT_TRUE(changes);
      keys.insert(keys.end(), changes->records.begin(), changes->records.end());
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
    return keys;
  }
};

TEST_P(Following, NeedsAStream) {
  const auto feed = store_->Follow();
  ASSERT_TRUE(feed) << feed.error().message;
  EXPECT_EQ(*feed, nullptr);
}

TEST_P(Following, TellsWhatChangesFromNowOn) {
  if (GetParam() == BackendKind::kMemory) {
    GTEST_SKIP() << "is no table";
  }
  Created();
  ASSERT_TRUE(FollowTaskTable(home_->database(), kTable, SystemClock()).value());
  EXPECT_FALSE(FollowTaskTable(home_->database(), kTable, SystemClock()).value());
  Created();
  const auto feed = store_->Follow();
  ASSERT_TRUE(feed) << feed.error().message;
  ASSERT_NE(*feed, nullptr);
  EXPECT_TRUE(Heard(**feed, 0).empty());
  const std::string id =
      Created(
          {.method = "m", .lease = LeaseRequest{.worker = "w", .group = "g", .length = seconds(5)}})
          .task.id;
  const RecordKey key{.owner = "alice", .task = id};
  EXPECT_EQ(Heard(**feed, 1), std::vector{key});
  ASSERT_TRUE(store_->Renew("alice", id, "w", seconds(5)));
  ASSERT_TRUE(store_->SetMessage("alice", id, "half"));
  EXPECT_EQ(Heard(**feed, 1), std::vector{key}) << "heartbeats are no news";
  ASSERT_TRUE(store_->Delete("alice", id));
  EXPECT_EQ(Heard(**feed, 1), std::vector{key});
}

FOR_EVERY_BACKEND(Following);

}  // namespace
}  // namespace stator::tasks
