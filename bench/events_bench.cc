// The events store: conditional appends by one and many writers, reads by tag and of everything,
// catching up of a projection; each with few and many events stored before, so that a decline
// shows.
//
//   events_bench                                      a directory in the temporary directory
//   STATOR_DATABASE=http://127.0.0.1:8000 events_bench   a server
//   STATOR_BENCH_EVENTS=1000000 events_bench          the larger of the two sizes
//
// "rss_mb" is the memory of this process after the measurement, the engine included.

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/check.h"
#include "stator/base/random.h"
#include "stator/home/open.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/projection_runner.h"

namespace stator::events {
namespace {

constexpr int kTags = 1000;
constexpr int kFew = 10'000;

int Many() {
  const char* text = std::getenv("STATOR_BENCH_EVENTS");
  return text == nullptr ? 100'000 : std::atoi(text);
}

template <class T>
T Must(Result<T> result) {
  CHECK_THAT(result.has_value(), result.error().message);
  return *std::move(result);
}

double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * 4096 / 1e6;
}

std::string TagOf(std::uint64_t number) {
  return "entity:" + std::to_string(number % kTags);
}

Database& SharedDatabase() {
  static const std::unique_ptr<Database> kDatabase = [] {
    const char* location = std::getenv("STATOR_DATABASE");
    static const std::string kPath =
        (std::filesystem::temp_directory_path() / ("stator-events-" + SystemRandom().Uuid()))
            .string();
    return Must(Open(location == nullptr ? kPath : location));
  }();
  return *kDatabase;
}

// A store with so many events, made once.
EventStore& StoreWith(int events) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<EventStore>> stores;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<EventStore>& store = stores[events];
  if (store == nullptr) {
    store = Must(EventStore::Open(
        SharedDatabase(),
        {.service_id = "b" + std::to_string(events) + "-" + SystemRandom().Uuid().substr(0, 8)}));
    constexpr int kPerAppend = 20;
    for (int start = 0; start < events; start += kPerAppend) {
      std::vector<NewEvent> batch;
      for (int index = start; index < start + kPerAppend; ++index) {
        batch.push_back({.type = "Changed",
                         .payload = std::string(200, 'x'),
                         .tags = {TagOf(static_cast<std::uint64_t>(index / kPerAppend))}});
      }
      Must(store->Append(std::move(batch)));
    }
  }
  return *store;
}

// One event under the condition that its tag has no newer one, as decisions are.
void ConditionalAppend(benchmark::State& state) {
  EventStore& store = StoreWith(static_cast<int>(state.range(0)));
  static std::atomic<std::uint64_t> next = 0;
  std::int64_t refused = 0;
  for (auto _ : state) {
    const std::string tag = TagOf(next++);
    const auto head = Must(store.FindTag(tag));
    AppendOptions options{.condition = AppendCondition{EventQuery::Tagged(tag)}};
    if (head) {
      options.condition->after = head->last;
    }
    const auto appended = store.Append(
        {{.type = "Changed", .payload = std::string(200, 'x'), .tags = {tag}}}, options);
    CHECK_THAT(appended || FindConflict(appended.error()) != nullptr, appended.error().message);
    refused += appended ? 0 : 1;
  }
  state.SetItemsProcessed(state.iterations() - refused);
}

void ReadByTag(benchmark::State& state) {
  EventStore& store = StoreWith(static_cast<int>(state.range(0)));
  std::uint64_t number = 0;
  std::int64_t events = 0;
  for (auto _ : state) {
    events += static_cast<std::int64_t>(
        Must(store.ReadList({.query = EventQuery::Tagged(TagOf(number++)), .limit = 20})).size());
  }
  state.SetItemsProcessed(events);
}

void ReadEverything(benchmark::State& state) {
  EventStore& store = StoreWith(static_cast<int>(state.range(0)));
  std::int64_t events = 0;
  for (auto _ : state) {
    EventStream stream = Must(store.Read());
    while (Must(stream.Next())) {
      ++events;
    }
  }
  state.SetItemsProcessed(events);
  state.counters["rss_mb"] = ResidentMegabytes();
}

class Counter final : public Projection {
 public:
  Result<void> Apply(const Event& event) override {
    bytes_ += event.payload.size();
    return {};
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<Counter>(*this);
  }
  [[nodiscard]] Result<std::string> Save() const override { return std::to_string(bytes_); }
  Result<void> Load(std::string_view bytes) override {
    bytes_ = std::strtoull(std::string(bytes).c_str(), nullptr, 10);
    return {};
  }

 private:
  std::uint64_t bytes_ = 0;
};

void Rebuild(benchmark::State& state) {
  EventStore& store = StoreWith(static_cast<int>(state.range(0)));
  CheckpointStore checkpoints(store);
  const Projector projector{
      .name = "counter", .version = "1", .make = [] { return std::make_unique<Counter>(); }};
  auto runner = Must(ProjectionRunner::Open(store, checkpoints, projector));
  std::int64_t events = 0;
  for (auto _ : state) {
    const auto rebuilt = runner->Rebuild();
    CHECK_THAT(rebuilt.has_value(), rebuilt.error().message);
    events += static_cast<std::int64_t>(runner->state().events);
  }
  state.SetItemsProcessed(events);
  state.counters["rss_mb"] = ResidentMegabytes();
}

BENCHMARK(ConditionalAppend)->Arg(kFew)->Arg(Many())->UseRealTime();
BENCHMARK(ConditionalAppend)->Arg(kFew)->Arg(Many())->Threads(64)->UseRealTime();
BENCHMARK(ReadByTag)->Arg(kFew)->Arg(Many())->UseRealTime();
BENCHMARK(ReadEverything)->Arg(kFew)->Arg(Many())->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Rebuild)->Arg(kFew)->Arg(Many())->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stator::events

BENCHMARK_MAIN();
