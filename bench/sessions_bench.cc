// One job with 1,000 items and 16 workers: completions per second, in both layouts of items, beside
// what people write first, reading, changing and writing the whole record.
//
//   sessions_bench                    in memory, and durable in a directory of its own
//   STATOR_DATABASE=http://127.0.0.1:8000 sessions_bench    the same over a server

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "stator/home/open.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/sessions/media/workflow.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/sessions/session_table.h"

namespace stator::sessions {
namespace {

constexpr int kItems = 1000;
constexpr int kWorkers = 16;

enum Home : int { kInMemory, kOnDisk, kElsewhere };

// A store on one of the homes, gone with its data at the end.
class Bench {
 public:
  explicit Bench(int home) {
    std::string location = "memory:";
    if (home == kOnDisk) {
      folder_ =
          std::filesystem::temp_directory_path() / ("sessions-bench-" + SystemRandom().Uuid());
      location = folder_.string();
    } else if (home == kElsewhere) {
      location = std::getenv("STATOR_DATABASE");
    }
    auto database = Open(location);
    CHECK_THAT(database.has_value(), database.error().message);
    database_ = *std::move(database);
    table_ = "sessions-" + SystemRandom().Uuid();
    const auto made = CreateSessionTable(*database_, table_);
    CHECK_THAT(made.has_value(), made.error().message);
    auto store = SessionStore::Open(*database_, {.workflow = MediaWorkflow(), .table = table_});
    CHECK_THAT(store.has_value(), store.error().message);
    store_ = *std::move(store);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    store_.reset();
    database_.reset();
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_);
    }
  }

  SessionStore& store() { return *store_; }
  Database& database() { return *database_; }
  [[nodiscard]] const std::string& table() const { return table_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Database> database_;
  std::string table_;
  std::optional<SessionStore> store_;
};

std::string ItemId(int number) {
  return "uploads/photo-" + std::to_string(number) + ".jpg";
}

std::vector<NewItem> MakeItems() {
  std::vector<NewItem> items;
  for (int number = 0; number < kItems; ++number) {
    items.push_back({.id = ItemId(number), .input = {{"phase", "pending"}}});
  }
  return items;
}

Map MakeResult(int number) {
  return {{"phase", "complete"}, {"enhancedKey", "enhanced/photo-" + std::to_string(number)}};
}

// Every worker takes the next item that nobody has taken.
template <class Complete>
void Work(const Complete& complete) {
  std::atomic<int> next = 0;
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < kWorkers; ++worker) {
    workers.emplace_back([&] {
      for (int number = next++; number < kItems; number = next++) {
        complete(number);
      }
    });
  }
}

bool IsMissing(int home) {
  return home == kElsewhere && std::getenv("STATOR_DATABASE") == nullptr;
}

void Complete(benchmark::State& state, ItemsLayout layout) {
  if (IsMissing(static_cast<int>(state.range(0)))) {
    state.SkipWithError("STATOR_DATABASE is not set");
    return;
  }
  Bench bench(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    const auto session = bench.store().Claim(bench.store().MakeSessionId(), "bench");
    CHECK_THAT(session.has_value(), session.error().message);
    const auto job = session->PutNewWithItems("enhancement", "", {{"status", "processing"}},
                                              MakeItems(), layout);
    CHECK_THAT(job.has_value(), job.error().message);
    state.ResumeTiming();
    Work([&](int number) {
      const auto done =
          session->CompleteItem("enhancement", job->id, ItemId(number), MakeResult(number));
      CHECK_THAT(done.has_value(), done.error().message);
    });
    state.PauseTiming();
    const auto after = session->Get("enhancement", job->id);
    CHECK_THAT(after && after->state == "complete", "the job has ended");
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

void BM_CompleteInTheRecord(benchmark::State& state) {
  Complete(state, ItemsLayout::kMap);
}

void BM_CompleteInItemsOfTheTable(benchmark::State& state) {
  Complete(state, ItemsLayout::kChildren);
}

// Guarded by a revision, so that nothing gets lost; without it most results would.
void BM_ReadModifyWrite(benchmark::State& state) {
  if (IsMissing(static_cast<int>(state.range(0)))) {
    state.SkipWithError("STATOR_DATABASE is not set");
    return;
  }
  Bench bench(static_cast<int>(state.range(0)));
  const patterns::VersionedItems items(
      bench.database(), {.table_name = bench.table(), .key_attributes = {"PK", "SK"}});
  std::int64_t run = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const Item key{{"PK", "SESSION#" + std::to_string(++run)}, {"SK", "ENHANCE#job"}};
    Item record = key;
    List list;
    for (const NewItem& item : MakeItems()) {
      list.emplace_back(Map{{"key", item.id}, {"phase", "pending"}});
    }
    record.Set("items", std::move(list));
    record.Set("completedCount", 0);
    CHECK_THAT(items.Insert(std::move(record)).has_value(), "the record is new");
    state.ResumeTiming();
    Work([&](int number) {
      const auto written = items.Modify(
          key,
          [&](Item& item) {
            AttributeValue& place =
                (*item.Find("items")->If<List>())[static_cast<std::size_t>(number)];
            place = MakeResult(number);
            item.Set("completedCount",
                     item.at("completedCount").If<Number>()->ToInt64().value_or(0) + 1);
          },
          {.retry = {.budget = std::chrono::minutes(10)}});
      CHECK_THAT(written.has_value(), written.error().message);
    });
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

void Homes(benchmark::internal::Benchmark* bench) {
  bench->ArgName("home")
      ->Arg(kInMemory)
      ->Arg(kOnDisk)
      ->Arg(kElsewhere)
      ->UseRealTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

BENCHMARK(BM_CompleteInTheRecord)->Apply(Homes);
BENCHMARK(BM_CompleteInItemsOfTheTable)->Apply(Homes);
BENCHMARK(BM_ReadModifyWrite)->Apply(Homes);

}  // namespace
}  // namespace stator::sessions

BENCHMARK_MAIN();
