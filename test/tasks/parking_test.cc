// Tasks that wait for answers: without a lease, without a heartbeat, and for whoever comes.

#include <atomic>
#include <thread>

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class Parking : public TaskStoreTest {
 protected:
  void SetUp() override {
    TaskStoreTest::SetUp();
    UseOptions({.active_tasks_max = 1000});
    id_ = Created({.method = "m", .restartable = true}).task.id;
  }

  Result<TaskRecord> Claim(std::string_view worker) {
    return store_->Claim("alice", id_, worker, "group", seconds(10));
  }
  Result<TaskRecord> Ask() {
    return store_->RequestInput("alice", id_, {{.id = "q", .method = "m", .params = 1}});
  }
  Result<TaskRecord> Answer() { return store_->AnswerInput("alice", id_, "q", "yes"); }
  [[nodiscard]] RecordKey Key() const { return {.owner = "alice", .task = id_}; }
  [[nodiscard]] static bool FindsLapsed() { return GetParam() != BackendKind::kBareTable; }
  // Whether there was a lease; there is none then.
  bool TakeLeaseAway() { return backend_->RemoveLease(Key(), std::nullopt).value(); }

  std::string id_;
};

TEST_P(Parking, ATaskThatWaitsHasNoLeaseAndIsNobodysWork) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(Ask()->IsParked());
  clock_.Advance(seconds(60));
  EXPECT_THAT(*store_->ListLapsed("group", 10, seconds(3)), IsEmpty());
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kNotReady));
  EXPECT_TRUE(store_->Renew("alice", id_, "first", seconds(10)));
  EXPECT_THAT(store_->Renew("alice", id_, "second", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  EXPECT_FALSE(TakeLeaseAway()) << "a heartbeat makes none";
}

TEST_P(Parking, AnAnsweredTaskIsLeftToWhoeverAskedForAWhile) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(Ask());
  clock_.Advance(seconds(60));
  ASSERT_EQ(Answer()->task.status, TaskStatus::kWorking);
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_THAT(*store_->ListLapsed("group", 10), IsEmpty());
  clock_.Advance(std::chrono::milliseconds(1));
  if (FindsLapsed()) {
    EXPECT_THAT(*store_->ListLapsed("group", 10, seconds(3)), ElementsAre(Key()));
  }
  ASSERT_TRUE(store_->Renew("alice", id_, "first", seconds(10)));
  clock_.Advance(seconds(5));
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_EQ(store_->Get("alice", id_)->lease->attempt, 1);
  EXPECT_TRUE(
      store_->Complete("alice", id_, {.status = TaskStatus::kCompleted, .worker = "first"}));
}

TEST_P(Parking, AnAnsweredTaskWhoseWorkerWasLostIsTheNextOnes) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(Ask());
  ASSERT_TRUE(Answer());
  clock_.Advance(seconds(4));
  if (FindsLapsed()) {
    EXPECT_THAT(*store_->ListLapsed("group", 10), ElementsAre(Key()));
  }
  EXPECT_EQ(Claim("second")->lease->attempt, 2);
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
  EXPECT_EQ(Ask()->task.status, TaskStatus::kWorking) << "it has the answer";
}

TEST_P(Parking, OnlyTheLastAnswerBringsTheLeaseBack) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(store_->RequestInput(
      "alice", id_,
      {{.id = "a", .method = "m", .params = 1}, {.id = "b", .method = "m", .params = 2}}));
  ASSERT_TRUE(store_->AnswerInput("alice", id_, "a", 1));
  EXPECT_FALSE(TakeLeaseAway());
  ASSERT_TRUE(store_->AnswerInput("alice", id_, "b", 2));
  EXPECT_TRUE(TakeLeaseAway());
}

TEST_P(Parking, ATaskThatEndsWhileItWaitsLeavesNoLease) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(Ask());
  ASSERT_TRUE(store_->Cancel("alice", id_));
  EXPECT_FALSE(TakeLeaseAway());
  EXPECT_THAT(store_->Renew("alice", id_, "first", seconds(10)), FailsWith(ErrorCode::kLeaseLost));
}

// As processes of older versions left it, or one that renewed while another thread asked.
TEST_P(Parking, ALeaseOfATaskThatWaitsIsRemovedWhenItIsFound) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_TRUE(Ask());
  const std::int64_t now_ms = EpochSeconds(clock_.Now()) * 1000;
  ASSERT_TRUE(backend_->TakeLease(
      Key(), {.worker = "first", .group = "group", .until_ms = now_ms + 10'000}, now_ms));
  clock_.Advance(seconds(11));
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kNotReady));
  EXPECT_FALSE(TakeLeaseAway());
  ASSERT_TRUE(Answer());
  EXPECT_TRUE(TakeLeaseAway());
}

// Whoever says by itself that the task needs something, without a question, goes on running.
TEST_P(Parking, AStatusAloneIsNoQuestion) {
  ASSERT_TRUE(Claim("first"));
  ASSERT_FALSE(store_->UpdateStatus("alice", id_, TaskStatus::kInputRequired)->IsParked());
  EXPECT_THAT(Claim("second"), FailsWith(ErrorCode::kLeaseHeld));
  clock_.Advance(seconds(11));
  EXPECT_TRUE(Claim("second"));
}

TEST_P(Parking, ManyLeasesAreRenewedTogether) {
  std::vector<LeaseHolder> leases;
  for (int task = 0; task < 130; ++task) {
    const TaskRecord record = Created(
        {.method = "m", .lease = LeaseRequest{.worker = "w", .group = "g", .length = seconds(5)}});
    leases.push_back({.key = {.owner = "alice", .task = record.task.id}, .worker = "w"});
  }
  leases[3].worker = "another";
  ASSERT_TRUE(store_->Cancel("alice", leases[7].key.task));
  ASSERT_TRUE(store_->Cancel("alice", leases[129].key.task));
  clock_.Advance(seconds(4));
  const auto held = store_->RenewAll(leases, seconds(5));
  ASSERT_TRUE(held) << held.error().message;
  ASSERT_EQ(held->size(), 130);
  for (std::size_t at = 0; at < held->size(); ++at) {
    EXPECT_EQ((*held)[at], at != 3 && at != 7 && at != 129) << at;
  }
  clock_.Advance(seconds(4));
  const auto claim = [&](std::size_t at) {
    return store_->Claim("alice", leases[at].key.task, "thief", "g", seconds(1));
  };
  EXPECT_THAT(claim(0), FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_THAT(claim(128), FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_TRUE(claim(3)) << "its worker did not renew it";
  EXPECT_TRUE(store_->RenewAll({}, seconds(5))->empty());
}

// Whoever asks, answers, looks for lost work and renews at the same time: what is left is a task
// that waits without a lease, or one that works and has one.
TEST_P(Parking, NoRaceLosesATask) {
  for (int round = 0; round < 20; ++round) {
    id_ = Created({.method = "m", .restartable = true}).task.id;
    ASSERT_TRUE(Claim("first"));
    clock_.Advance(seconds(11));  // Its lease has lapsed.
    std::atomic<bool> taken = false;
    {
      const std::jthread asker([&] { static_cast<void>(Ask()); });
      const std::jthread answerer([&] { static_cast<void>(Answer()); });
      const std::jthread renewer(
          [&] { static_cast<void>(store_->Renew("alice", id_, "first", seconds(10))); });
      const std::jthread claimer([&] { taken = Claim("second").has_value(); });
    }
    const TaskRecord record = *store_->Get("alice", id_);
    if (record.IsParked()) {
      ASSERT_TRUE(Answer());
    }
    EXPECT_EQ(store_->Get("alice", id_)->lease->worker, taken ? "second" : "first");
    clock_.Advance(seconds(11));
    if (FindsLapsed()) {
      EXPECT_THAT(*store_->ListLapsed("group", 10), ElementsAre(Key())) << "round " << round;
    }
    ASSERT_TRUE(Claim("third"));
    ASSERT_TRUE(
        store_->Complete("alice", id_, {.status = TaskStatus::kCompleted, .worker = "third"}));
  }
}

FOR_EVERY_BACKEND(Parking);

}  // namespace
}  // namespace stator::tasks
