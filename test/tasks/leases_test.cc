// Leases: one worker at a time, heartbeats, taking over. And questions to the client.

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::seconds;

class Leases : public TaskStoreTest {
 protected:
  void SetUp() override {
    TaskStoreTest::SetUp();
    id_ = Created({.method = "m", .restartable = true}).task.id;
  }

  Result<TaskRecord> Claim(std::string_view worker) {
    return store_->Claim("alice", id_, worker, "group", seconds(10));
  }

  std::string id_;
};

TEST_P(Leases, OneWorkerHoldsATask) {
  const auto claimed = Claim("first");
  ASSERT_TRUE(claimed);
  EXPECT_EQ(claimed->lease->worker, "first");
  EXPECT_EQ(claimed->lease->attempt, 1);
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_EQ(Claim("first")->lease->attempt, 2);
}

TEST_P(Leases, WhatFailedForGoodIsKeptAndMayBeTriedAgain) {
  if (GetParam() == BackendKind::kBareTable) {
    GTEST_SKIP() << "has no index of leases";
  }
  ASSERT_TRUE(Claim("first"));
  EXPECT_THAT(store_->KeepDead("alice", id_), FailsWith(ErrorCode::kNotReady));
  EXPECT_THAT(store_->TryAgain("alice", id_, "group"), FailsWith(ErrorCode::kIllegalTransition));
  ASSERT_TRUE(store_->Complete("alice", id_, {.status = TaskStatus::kFailed, .worker = "first"}));
  ASSERT_TRUE(store_->KeepDead("alice", id_));
  clock_.Advance(seconds(1));
  ASSERT_EQ(store_->ListDead(10)->size(), 1);
  EXPECT_EQ(store_->ListDead(10)->front().task, id_);
  EXPECT_THAT(*store_->ListLapsed("group", 10), testing::IsEmpty());

  const auto again = store_->TryAgain("alice", id_, "group");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_NE(again->task.id, id_);
  EXPECT_EQ(again->task.status, TaskStatus::kWorking);
  EXPECT_TRUE(again->restartable);
  EXPECT_THAT(*store_->ListDead(10), testing::IsEmpty());
  clock_.Advance(seconds(1));
  ASSERT_EQ(store_->ListLapsed("group", 10)->size(), 1);
  EXPECT_EQ(store_->ListLapsed("group", 10)->front().task, again->task.id);
  EXPECT_EQ(store_->Poll("alice", id_)->status, TaskStatus::kFailed);
  EXPECT_TRUE(store_->Claim("alice", again->task.id, "second", "group", seconds(10)));
}

TEST_P(Leases, HeartbeatsKeepATask) {
  ASSERT_TRUE(Claim("first"));
  for (int beat = 0; beat < 5; ++beat) {
    clock_.Advance(seconds(8));
    ASSERT_TRUE(store_->Renew("alice", id_, "first", seconds(10)));
    EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
  }
  EXPECT_THAT(store_->Renew("alice", id_, "second", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  // A heartbeat is nothing that clients see.
  EXPECT_EQ(store_->Poll("alice", id_)->last_updated_at, kStart);
}

TEST_P(Leases, ALapsedTaskIsTakenOverAndTheFirstWorkerIsNotHeardAnyMore) {
  ASSERT_TRUE(Claim("first"));
  clock_.Advance(seconds(11));
  const auto taken = Claim("second");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->lease->attempt, 2);
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  EXPECT_THAT(
      store_->Complete("alice", id_,
                       {.status = TaskStatus::kCompleted, .result = Json(1), .worker = "first"}),
      FailsWith(ErrorCode::kLeaseLost));
  ASSERT_TRUE(store_->Complete(
      "alice", id_, {.status = TaskStatus::kCompleted, .result = Json(2), .worker = "second"}));
  EXPECT_EQ(store_->GetResult("alice", id_)->result, Json(2));
}

TEST_P(Leases, LostWorkIsFoundByItsGroup) {
  const bool finds = GetParam() != BackendKind::kBareTable;
  EXPECT_EQ(backend_->Capabilities()->finds_lapsed_leases, finds);
  ASSERT_TRUE(Claim("first"));
  EXPECT_TRUE(store_->ListLapsed("group", 10)->empty());
  clock_.Advance(seconds(11));
  EXPECT_TRUE(store_->ListLapsed("other", 10)->empty());
  const auto lost = store_->ListLapsed("group", 10);
  ASSERT_TRUE(lost);
  if (finds) {
    EXPECT_EQ(*lost, (std::vector<RecordKey>{{.owner = "alice", .task = id_}}));
  }
  ASSERT_TRUE(store_->UpdateStatus("alice", id_, TaskStatus::kFailed, "worker lost"));
  EXPECT_TRUE(store_->ListLapsed("group", 10)->empty());
}

TEST_P(Leases, AReleasedTaskIsLostWorkAtOnce) {
  ASSERT_TRUE(Claim("first"));
  EXPECT_THAT(store_->Release("alice", id_, "second"), FailsWith(ErrorCode::kLeaseLost));
  ASSERT_TRUE(store_->Release("alice", id_, "first"));
  EXPECT_TRUE(Claim("second"));
}

TEST_P(Leases, EndedTasksAreNotClaimed) {
  ASSERT_TRUE(Claim("first"));
  const auto cancelled = store_->Cancel("alice", id_);
  EXPECT_FALSE(cancelled->lease);
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
}

TEST_P(Leases, CanBeginWithTheTask) {
  const TaskRecord record = Created(
      {.method = "m", .lease = LeaseRequest{.worker = "w", .group = "g", .length = seconds(5)}});
  EXPECT_THAT(store_->Claim("alice", record.task.id, "other", "g", seconds(1)),
              FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_TRUE(store_->Renew("alice", record.task.id, "w", seconds(5)));
}

TEST_P(Leases, HeartbeatsLeaveTheRecordAlone) {
  ASSERT_TRUE(Claim("first"));
  const std::uint64_t version = store_->Get("alice", id_)->version;
  const auto renewed = store_->Renew("alice", id_, "first", seconds(10));
  ASSERT_TRUE(renewed);
  EXPECT_EQ(renewed->id, id_);
  ASSERT_TRUE(store_->Release("alice", id_, "first"));
  EXPECT_EQ(store_->Get("alice", id_)->version, version);
}

TEST_P(Leases, EndTogetherWithTheTask) {
  for (const bool completes : {true, false}) {
    const std::string id = Created({.method = "m"}).task.id;
    ASSERT_TRUE(store_->Claim("alice", id, "w", "group", seconds(10)));
    if (completes) {
      ASSERT_TRUE(store_->Complete("alice", id, {.status = TaskStatus::kCompleted}));
    } else {
      ASSERT_TRUE(store_->Delete("alice", id).value());
    }
    EXPECT_FALSE(backend_->RemoveLease({.owner = "alice", .task = id}, std::nullopt).value());
  }
}

// Whoever takes a task over dies between its two writes: the lease is its own, the record is not.
TEST_P(Leases, AHalfDoneTakeOverLapsesLikeAnyLease) {
  ASSERT_TRUE(Claim("first"));
  clock_.Advance(seconds(11));
  const std::int64_t now_ms = EpochSeconds(clock_.Now()) * 1000;
  const RecordKey key{.owner = "alice", .task = id_};
  ASSERT_TRUE(backend_->TakeLease(
      key, {.worker = "dead", .group = "group", .until_ms = now_ms + 10'000}, now_ms));
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  EXPECT_THAT(Claim("third"), FailsWith(ErrorCode::kLeaseHeld));
  clock_.Advance(seconds(11));
  EXPECT_EQ(Claim("third")->lease->attempt, 2);
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
}

// Whoever creates a task dies between its two writes: a lease, and no record.
TEST_P(Leases, WithoutATaskAreRemovedWhenTheyAreFound) {
  const RecordKey key{.owner = "alice", .task = "never-made"};
  const std::int64_t now_ms = EpochSeconds(clock_.Now()) * 1000;
  ASSERT_TRUE(backend_->TakeLease(
      key, {.worker = "dead", .group = "group", .until_ms = now_ms + 10'000}, now_ms));
  // It may be about to be made.
  EXPECT_THAT(store_->Claim("alice", "never-made", "w", "group", seconds(10)),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(backend_->MoveLease(key, "dead", now_ms + 10'000));
  clock_.Advance(seconds(11));
  EXPECT_THAT(store_->Claim("alice", "never-made", "w", "group", seconds(10)),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(store_->ListLapsed("group", 10)->empty());
  EXPECT_FALSE(backend_->RemoveLease(key, std::nullopt).value());
}

TEST_P(Leases, AWorkerWhoseLeaseWentMissingGetsItBack) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(backend_->RemoveLease({.owner = "alice", .task = id_}, std::nullopt).value());
  EXPECT_THAT(store_->Renew("alice", id_, "other", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  ASSERT_TRUE(store_->Renew("alice", id_, "first", seconds(10)));
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
}

TEST_P(Leases, OfATaskThatGaveWayToAnotherAreNotHeardAnyMore) {
  const auto create = [&](std::string worker) {
    return store_->Create(
        kAlice, {.method = "m",
                 .ttl_ms = 1000,
                 .idempotency_key = "key",
                 .lease = LeaseRequest{
                     .worker = std::move(worker), .group = "group", .length = seconds(60)}});
  };
  const std::string id = create("first")->task.id;
  clock_.Advance(seconds(2));
  const auto again = create("second");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->task.id, id);
  EXPECT_THAT(store_->Renew("alice", id, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  EXPECT_TRUE(store_->Renew("alice", id, "second", seconds(10)));
}

TEST_P(Leases, OfARepeatedCreationStayWithTheFirst) {
  const auto create = [&](std::string worker) {
    return store_->Create(
        kAlice, {.method = "m",
                 .idempotency_key = "key",
                 .lease = LeaseRequest{
                     .worker = std::move(worker), .group = "group", .length = seconds(10)}});
  };
  const std::string id = create("first")->task.id;
  EXPECT_EQ(create("second")->lease->worker, "first");
  EXPECT_TRUE(store_->Renew("alice", id, "first", seconds(10)));
  EXPECT_THAT(store_->Renew("alice", id, "second", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
}

TEST_P(Leases, QuestionsWaitForTheirAnswer) {
  ASSERT_TRUE(Claim("first"));
  const InputRequest question{
      .id = "q1", .method = "elicitation/create", .params = JsonObject{{"message", "name?"}}};
  const auto asked = store_->RequestInput("alice", id_, {question}, "name?");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->task.status, TaskStatus::kInputRequired);
  EXPECT_EQ(store_->Get("alice", id_)->inputs, std::vector{question});
  InputRequest other = question;
  other.params = JsonObject{{"message", "age?"}};
  EXPECT_THAT(store_->RequestInput("alice", id_, {other}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->AnswerInput("alice", id_, "q2", 1), FailsWith(ErrorCode::kValidation));
  const auto answered = store_->AnswerInput("alice", id_, "q1", JsonObject{{"name", "Ada"}});
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->task.status, TaskStatus::kWorking);
  EXPECT_EQ(store_->Get("alice", id_)->inputs[0].answer, Json(JsonObject{{"name", "Ada"}}));
  EXPECT_THAT(store_->AnswerInput("alice", id_, "q1", 2), FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(store_->Get("alice", id_)->lease);
  // A tool that was begun again asks the same, and has its answer.
  const auto again = store_->RequestInput("alice", id_, {question});
  EXPECT_EQ(again->task.status, TaskStatus::kWorking);
  EXPECT_EQ(again->inputs[0].answer, Json(JsonObject{{"name", "Ada"}}));
}

TEST_P(Leases, TheLastOfSeveralAnswersLetsTheTaskGoOn) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(store_->RequestInput(
      "alice", id_,
      {{.id = "a", .method = "m", .params = 1}, {.id = "b", .method = "m", .params = 2}}));
  EXPECT_EQ(store_->AnswerInput("alice", id_, "b", "two")->task.status, TaskStatus::kInputRequired);
  EXPECT_EQ(store_->AnswerInput("alice", id_, "a", "one")->task.status, TaskStatus::kWorking);
  ASSERT_TRUE(store_->Complete("alice", id_, {.status = TaskStatus::kCompleted}));
  EXPECT_TRUE(store_->Get("alice", id_)->inputs.empty());
}

FOR_EVERY_BACKEND(Leases);

}  // namespace
}  // namespace stator::tasks
