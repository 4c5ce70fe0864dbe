// The state machine through the store: all 25 transitions, messages, completion, cancelling.

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::seconds;
using Status = TaskStatus;

class StatusRules : public TaskStoreTest {
 protected:
  // A task that has got there.
  std::string TaskIn(Status status) {
    const std::string id = Created().task.id;
    if (status != Status::kWorking) {
      EXPECT_TRUE(store_->UpdateStatus("alice", id, status));
    }
    return id;
  }
};

bool IsAllowed(Status from, Status to) {
  const bool from_open = from == Status::kWorking || from == Status::kInputRequired;
  return from_open && from != to;
}

TEST_P(StatusRules, EightOfTwentyFiveTransitionsAreAllowed) {
  int allowed = 0;
  for (const Status from : kTaskStatuses) {
    for (const Status to : kTaskStatuses) {
      const std::string id = TaskIn(from);
      const auto moved = store_->UpdateStatus("alice", id, to, "why");
      EXPECT_EQ(moved.has_value(), IsAllowed(from, to)) << NameOf(from) << " to " << NameOf(to);
      allowed += moved ? 1 : 0;
      const Status now = store_->Get("alice", id)->task.status;
      EXPECT_EQ(now, moved ? to : from);
      if (!moved) {
        EXPECT_THAT(moved, FailsWith(ErrorCode::kIllegalTransition));
        EXPECT_EQ(FactsOf(moved.error()).from, from);
        EXPECT_EQ(FactsOf(moved.error()).to, to);
        EXPECT_EQ(moved.error().message, "invalid transition from " + std::string(NameOf(from)) +
                                             " to " + std::string(NameOf(to)) + " for task " + id);
        EXPECT_EQ(FactsOf(moved.error()).hint,
                  IsTerminal(from) ? "task is in a terminal state and cannot be transitioned"
                                   : "task is already in " + std::string(NameOf(to)) + " state");
        EXPECT_EQ(JsonRpcCode(moved.error().code), -32602);
      }
      store_->Delete("alice", id).value();
    }
  }
  EXPECT_EQ(allowed, 8);
}

TEST_P(StatusRules, ATransitionReplacesTheMessageAndTheTime) {
  const std::string id = Created().task.id;
  clock_.Advance(seconds(1));
  const auto asked = store_->UpdateStatus("alice", id, Status::kInputRequired, "your name?");
  EXPECT_EQ(asked->task.status_message, "your name?");
  EXPECT_EQ(asked->task.last_updated_at, kStart + seconds(1));
  EXPECT_EQ(asked->version, 2);
  const auto resumed = store_->UpdateStatus("alice", id, Status::kWorking);
  EXPECT_FALSE(resumed->task.status_message);
  EXPECT_EQ(store_->Poll("alice", id).value(), resumed->task);
  EXPECT_EQ(resumed->task.created_at, kStart);
}

TEST_P(StatusRules, AMessageAloneNeedsNoTransition) {
  const std::string id = Created().task.id;
  clock_.Advance(seconds(1));
  const auto said = store_->SetMessage("alice", id, "40 % done");
  ASSERT_TRUE(said);
  EXPECT_EQ(said->task.status, Status::kWorking);
  EXPECT_EQ(store_->Poll("alice", id)->status_message, "40 % done");
  EXPECT_EQ(store_->Poll("alice", id)->last_updated_at, kStart + seconds(1));
  ASSERT_TRUE(store_->Cancel("alice", id));
  EXPECT_THAT(store_->SetMessage("alice", id, "more"), FailsWith(ErrorCode::kIllegalTransition));
}

TEST_P(StatusRules, LongMessagesAreCutBetweenCharacters) {
  const std::string id = Created().task.id;
  std::string message = "x";
  while (message.size() < 5000) {
    message += "\xC3\xA4";
  }
  const auto said = store_->SetMessage("alice", id, message);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->task.status_message->size(), 4095);
  EXPECT_TRUE(store_->Poll("alice", id));
}

TEST_P(StatusRules, CompletionIsOneWriteOfStatusMessageAndResult) {
  const std::string id = Created().task.id;
  const auto done = store_->Complete(
      "alice", id, {.status = Status::kCompleted, .message = "ok", .result = Json(42)});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->version, 2);
  const auto read = store_->Get("alice", id);
  EXPECT_EQ(read->task.status, Status::kCompleted);
  EXPECT_EQ(read->task.status_message, "ok");
  EXPECT_EQ(read->result, Json(42));
}

TEST_P(StatusRules, CompletionTakesTerminalStatusesOnly) {
  const std::string id = Created().task.id;
  for (const Status status : {Status::kWorking, Status::kInputRequired}) {
    EXPECT_THAT(store_->Complete("alice", id, {.status = status, .result = Json(1)}),
                FailsWith(ErrorCode::kValidation));
  }
  EXPECT_EQ(store_->Get("alice", id)->version, 1);
}

TEST_P(StatusRules, AnEndedTaskNeverChanges) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->Complete("alice", id, {.status = Status::kCompleted, .result = Json(1)}));
  EXPECT_THAT(store_->Complete("alice", id, {.status = Status::kFailed, .result = Json(2)}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(store_->SetResult("alice", id, 2), FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(store_->SetVariables("alice", id, {{"a", 1}}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(store_->Cancel("alice", id), FailsWith(ErrorCode::kIllegalTransition));
  const auto read = store_->Get("alice", id);
  EXPECT_EQ(read->version, 2);
  EXPECT_EQ(read->result, Json(1));
  EXPECT_EQ(read->task.status, Status::kCompleted);
}

TEST_P(StatusRules, CancelClearsTheMessage) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->SetMessage("alice", id, "busy"));
  const auto cancelled = store_->Cancel("alice", id);
  EXPECT_EQ(cancelled->task.status, Status::kCancelled);
  EXPECT_FALSE(cancelled->task.status_message);
}

FOR_EVERY_BACKEND(StatusRules);

}  // namespace
}  // namespace stator::tasks
