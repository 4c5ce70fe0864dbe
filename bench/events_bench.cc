// The events store with few and with many events before: decisions (the last event of a tag is looked
// for, then appended behind it) and conditional appends by one, 64 and 256 writers, with threads that
// wait and with completions, reads by tag, reads of everything, and the catching up of a projection with
// its memory. Then how soon followers learn of appends, and the write units of an append beside those of
// the original system's layout. Both sizes take turns, so that whatever else the machine does meets
// both; what counts is the ratio.
//
//   events_bench                          10,000 and 100,000 events, in this process
//   events_bench --home server            the same over a server in this process, on loopback
//   events_bench --home both              one behind the other
//   events_bench --many 1000000 --seconds 10 --relaxed
//   events_bench --only "64 writers"       the figures whose names have this
//   events_bench --view                   with the rows of the original system behind the log
//
// Everything is written below a temporary directory, which is removed at the end.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "events_delay.h"
#include "events_units.h"
#include "server/server.h"
#include "stator/base/random.h"
#include "stator/home/open.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/maintenance.h"
#include "stator/stores/events/projection_runner.h"
#include "wire/handler.h"

namespace stator::events {
namespace {

namespace fs = std::filesystem;

constexpr int kTags = 1000;
constexpr int kEventsPerTagRead = 20;
constexpr int kRounds = 5;

struct Settings {
  std::string home = "embedded";
  std::uint64_t few = 10'000;
  std::uint64_t many = 100'000;
  double seconds = 5;  // for one figure of both sizes
  bool relaxed = false;
  bool view = false;      // rows of the original system, written behind
  std::string only = {};  // the figures whose names have this
};

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

double WallSeconds() {
  return std::chrono::duration<double>(SystemClock().Elapsed()).count();
}

double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string TagOf(std::uint64_t number) {
  return "entity:" + std::to_string(number % kTags);
}

// A database of its own for each size, and what stands in front of it.
class Subject {
 public:
  Subject(const Settings& settings, const fs::path& directory, std::uint64_t events)
      : events_(events) {
    Fill(directory.string(), settings.view);
    OpenOptions options;
    options.durability = settings.relaxed ? Durability::kRelaxed : Durability::kDurable;
    engine_ = Must(stator::Open(directory.string(), options));
    Database* database = engine_.get();
    if (settings.home == "server") {
      handler_ = std::make_unique<wire::DatabaseHandler>(*engine_);
      server_ = Must(server::Server::Start({.port = 0, .threads = 1}, *handler_));
      OpenOptions remote;
      remote.client.environment = [](const std::string&) { return std::nullopt; };
      client_ = Must(stator::Open(server_->endpoint(), remote));
      database = client_.get();
    }
    store_ = Must(EventStore::Open(*database, {.seed_rows = settings.view}));
  }

  // As another process would open it: over a connection of its own, if there is a server.
  [[nodiscard]] EventStore OpenAnother() {
    if (server_ != nullptr && another_ == nullptr) {
      OpenOptions remote;
      remote.client.environment = [](const std::string&) { return std::nullopt; };
      another_ = Must(stator::Open(server_->endpoint(), remote));
    }
    return Must(
        EventStore::Open(another_ == nullptr ? *engine_ : *another_, {.stream_events = true}));
  }

  EventStore& store() { return *store_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  // Without waiting for the disk.
  void Fill(const std::string& directory, bool view) const {
    OpenOptions options;
    options.durability = Durability::kRelaxed;
    const auto database = Must(stator::Open(directory, options));
    EventStore store = Must(EventStore::Open(*database, {.seed_rows = view}));
    constexpr std::uint64_t kPerAppend = 40;
    for (std::uint64_t start = 0; start < events_; start += kPerAppend) {
      std::vector<NewEvent> batch;
      for (std::uint64_t index = start; index < start + kPerAppend; ++index) {
        batch.push_back({.type = "Changed",
                         .payload = std::string(200, 'x'),
                         .tags = {TagOf(index / kPerAppend)}});
      }
      Must(store.Append(std::move(batch)));
    }
    const auto caught_up = CatchUpView(store);
    CHECK_THAT(caught_up.has_value(), caught_up.error().message);
  }

  std::uint64_t events_;
  std::unique_ptr<Database> engine_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<Database> client_;
  std::unique_ptr<Database> another_;
  std::optional<EventStore> store_;
};

// One event under the condition that its tag has no newer one, as decisions are. Returns how many
// were accepted.
std::uint64_t AppendOne(EventStore& store) {
  static std::atomic<std::uint64_t> next = 0;
  const std::string tag = TagOf(next++);
  const auto head = Must(store.FindTag(tag));
  AppendOptions options{.condition = AppendCondition{EventQuery::Tagged(tag)}};
  if (head) {
    options.condition->after = head->last;
  }
  const auto appended =
      store.Append({{.type = "Changed", .payload = std::string(200, 'x'), .tags = {tag}}}, options);
  CHECK_THAT(appended || FindConflict(appended.error()) != nullptr, appended.error().message);
  return appended ? 1 : 0;
}

// The same by somebody who knows the last event of its tag, because it appended it.
std::uint64_t AppendNext(EventStore& store) {
  static std::atomic<std::uint64_t> writers = 0;
  thread_local const std::string tag = "writer:" + std::to_string(writers++);
  thread_local std::optional<SortableId> last;
  const AppendOptions options{.condition = AppendCondition{EventQuery::Tagged(tag), last}};
  last = Must(store.Append({{.type = "Changed", .payload = std::string(200, 'x'), .tags = {tag}}},
                           options))
             .last();
  return 1;
}

// Writers without threads: each sends its next append when its last one is answered, on the threads of
// the store.
class Chain {
 public:
  Chain(EventStore& store, const std::string& tag, double end, std::atomic<std::uint64_t>& done,
        std::latch& ended)
      : store_(&store), tag_(tag), end_(end), done_(&done), ended_(&ended) {}

  void AppendNext() {
    store_->StartAppend({{.type = "Changed", .payload = std::string(200, 'x'), .tags = {tag_}}},
                        {.condition = AppendCondition{EventQuery::Tagged(tag_), last_}},
                        [this](const Result<Appended>& appended) {
                          CHECK_THAT(appended.has_value(), appended.error().message);
                          last_ = appended->last();
                          ++*done_;
                          if (WallSeconds() < end_) {
                            AppendNext();
                          } else {
                            ended_->count_down();
                          }
                        });
  }

 private:
  EventStore* store_;
  std::string tag_;
  double end_;
  std::atomic<std::uint64_t>* done_;
  std::latch* ended_;
  std::optional<SortableId> last_;
};

std::uint64_t ReadTag(EventStore& store) {
  static std::atomic<std::uint64_t> next = 0;
  return Must(store.ReadList(
                  {.query = EventQuery::Tagged(TagOf(next++)), .limit = kEventsPerTagRead}))
      .size();
}

std::uint64_t ReadLog(EventStore& store) {
  constexpr std::uint64_t kEvents = 10'000;
  EventStream stream = Must(store.Read({.limit = kEvents}));
  std::uint64_t events = 0;
  while (Must(stream.Next())) {
    ++events;
  }
  return events;
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

struct Figure {
  double per_second = 0;
  double processor_us = 0;  // of all threads together, the database's too
};

// Does the work for some time from so many threads.
Figure Measure(EventStore& store, int threads, double seconds,
               const std::function<std::uint64_t(EventStore&)>& work) {
  std::atomic<std::uint64_t> done = 0;
  const double processor = ProcessorSeconds();
  const double start = WallSeconds();
  {
    std::vector<std::jthread> workers;
    for (int thread = 0; thread < threads; ++thread) {
      workers.emplace_back([&] {
        while (WallSeconds() - start < seconds) {
          done += work(store);
        }
      });
    }
  }
  const auto count = static_cast<double>(std::max<std::uint64_t>(done, 1));
  return {count / (WallSeconds() - start), (ProcessorSeconds() - processor) * 1e6 / count};
}

// The same from so many writers without threads.
Figure MeasureStarted(EventStore& store, int writers, double seconds) {
  static std::atomic<std::uint64_t> measured = 0;
  const std::string run = std::to_string(measured++);
  std::atomic<std::uint64_t> done = 0;
  std::latch ended(writers);
  const double processor = ProcessorSeconds();
  const double start = WallSeconds();
  std::vector<Chain> chains;
  chains.reserve(static_cast<std::size_t>(writers));
  for (int writer = 0; writer < writers; ++writer) {
    chains.emplace_back(store, "chain:" + run + "-" + std::to_string(writer), start + seconds, done,
                        ended);
  }
  for (Chain& chain : chains) {
    chain.AppendNext();
  }
  ended.wait();
  const auto count = static_cast<double>(done);
  return {count / (WallSeconds() - start), (ProcessorSeconds() - processor) * 1e6 / count};
}

Figure MedianOf(std::vector<Figure> figures) {
  std::sort(figures.begin(), figures.end(), [](const Figure& left, const Figure& right) {
    return left.per_second < right.per_second;
  });
  return figures[figures.size() / 2];
}

void Compare(const Settings& settings, const char* name, Subject& few, Subject& many,
             const std::function<Figure(EventStore&, double)>& measure) {
  if (!std::string(name).contains(settings.only)) {
    return;
  }
  std::vector<Figure> of_few;
  std::vector<Figure> of_many;
  const double slice = settings.seconds / (2 * kRounds);
  for (int round = 0; round < kRounds; ++round) {
    of_few.push_back(measure(few.store(), slice));
    of_many.push_back(measure(many.store(), slice));
  }
  const Figure left = MedianOf(std::move(of_few));
  const Figure right = MedianOf(std::move(of_many));
  std::printf("%-38s %10.0f/s %8.1f us   %10.0f/s %8.1f us   %5.2f\n", name, left.per_second,
              left.processor_us, right.per_second, right.processor_us,
              right.per_second / left.per_second);
  std::fflush(stdout);
}

void CatchUp(Subject& subject) {
  EventStore& store = subject.store();
  CheckpointStore checkpoints(store);
  double highest = 0;
  const double before = ResidentMegabytes();
  RunnerOptions options;
  options.on_progress = [&](std::uint64_t) { highest = std::max(highest, ResidentMegabytes()); };
  const Projector projector{
      .name = "counter", .version = "1", .make = [] { return std::make_unique<Counter>(); }};
  const auto runner = Must(ProjectionRunner::Open(store, checkpoints, projector, options));
  const double start = WallSeconds();
  const auto rebuilt = runner->Rebuild();
  CHECK_THAT(rebuilt.has_value(), rebuilt.error().message);
  const double seconds = WallSeconds() - start;
  std::printf(
      "catching up of %9llu events: %6.1f s, %8.0f/s; memory %.0f MB before, %.0f MB at most\n",
      static_cast<unsigned long long>(runner->state().events), seconds,
      static_cast<double>(runner->state().events) / seconds, before, highest);
}

Settings Parse(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    const std::string& name = arguments[index];
    if (name == "--relaxed" || name == "--view") {
      (name == "--view" ? settings.view : settings.relaxed) = true;
      continue;
    }
    CHECK_THAT(index + 1 < arguments.size(), "a value is missing behind " + name);
    const std::string& value = arguments[++index];
    if (name == "--home") {
      CHECK_THAT(value == "embedded" || value == "server" || value == "both",
                 "there is no home " + value);
      settings.home = value;
    } else if (name == "--only") {
      settings.only = value;
    } else if (name == "--few") {
      settings.few = std::stoull(value);
    } else if (name == "--many") {
      settings.many = std::stoull(value);
    } else if (name == "--seconds") {
      settings.seconds = std::stod(value);
    } else {
      CHECK_THAT(false, "there is no option " + name);
    }
  }
  return settings;
}

void Run(const Settings& settings, const fs::path& directory) {
  std::printf("%s, %s, %s\n", settings.home.c_str(), settings.relaxed ? "relaxed" : "durable",
              settings.view ? "with the view" : "without the view");
  Subject few(settings, directory / "few", settings.few);
  const double start = WallSeconds();
  Subject many(settings, directory / "many", settings.many);
  std::printf("%llu events appended 40 at a time, relaxed: %.0f/s\n",
              static_cast<unsigned long long>(settings.many),
              static_cast<double>(settings.many) / (WallSeconds() - start));
  std::printf("%-38s %10llu events, CPU     %10llu events, CPU     ratio\n", "",
              static_cast<unsigned long long>(settings.few),
              static_cast<unsigned long long>(settings.many));
  const auto by = [](int threads, std::uint64_t (*work)(EventStore&)) {
    return
        [=](EventStore& store, double seconds) { return Measure(store, threads, seconds, work); };
  };
  const auto started = [](int writers) {
    return
        [=](EventStore& store, double seconds) { return MeasureStarted(store, writers, seconds); };
  };
  Compare(settings, "decisions, 1 writer", few, many, by(1, AppendOne));
  Compare(settings, "decisions, 64 writers", few, many, by(64, AppendOne));
  Compare(settings, "conditional appends, 1 writer", few, many, by(1, AppendNext));
  Compare(settings, "conditional appends, 64 writers", few, many, by(64, AppendNext));
  Compare(settings, "the same with completions, 64 writers", few, many, started(64));
  Compare(settings, "conditional appends, 256 writers", few, many, by(256, AppendNext));
  Compare(settings, "the same with completions, 256 writers", few, many, started(256));
  Compare(settings, "events read by tag, 20 each", few, many, by(1, ReadTag));
  Compare(settings, "events read of everything", few, many, by(1, ReadLog));
  if (!settings.only.empty()) {
    return;
  }
  CatchUp(few);
  CatchUp(many);
  std::printf("followers\n");
  EventStore& store = few.store();
  PrintFollowerDelay("of the same process", store, store, /*use_stream=*/false, settings.seconds);
  EventStore other = few.OpenAnother();
  PrintFollowerDelay("of another process", store, other, /*use_stream=*/false, settings.seconds);
  PrintFollowerDelay("of another process, with a stream", store, other, /*use_stream=*/true,
                     settings.seconds);
}

}  // namespace
}  // namespace stator::events

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  const auto settings =
      stator::events::Parse(std::vector<std::string>(arguments + 1, arguments + count));
  const fs::path directory =
      fs::temp_directory_path() / ("stator-events-bench-" + stator::SystemRandom().Uuid());
  for (const std::string home : {"embedded", "server"}) {
    if (settings.home == home || settings.home == "both") {
      auto chosen = settings;
      chosen.home = home;
      stator::events::Run(chosen, directory / home);
    }
  }
  if (settings.only.empty()) {
    stator::events::PrintWriteUnits();
  }
  fs::remove_all(directory);
  return 0;
}
