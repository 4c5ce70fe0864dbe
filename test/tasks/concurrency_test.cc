// Real threads on one task, and the compare-and-set that keeps them apart.

#include <atomic>
#include <thread>

#include "tasks/forwarding_backend.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

class Concurrency : public TaskStoreTest {};

TEST_P(Concurrency, VariablesOfManyWritersAllArrive) {
  const std::string id = Created().task.id;
  constexpr int kWriters = 8;
  constexpr int kWrites = 20;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (int write = 0; write < kWrites; ++write) {
          const std::string name = std::to_string(writer) + "/" + std::to_string(write);
          const auto set = store_->SetVariables("alice", id, {{name, write}});
          EXPECT_TRUE(set) << set.error().message;
        }
      });
    }
  }
  const auto record = store_->Get("alice", id);
  EXPECT_EQ(record->variables.size(), kWriters * kWrites);
  EXPECT_EQ(record->version, 1 + kWriters * kWrites);
}

// Another process is faster, so many times.
class FasterBackend final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  Result<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected) override {
    if (left > 0) {
      --left;
      EXPECT_TRUE(next().Put(key, {.data = next().Get(key)->data, .attributes = value.attributes}));
    }
    return ForwardingBackend::PutIfVersion(key, value, expected);
  }

  int left = 100;
};

TEST_P(Concurrency, OtherProcessesAreNoReasonForAVariableToFail) {
  const std::string id = Created().task.id;
  FasterBackend backend(*backend_);
  TaskStore store = TaskStore::Open(backend, {}, environment_).value();
  const auto set = store.SetVariables("alice", id, {{"a", 1}});
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->version, 102);
  EXPECT_EQ(store_->Get("alice", id)->variables.size(), 1);
}

TEST_P(Concurrency, OneOfCompleteAndCancelWins) {
  for (int round = 0; round < 20; ++round) {
    UseOptions({.active_tasks_max = 1000, .retry = {.budget = std::chrono::minutes(5)}});
    const std::string id = Created().task.id;
    std::atomic<int> won = 0;
    const auto count = [&](const Result<TaskRecord>& ended) {
      won += ended ? 1 : 0;
      if (!ended) {
        EXPECT_THAT(ended, FailsWith(ErrorCode::kIllegalTransition));
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

TEST_P(Concurrency, ReadersSeeACompletionWhollyOrNotAtAll) {
  const std::string id = Created().task.id;
  std::atomic<bool> ended = false;
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < 4; ++reader) {
    readers.emplace_back([&] {
      for (bool last = false; !last;) {
        last = ended;
        const auto record = store_->Get("alice", id);
        EXPECT_TRUE(record) << record.error().message;
        const bool completed = record->task.status == TaskStatus::kCompleted;
        EXPECT_EQ(record->result.has_value(), completed);
        EXPECT_EQ(record->task.status_message == "done", completed);
        EXPECT_EQ(record->version, completed ? 2 : 1);
        const auto polled = store_->Poll("alice", id);
        EXPECT_EQ(polled->status_message == "done", polled->status == TaskStatus::kCompleted);
      }
    });
  }
  ASSERT_TRUE(store_->Complete(
      "alice", id,
      {.status = TaskStatus::kCompleted, .message = "done", .result = std::string(1000, 'x')}));
  ended = true;
}

TEST_P(Concurrency, OneWorkerOfManyClaims) {
  const std::string id = Created().task.id;
  UseOptions({.retry = {.budget = std::chrono::minutes(5)}});
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

// Somebody else creates a task between the count and the write of the first creation.
class RacingBackend final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  Result<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) override {
    if (rival != nullptr) {
      EXPECT_TRUE(std::exchange(rival, nullptr)->Create(kAlice, {.method = "rival"}));
    }
    return ForwardingBackend::PutIfAbsent(key, value);
  }

  TaskStore* rival = nullptr;
};

TEST_P(Concurrency, ATaskThatIsOneTooManyIsTakenBack) {
  UseOptions({.active_tasks_max = 1});
  RacingBackend backend(*backend_);
  backend.rival = store_.get();
  TaskStore store = TaskStore::Open(backend, {.active_tasks_max = 1}, environment_).value();
  const auto refused = store.Create(
      kAlice,
      {.method = "m",
       .lease = LeaseRequest{.worker = "w", .group = "g", .length = std::chrono::seconds(1)}});
  EXPECT_THAT(refused, FailsWith(ErrorCode::kLimitExceeded));
  const auto page = store.List("alice");
  ASSERT_EQ(page->tasks.size(), 1);
  EXPECT_EQ(store.Get("alice", page->tasks[0].id)->request_method, "rival");
  // Its lease goes when it is found.
  clock_.Advance(std::chrono::seconds(2));
  const std::vector<RecordKey> lapsed = store.ListLapsed("g", 10).value();
  for (const RecordKey& key : lapsed) {
    EXPECT_THAT(store.Claim(key.owner, key.task, "w", "g", std::chrono::seconds(1)),
                FailsWith(ErrorCode::kNotFound));
  }
  EXPECT_TRUE(store.ListLapsed("g", 10)->empty());
}

TEST_P(Concurrency, TheQuotaHoldsHoweverManyCreate) {
  UseOptions({.active_tasks_max = 5});
  std::atomic<int> created = 0;
  {
    std::vector<std::jthread> clients;
    for (int client = 0; client < 8; ++client) {
      clients.emplace_back([&] {
        for (int round = 0; round < 4; ++round) {
          const auto made = store_->Create(kAlice, {.method = "m"});
          created += made ? 1 : 0;
          if (!made) {
            EXPECT_THAT(made, FailsWith(ErrorCode::kLimitExceeded));
          }
        }
      });
    }
  }
  // What was refused has left nothing.
  EXPECT_EQ(static_cast<int>(store_->List("alice")->tasks.size()), created);
  EXPECT_LE(created, 5);
  while (created < 5) {
    ASSERT_TRUE(store_->Create(kAlice, {.method = "m"}));
    ++created;
  }
  EXPECT_THAT(store_->Create(kAlice, {.method = "m"}), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_P(Concurrency, OneKeyMakesOneTask) {
  UseOptions({.retry = {.budget = std::chrono::minutes(5)}});
  std::vector<std::string> ids(8);
  {
    std::vector<std::jthread> clients;
    for (std::string& id : ids) {
      clients.emplace_back([&] {
        const auto created = store_->Create(kAlice, {.method = "m", .idempotency_key = "k"});
        id = created ? created->task.id : created.error().message;
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
