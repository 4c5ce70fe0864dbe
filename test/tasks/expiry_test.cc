// Expiry is decided at read, to the microsecond, whatever the database has removed.

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using Status = TaskStatus;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

class Expiry : public TaskStoreTest {
 protected:
  std::string ShortTask() { return Created({.method = "m", .ttl_ms = 1500}).task.id; }
};

TEST_P(Expiry, BeginsBehindTheLastMoment) {
  const std::string id = ShortTask();
  clock_.Advance(milliseconds(1500));
  EXPECT_TRUE(store_->Get("alice", id));
  EXPECT_TRUE(store_->Poll("alice", id));
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
  clock_.Advance(microseconds(1));
  const auto gone = store_->Get("alice", id);
  ASSERT_THAT(gone, FailsWith(ErrorCode::kExpired));
  EXPECT_EQ(gone.error().message, "task expired: " + id + " (expired at 2026-11-15T12:00:01.500Z)");
  EXPECT_EQ(JsonRpcCode(gone.error().code), -32602);
}

TEST_P(Expiry, EndsEveryOperation) {
  const std::string id = ShortTask();
  clock_.Advance(seconds(2));
  EXPECT_THAT(store_->Poll("alice", id), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->GetResult("alice", id), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->UpdateStatus("alice", id, Status::kFailed), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->SetMessage("alice", id, "m"), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->SetVariables("alice", id, {}), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->SetResult("alice", id, 1), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->Complete("alice", id, {.status = Status::kCompleted}),
              FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->Cancel("alice", id), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->Claim("alice", id, "w", "g", seconds(1)), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->Renew("alice", id, "w", seconds(1)), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->RequestInput("alice", id, {{.id = "q", .method = "m", .params = Json()}}),
              FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->AnswerInput("alice", id, "q", 1), FailsWith(ErrorCode::kExpired));
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

TEST_P(Expiry, IsNotPutOffByChanges) {
  const std::string id = ShortTask();
  clock_.Advance(seconds(1));
  const auto changed = store_->SetVariables("alice", id, {{"a", 1}});
  EXPECT_EQ(changed->expires_at, kStart + milliseconds(1500));
  EXPECT_EQ(changed->task.ttl_ms, 1500);
  clock_.Advance(seconds(1));
  EXPECT_THAT(store_->Get("alice", id), FailsWith(ErrorCode::kExpired));
}

TEST_P(Expiry, CanBeShown) {
  UseOptions({.show_expired = true});
  const std::string id = ShortTask();
  clock_.Advance(seconds(2));
  EXPECT_EQ(store_->Get("alice", id)->task.status, Status::kWorking);
  EXPECT_TRUE(store_->Poll("alice", id));
  EXPECT_THAT(store_->GetResult("alice", id), FailsWith(ErrorCode::kNotReady));
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
  EXPECT_THAT(store_->Cancel("alice", id), FailsWith(ErrorCode::kExpired));
  EXPECT_THAT(store_->Renew("alice", id, "w", seconds(1)), FailsWith(ErrorCode::kExpired));
}

TEST_P(Expiry, PagesGoOnBehindExpiredTasks) {
  const std::string old = Created().task.id;
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(milliseconds(1));
    ShortTask();
  }
  clock_.Advance(seconds(2));
  const auto page = store_->List("alice", std::nullopt, 1);
  ASSERT_EQ(page->tasks.size(), 1);
  EXPECT_EQ(page->tasks[0].id, old);
  EXPECT_FALSE(page->next_cursor);
}

TEST_P(Expiry, CleaningUpIsTheBackendsBusiness) {
  ShortTask();
  const std::string kept = Created().task.id;
  EXPECT_EQ(store_->CleanupExpired().value(), 0);
  clock_.Advance(seconds(10));
  const bool in_memory = GetParam() == BackendKind::kMemory;
  EXPECT_EQ(store_->CleanupExpired().value(), in_memory ? 1 : 0);
  EXPECT_TRUE(store_->Get("alice", kept));
}

FOR_EVERY_BACKEND(Expiry);

}  // namespace
}  // namespace stator::tasks
