// Tasks that begin later: after a delay, or by a schedule.

#include <atomic>
#include <thread>

#include "stator/stores/tasks/schedule.h"
#include "tasks/forwarding_backend.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class Later : public TaskStoreTest {
 protected:
  TaskRecord Scheduled(const JsonObject& rules) {
    return Created(
        {.method = "m",
         .variables = {{"a", 1}},
         .tool_name = "report",
         .arguments = JsonObject{{"year", 2026}},
         .later = LaterRequest{
             .worker = "maker", .group = "g", .schedule = Schedule::FromJson(rules).value()}});
  }
  static DueRun Run(const TaskRecord& /*record*/) {
    return {.lease = {.worker = "w", .group = "g", .length = seconds(30)}, .restartable = true};
  }
  Result<TaskRecord> Begin(const std::string& task) { return store_->BeginDue("alice", task, Run); }
  std::size_t CountTasks() { return store_->List("alice")->tasks.size(); }
};

TEST_P(Later, ADelayedTaskBeginsAtItsTimeAndLivesFromThen) {
  const TaskRecord task =
      Created({.method = "m",
               .ttl_ms = 60'000,
               .later = LaterRequest{.worker = "maker", .group = "g", .delay = hours(2)}});
  EXPECT_EQ(task.task.ttl_ms, 2 * 3'600'000 + 60'000);
  clock_.Advance(hours(2) - std::chrono::milliseconds(1));
  EXPECT_TRUE(store_->ListDue("g", 10)->empty());
  EXPECT_EQ(store_->ListDue("g", 10, seconds(1))->size(), 1);
  EXPECT_THAT(Begin(task.task.id), FailsWith(ErrorCode::kLeaseHeld));
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_TRUE(store_->ListDue("other", 10)->empty());
  const RecordKey key{.owner = "alice", .task = task.task.id};
  ASSERT_EQ(store_->ListDue("g", 10).value(), std::vector{key});
  const auto begun = Begin(task.task.id);
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_EQ(begun->task.id, task.task.id);
  EXPECT_EQ(begun->lease->attempt, 1);
  EXPECT_TRUE(store_->ListDue("g", 10)->empty());
  EXPECT_THAT(Begin(task.task.id), FailsWith(ErrorCode::kNotReady)) << "it has begun";
  EXPECT_TRUE(store_->Complete("alice", task.task.id,
                               {.status = TaskStatus::kCompleted, .result = 1, .worker = "w"}));
}

TEST_P(Later, WhatWasCancelledBeforeItsTimeNeverBegins) {
  const std::string id =
      Created({.method = "m",
               .later = LaterRequest{.worker = "maker", .group = "g", .delay = minutes(1)}})
          .task.id;
  ASSERT_TRUE(store_->Cancel("alice", id));
  clock_.Advance(minutes(2));
  EXPECT_TRUE(store_->ListDue("g", 10)->empty());
  EXPECT_THAT(Begin(id), FailsWith(ErrorCode::kIllegalTransition));
}

TEST_P(Later, AScheduleMakesATaskForEveryDueTime) {
  const TaskRecord schedule = Scheduled({{"every", "1h"}});
  EXPECT_EQ(schedule.task.status_message, "every 1h, next at 2026-11-15T13:00:00.000Z");
  EXPECT_EQ(schedule.task.ttl_ms, std::nullopt);
  EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kNotReady));
  for (int hour = 1; hour <= 3; ++hour) {
    clock_.Advance(hours(1));
    ASSERT_EQ(store_->ListDue("g", 10)->size(), 1);
    const auto made = Begin(schedule.task.id);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_NE(made->task.id, schedule.task.id);
    EXPECT_TRUE(store_->ListDue("g", 10)->empty());
    EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kNotReady)) << "once each";
    const auto stored = store_->Get("alice", made->task.id);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->version, 1);
    EXPECT_EQ(stored->tool_name, "report");
    EXPECT_EQ(stored->arguments, Json(JsonObject{{"year", 2026}}));
    EXPECT_EQ(stored->variables.size(), 1);
    EXPECT_EQ(stored->task.ttl_ms, 3'600'000);
    EXPECT_TRUE(stored->restartable);
    EXPECT_EQ(stored->lease->attempt, 1);
    EXPECT_FALSE(ScheduleOf(*stored));
    EXPECT_EQ(stored->task.meta->TextOf("stator/schedule"), schedule.task.id);
    EXPECT_EQ(stored->task.meta->TextOf("stator/due"),
              "2026-11-15T1" + std::to_string(2 + hour) + ":00:00.000Z");
    EXPECT_TRUE(store_->Renew("alice", made->task.id, "w", seconds(5)));
    ASSERT_TRUE(store_->Complete("alice", made->task.id,
                                 {.status = TaskStatus::kCompleted, .result = 1, .worker = "w"}));
  }
  ASSERT_TRUE(store_->Cancel("alice", schedule.task.id));
  clock_.Advance(hours(1));
  EXPECT_TRUE(store_->ListDue("g", 10)->empty());
  EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kIllegalTransition));
}

TEST_P(Later, TheTaskOfALostProcessIsFoundByTheOthers) {
  const TaskRecord schedule = Scheduled({{"every", "1h"}});
  clock_.Advance(hours(1));
  const auto made = Begin(schedule.task.id);
  ASSERT_TRUE(made);
  clock_.Advance(minutes(1));
  const RecordKey key{.owner = "alice", .task = made->task.id};
  EXPECT_EQ(store_->ListLapsed("g", 10).value(), std::vector{key});
}

TEST_P(Later, OneOfManyMakesIt) {
  const TaskRecord schedule = Scheduled({{"every", "1s"}});
  UseOptions({.active_tasks_max = 1000});
  std::atomic<int> made = 0;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    clock_.Advance(seconds(1));
    std::vector<std::jthread> processes;
    for (int process = 0; process < 6; ++process) {
      processes.emplace_back([&] {
        const auto begun = Begin(schedule.task.id);
        made += begun ? 1 : 0;
        if (!begun && begun.error().code != ErrorCode::kConflict) {
          EXPECT_THAT(begun, FailsWith(ErrorCode::kNotReady));
        }
      });
    }
  }
  EXPECT_EQ(made, kRounds);
  EXPECT_EQ(CountTasks(), kRounds + 1);
}

// What the first process was told is lost: the write was done.
class LostAnswers final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  Result<std::uint64_t> PutWithNew(const RecordKey& key, const StoredValue& value,
                                   std::uint64_t expected, const StoredLease& lease,
                                   const NewRecord& made) override {
    EXPECT_TRUE(next().PutWithNew(key, value, expected, lease, made));
    return Fail(ErrorCode::kIo, "the process died");
  }
};

TEST_P(Later, AProcessThatDiesBehindTheWriteHasMadeIt) {
  const TaskRecord schedule = Scheduled({{"every", "1h"}});
  clock_.Advance(hours(1));
  LostAnswers dies(*backend_);
  TaskStore store = TaskStore::Open(dies, {}, environment_).value();
  EXPECT_FALSE(store.BeginDue("alice", schedule.task.id, Run));
  EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kNotReady));
  EXPECT_EQ(CountTasks(), 2);
  clock_.Advance(minutes(1));
  EXPECT_EQ(store_->ListLapsed("g", 10)->size(), 1) << "and it is begun again";
}

TEST_P(Later, TimesThatNobodyWasThereForAreOneTask) {
  const TaskRecord schedule = Scheduled({{"every", "10m"}});
  clock_.Advance(minutes(35));
  EXPECT_TRUE(Begin(schedule.task.id));
  EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kNotReady));
  clock_.Advance(minutes(5));
  EXPECT_TRUE(Begin(schedule.task.id));
  EXPECT_EQ(CountTasks(), 3);
}

TEST_P(Later, OrATaskEachWhenThatIsWanted) {
  const TaskRecord schedule = Scheduled({{"every", "10m"}, {"missed", "all"}});
  clock_.Advance(minutes(35));
  std::vector<std::string> due;
  for (auto made = Begin(schedule.task.id); made; made = Begin(schedule.task.id)) {
    due.push_back(made->task.meta->TextOf("stator/due").value_or(""));
  }
  EXPECT_THAT(due, testing::ElementsAre("2026-11-15T12:10:00.000Z", "2026-11-15T12:20:00.000Z",
                                        "2026-11-15T12:30:00.000Z"));
}

TEST_P(Later, ADueTimeOfAnOwnerWithTooManyTasksIsPassedOver) {
  UseOptions({.active_tasks_max = 2});
  const TaskRecord schedule = Scheduled({{"every", "10m"}});
  const std::string other = Created().task.id;
  clock_.Advance(minutes(10));
  EXPECT_THAT(Begin(schedule.task.id), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_TRUE(store_->ListDue("g", 10)->empty()) << "it does not stand in the way of others";
  EXPECT_THAT(*store_->Poll("alice", schedule.task.id)->status_message,
              testing::HasSubstr("its owner had too many tasks at 2026-11-15T12:10:00.000Z"));
  ASSERT_TRUE(store_->Cancel("alice", other));
  clock_.Advance(minutes(10));
  EXPECT_TRUE(Begin(schedule.task.id));
}

TEST_P(Later, AKeyGivesTheSameScheduleAgain) {
  const auto create = [&] {
    return Created({.method = "m",
                    .idempotency_key = "nightly",
                    .later = LaterRequest{
                        .worker = random_.Uuid(),
                        .group = "g",
                        .schedule = Schedule::FromJson(JsonObject{{"every", "1h"}}).value()}});
  };
  const std::string id = create().task.id;
  clock_.Advance(hours(30));  // longer than tasks live
  EXPECT_EQ(create().task.id, id);
}

TEST_P(Later, ACancelledScheduleIsMadeAgainAsOne) {
  const TaskRecord schedule = Scheduled({{"every", "1h"}});
  ASSERT_TRUE(store_->Cancel("alice", schedule.task.id));
  const auto again = store_->TryAgain("alice", schedule.task.id, "g");
  ASSERT_TRUE(again) << again.error().message;
  clock_.Advance(hours(1));
  EXPECT_TRUE(Begin(again->task.id));
}

TEST_P(Later, WhatCannotBeReadFailsAndIsNotFoundAgain) {
  const std::string id =
      Created({.method = "m",
               .context = JsonObject{{"schedule", JsonObject{{"every", "often"}}}},
               .later = LaterRequest{.worker = "maker", .group = "g", .delay = seconds(1)}})
          .task.id;
  clock_.Advance(seconds(2));
  EXPECT_THAT(Begin(id), FailsWith(ErrorCode::kCorruption));
  EXPECT_TRUE(store_->ListDue("g", 10)->empty());
  EXPECT_EQ(store_->Get("alice", id)->task.status, TaskStatus::kFailed);
  EXPECT_THAT(store_->BeginDue("alice", "of nobody", Run), FailsWith(ErrorCode::kNotFound));
}

// One without indexes is refused, see below.
INSTANTIATE_TEST_SUITE_P(Backends, Later,
                         testing::Values(BackendKind::kMemory, BackendKind::kTable), BackendName);

class LaterOnABareTable : public TasksTest {};

TEST_F(LaterOnABareTable, IsRefused) {
  Open(BackendKind::kBareTable);
  const auto refused = store_->Create(
      kAlice,
      {.method = "m", .later = LaterRequest{.worker = "maker", .group = "g", .delay = seconds(1)}});
  EXPECT_THAT(refused, FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

}  // namespace
}  // namespace stator::tasks
