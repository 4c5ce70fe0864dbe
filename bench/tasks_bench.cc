// The task store: the life of a task (create, three updates, complete, result), and polls and
// heartbeats of small and large records.
//
//   tasks_bench                       in memory, and durable in a directory of its own
//   STATOR_DATABASE=http://127.0.0.1:8000 tasks_bench    the same over a server

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/check.h"
#include "stator/home/open.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/memory_backend.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::tasks {
namespace {

enum Home : int { kBackendInMemory, kTableInMemory, kTableOnDisk, kTableElsewhere };

// A store on one of the homes, gone with its data at the end.
class Bench {
 public:
  explicit Bench(int home) {
    if (home == kBackendInMemory) {
      backend_ = std::make_unique<MemoryBackend>();
    } else {
      OpenTable(home);
    }
    store_.emplace(
        TaskStore::Open(*backend_, TaskStoreOptions{.active_tasks_max = 1'000'000'000}).value());
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    store_.reset();
    backend_.reset();
    database_.reset();
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_);
    }
  }

  TaskStore& store() { return *store_; }

 private:
  void OpenTable(int home) {
    std::string location = "memory:";
    if (home == kTableOnDisk) {
      folder_ = std::filesystem::temp_directory_path() / ("tasks-bench-" + SystemRandom().Uuid());
      location = folder_.string();
    } else if (home == kTableElsewhere) {
      location = std::getenv("STATOR_DATABASE");
    }
    auto database = Open(location);
    CHECK_THAT(database.has_value(), database.error().message);
    database_ = *std::move(database);
    const std::string table = "tasks-" + SystemRandom().Uuid();
    const auto made = CreateTaskTable(*database_, table, SystemClock());
    CHECK_THAT(made.has_value(), made.error().message);
    backend_ =
        std::make_unique<DatabaseBackend>(*database_, DatabaseBackendOptions{.table = table});
  }

  std::filesystem::path folder_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<StorageBackend> backend_;
  std::optional<TaskStore> store_;
};

bool IsMissing(int home) {
  return home == kTableElsewhere && std::getenv("STATOR_DATABASE") == nullptr;
}

// Many owners, as servers have them.
std::string OwnerOf(std::int64_t number) {
  return "owner-" + std::to_string(number % 1000);
}

void BM_Life(benchmark::State& state) {
  const int home = static_cast<int>(state.range(0));
  if (IsMissing(home)) {
    state.SkipWithError("STATOR_DATABASE is not set");
    return;
  }
  static std::unique_ptr<Bench> bench;
  if (state.thread_index() == 0) {
    bench = std::make_unique<Bench>(home);
  }
  std::int64_t number = state.thread_index() * 1'000'003;
  for (auto _ : state) {
    TaskStore& store = bench->store();
    const std::string owner = OwnerOf(number++);
    const auto created = store.Create({.id = owner}, {.method = "tools/call", .tool_name = "t"});
    CHECK(created.has_value());
    const std::string& id = created->task.id;
    for (int step = 1; step <= 3; ++step) {
      CHECK(store.SetVariables(owner, id, {{"step", step}}).has_value());
    }
    CHECK(store.Complete(owner, id, {.status = TaskStatus::kCompleted, .result = Json("done")})
              .has_value());
    CHECK(store.GetResult(owner, id).has_value());
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) {
    bench.reset();
  }
}

constexpr Duration kLease = std::chrono::hours(1);

// One call again and again, on a task whose record has so many bytes.
void Repeat(benchmark::State& state, const auto& call) {
  const int home = static_cast<int>(state.range(0));
  if (IsMissing(home)) {
    state.SkipWithError("STATOR_DATABASE is not set");
    return;
  }
  Bench bench(home);
  TaskStore& store = bench.store();
  const auto created = store.Create(
      {.id = "alice"}, {.method = "tools/call",
                        .lease = LeaseRequest{.worker = "w", .group = "g", .length = kLease}});
  const std::string id = created->task.id;
  CHECK(store.SetResult("alice", id, std::string(static_cast<std::size_t>(state.range(1)), 'x'))
            .has_value());
  for (auto _ : state) {
    CHECK(call(store, id).has_value());
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_Poll(benchmark::State& state) {
  Repeat(state, [](TaskStore& store, const std::string& id) { return store.Poll("alice", id); });
}

void BM_Renew(benchmark::State& state) {
  Repeat(state, [](TaskStore& store, const std::string& id) {
    return store.Renew("alice", id, "w", kLease);
  });
}

BENCHMARK(BM_Life)->ArgName("home")->DenseRange(0, 3)->UseRealTime();
BENCHMARK(BM_Life)->ArgName("home")->Arg(kTableOnDisk)->Threads(16)->UseRealTime();
BENCHMARK(BM_Poll)
    ->ArgNames({"home", "bytes"})
    ->ArgsProduct({{0, 1, 2, 3}, {1024, 300 * 1024}})
    ->UseRealTime();
BENCHMARK(BM_Renew)
    ->ArgNames({"home", "bytes"})
    ->ArgsProduct({{0, 1, 2, 3}, {1024, 300 * 1024}})
    ->UseRealTime();

}  // namespace
}  // namespace stator::tasks

BENCHMARK_MAIN();
