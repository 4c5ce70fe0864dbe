// Outcomes: values, errors and JSON's null told apart, and what a task without an outcome says.

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using Status = TaskStatus;

class Results : public TaskStoreTest {};

TEST_P(Results, AreNotReadyBeforeTheEnd) {
  const std::string id = Created().task.id;
  const auto early = store_->GetResult("alice", id);
  ASSERT_THAT(early, FailsWith(ErrorCode::kNotReady));
  EXPECT_EQ(early.error().message, "task not in terminal state: " + id + " (status: working)");
  ASSERT_TRUE(store_->UpdateStatus("alice", id, Status::kInputRequired));
  EXPECT_THAT(store_->GetResult("alice", id), FailsWith(ErrorCode::kNotReady));
}

TEST_P(Results, OfACompletedTaskAreWhatWasStored) {
  const std::string id = Created().task.id;
  const Json value =
      JsonObject{{"content", JsonArray{JsonObject{{"type", "text"}, {"text", "ä\n\""}}}},
                 {"big", JsonNumber{"123456789012345678901234567890123456789012345"}},
                 {"", 1.5}};
  ASSERT_TRUE(store_->Complete("alice", id, {.status = Status::kCompleted, .result = value}));
  const auto outcome = store_->GetResult("alice", id);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->result, value);
  EXPECT_FALSE(outcome->error);
  EXPECT_EQ(outcome->task.status, Status::kCompleted);
}

TEST_P(Results, NullIsAResult) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->Complete("alice", id, {.status = Status::kCompleted, .result = Json()}));
  const auto outcome = store_->GetResult("alice", id);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->result && outcome->result->is_null());
  EXPECT_FALSE(outcome->error);
}

TEST_P(Results, OfAFailedTaskMayBeAResultOrAnError) {
  const std::string with_result = Created().task.id;
  const Json tool_error = JsonObject{{"isError", true}};
  ASSERT_TRUE(
      store_->Complete("alice", with_result, {.status = Status::kFailed, .result = tool_error}));
  EXPECT_EQ(store_->GetResult("alice", with_result)->result, tool_error);

  const std::string with_error = Created().task.id;
  const TaskFault fault{.code = -32000, .message = "no", .data = Json(JsonArray{1})};
  ASSERT_TRUE(store_->Complete("alice", with_error, {.status = Status::kFailed, .error = fault}));
  const auto outcome = store_->GetResult("alice", with_error);
  EXPECT_EQ(outcome->error, fault);
  EXPECT_FALSE(outcome->result);
}

TEST_P(Results, OfATaskThatFailedWithAMessageAreThatMessage) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->UpdateStatus("alice", id, Status::kFailed, "disk on fire"));
  const auto outcome = store_->GetResult("alice", id);
  EXPECT_EQ(outcome->error, (TaskFault{.code = -32603, .message = "disk on fire"}));
}

TEST_P(Results, OfACancelledTaskSaySo) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->Cancel("alice", id));
  const TaskFault expected{.code = -32603,
                           .message = "Task was cancelled",
                           .data = Json(JsonObject{{"status", "cancelled"}})};
  EXPECT_EQ(store_->GetResult("alice", id)->error, expected);
  // What was kept before is given instead.
  const std::string partly = Created().task.id;
  ASSERT_TRUE(store_->SetResult("alice", partly, "half"));
  ASSERT_TRUE(store_->Cancel("alice", partly));
  EXPECT_EQ(store_->GetResult("alice", partly)->result, Json("half"));
}

TEST_P(Results, KeptBeforeTheEndCountWhenNoneComesWithIt) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->SetResult("alice", id, 1));
  ASSERT_TRUE(store_->SetResult("alice", id, 2));
  EXPECT_THAT(store_->GetResult("alice", id), FailsWith(ErrorCode::kNotReady));
  ASSERT_TRUE(store_->UpdateStatus("alice", id, Status::kCompleted));
  EXPECT_EQ(store_->GetResult("alice", id)->result, Json(2));
}

TEST_P(Results, TooLargeForTheBackendAreRefusedAndTheTaskGoesOn) {
  const std::string id = Created().task.id;
  const auto refused = store_->Complete(
      "alice", id, {.status = Status::kCompleted, .result = Json(std::string(400 * 1024, 'x'))});
  ASSERT_THAT(refused, FailsWith(ErrorCode::kTooLarge));
  EXPECT_EQ(FactsOf(refused.error()).limit, 396 * 1024);
  EXPECT_GT(FactsOf(refused.error()).actual, 400 * 1024);
  EXPECT_EQ(store_->Get("alice", id)->task.status, Status::kWorking);
  // What just fits is stored.
  EXPECT_TRUE(store_->Complete(
      "alice", id, {.status = Status::kCompleted, .result = Json(std::string(394 * 1024, 'x'))}));
  EXPECT_EQ(store_->GetResult("alice", id)->result->If<std::string>()->size(), 394 * 1024);
}

TEST_P(Results, ThatNobodyCouldReadAgainAreRefused) {
  const std::string id = Created().task.id;
  Json deep = 1;
  for (std::size_t level = 0; level < Json::kDepthMax; ++level) {
    deep = JsonArray{std::move(deep)};
  }
  EXPECT_THAT(store_->SetResult("alice", id, deep), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->SetResult("alice", id, "\xFF"), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->SetMessage("alice", id, "\xFF"), FailsWith(ErrorCode::kValidation));
  EXPECT_EQ(store_->Get("alice", id)->version, 1);
}

FOR_EVERY_BACKEND(Results);

}  // namespace
}  // namespace stator::tasks
