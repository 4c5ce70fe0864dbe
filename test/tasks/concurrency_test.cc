// Real threads on one task, and the compare-and-set that keeps them apart.

#include <atomic>
#include <thread>

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

class Concurrency : public TaskStoreTest {};

TEST_P(Concurrency, VariablesOfManyWritersAllArrive) {
  UseOptions({.attempts_max = 1000});
  const std::string id = Created().task.id;
  constexpr int kWriters = 8;
  constexpr int kWrites = 10;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (int write = 0; write < kWrites; ++write) {
          const std::string name = std::to_string(writer) + "/" + std::to_string(write);
          const auto set = store_->SetVariables("alice", id, {{name, write}});
          EXPECT_TRUE(set) << set.error().ToText();
        }
      });
    }
  }
  const auto record = store_->Get("alice", id);
  EXPECT_EQ(record->variables.size(), kWriters * kWrites);
  EXPECT_EQ(record->version, 1 + kWriters * kWrites);
}

TEST_P(Concurrency, OneOfCompleteAndCancelWins) {
  for (int round = 0; round < 20; ++round) {
    UseOptions({.active_tasks_max = 1000, .attempts_max = 100});
    const std::string id = Created().task.id;
    std::atomic<int> won = 0;
    const auto count = [&](const TaskResult<TaskRecord>& ended) {
      won += ended ? 1 : 0;
      if (!ended) {
        EXPECT_THAT(ended, FailsWith(TaskErrorKind::kInvalidTransition));
      }
    };
    {
      const std::jthread completes([&] {
        count(store_->Complete("alice", id, {.status = TaskStatus::kCompleted, .result = Json(1)}));
      });
      const std::jthread cancels([&] { count(store_->Cancel("alice", id)); });
    }
    EXPECT_EQ(won, 1);
    const auto record = store_->Get("alice", id);
    EXPECT_EQ(record->result.has_value(), record->task.status == TaskStatus::kCompleted);
  }
}

TEST_P(Concurrency, OneWorkerOfManyClaims) {
  const std::string id = Created().task.id;
  UseOptions({.attempts_max = 100});
  std::atomic<int> claimed = 0;
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < 8; ++worker) {
      workers.emplace_back([&, worker] {
        const auto claim =
            store_->Claim("alice", id, std::to_string(worker), "g", std::chrono::hours(1));
        claimed += claim ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(claimed, 1);
}

TEST_P(Concurrency, OneKeyMakesOneTask) {
  UseOptions({.attempts_max = 100});
  std::vector<std::string> ids(8);
  {
    std::vector<std::jthread> clients;
    for (std::string& id : ids) {
      clients.emplace_back([&] {
        const auto created = store_->Create(kAlice, {.method = "m", .idempotency_key = "k"});
        id = created ? created->task.id : created.error().ToText();
      });
    }
  }
  for (const std::string& id : ids) {
    EXPECT_EQ(id, ids.front());
  }
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
}

FOR_EVERY_BACKEND(Concurrency);

}  // namespace
}  // namespace stator::tasks
