// What history costs and what going back takes, on files.
//
//   history_bench [--path DIRECTORY] [--items N] [--turns N] [--durable]
//
// --path    where the databases are made, and removed afterwards; on the disk to be measured
// --items   how many items of 1 KB the tables have (1,000,000)
// --turns   how often ways back are measured (9); figures are medians, in brackets the extremes
// --durable writes are synced before they are acknowledged, as a server does by default

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "contest.h"
#include "engine/engine.h"

namespace stator::bench {
namespace {

constexpr char kTable[] = "bench";
constexpr char kCheckpoint[] = "before";
constexpr std::size_t kItemBytes = 1024;
constexpr std::uint64_t kBatchItems = 25;
constexpr std::uint64_t kChangedItems = 1000;

struct Arguments {
  std::filesystem::path path = std::filesystem::temp_directory_path();
  std::uint64_t items = 1'000'000;
  int turns = 9;
  storage::Durability durability = storage::Durability::kRelaxed;
};

template <class T>
T Demand(Result<T> result) {
  CHECK_THAT(result.has_value(), result.error().message);
  if constexpr (!std::is_void_v<T>) {
    return *std::move(result);
  }
}

// What was taken, in seconds. Processor time does not depend on what else the machine does.
struct Taken {
  double wall = 0;
  double cpu = 0;
};

Taken Time(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  const std::clock_t cpu_begun = std::clock();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  return {wall.count(), static_cast<double>(std::clock() - cpu_begun) / CLOCKS_PER_SEC};
}

// Pieces of a long text that a compressor halves, as it does with most of what applications have.
class Texts {
 public:
  Texts() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (char& letter : text_) {
      letter = kDigits[random_.Below(kDigits.size())];
    }
  }
  std::string Next(std::size_t bytes) {
    return text_.substr(random_.Below(text_.size() - bytes), bytes);
  }

 private:
  SeededRandom random_{1};
  std::string text_ = std::string(std::size_t{4} << 20, '\0');
};

class Subject {
 public:
  Subject(std::filesystem::path path, storage::Durability durability)
      : path_(std::move(path)), durability_(durability) {
    std::filesystem::remove_all(path_);
    Open();
    Demand(engine_->CreateTable({.table_name = kTable,
                                 .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
                                 .key_schema = {{"pk", KeyType::kHash}},
                                 .billing_mode = BillingMode::kPayPerRequest}));
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  ~Subject() {
    engine_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  // Writes items [0, count), whatever they were, each with a content that it never had.
  void Write(std::uint64_t count) {
    for (std::uint64_t first = 0; first < count; first += kBatchItems) {
      BatchWriteItemInput batch;
      for (std::uint64_t item = first; item < std::min(first + kBatchItems, count); ++item) {
        batch.request_items[kTable].emplace_back(PutRequest{
            {{"pk", "item#" + std::to_string(item)}, {"body", texts_.Next(kItemBytes - 30)}}});
      }
      Demand(engine_->BatchWriteItem(batch));
    }
  }

  void SwitchRecoveryOn() {
    Demand(engine_->UpdateContinuousBackups(
        {.table_name = kTable, .point_in_time_recovery_specification = {.enabled = true}}));
  }

  // Of all files, when everything is written and nothing is left to merge.
  std::uint64_t BytesOnDisk() {
    Demand(engine_->Close());
    Open();  // what was in the log is now in tables
    Demand(engine_->Close());
    std::uint64_t bytes = 0;
    for (const auto& [name, size] : Tables()) {
      bytes += size;
    }
    Open();
    return bytes;
  }

  // Waits until what was written is merged, so that it does not burden what is measured next.
  void Settle() {
    constexpr int kQuietLooks = 10;
    constexpr int kLooksMax = 600;
    std::map<std::string, std::uint64_t> before;
    for (int look = 0, quiet = 0; look < kLooksMax && quiet < kQuietLooks; ++look) {
      SystemClock().SleepFor(std::chrono::milliseconds(200));
      std::map<std::string, std::uint64_t> now = Tables();
      quiet = now == before ? quiet + 1 : 0;
      before = std::move(now);
    }
  }

  [[nodiscard]] engine::Engine& engine() { return *engine_; }

 private:
  // RocksDB's files, which it may remove while they are listed.
  [[nodiscard]] std::map<std::string, std::uint64_t> Tables() const {
    std::map<std::string, std::uint64_t> sizes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      std::error_code gone;
      const std::uint64_t size = entry.file_size(gone);
      if (!gone && entry.path().extension() == ".sst") {
        sizes[entry.path().filename()] = size;
      }
    }
    return sizes;
  }

  void Open() {
    engine_.reset();
    engine::EngineOptions options;
    options.store = {.path = path_, .durability = durability_};
    engine_ = Demand(engine::Engine::Open(options));
  }

  const std::filesystem::path path_;
  const storage::Durability durability_;
  Texts texts_;
  std::unique_ptr<engine::Engine> engine_;
};

void Restore(Subject& subject, std::uint64_t items, const Taken& writing) {
  const Taken taken = Time([&] {
    Demand(subject.engine().RestoreTableToPointInTime({.target_table_name = "restored",
                                                       .source_table_name = kTable,
                                                       .use_latest_restorable_time = true}));
    subject.engine().AwaitBackgroundJobs();
  });
  const TableDescription table =
      Demand(subject.engine().DescribeTable({.table_name = "restored"})).table;
  CHECK(table.table_status == TableStatus::kActive &&
        table.item_count == static_cast<std::int64_t>(items));
  const auto print = [&](const char* name, const Taken& each) {
    std::printf("%-36s %9.2f µs an item, %9.2f of them of the processor\n", name,
                1e6 * each.wall / static_cast<double>(items),
                1e6 * each.cpu / static_cast<double>(items));
  };
  print("restore", taken);
  print("BatchWriteItem of 25, 1 KB", writing);
  std::printf("%-36s %9.2f times faster, %.2f times less of the processor\n",
              "restore beside BatchWriteItem", writing.wall / taken.wall, writing.cpu / taken.cpu);
  std::fflush(stdout);
}

void GoBack(Subject& subject, const std::string& name, int turns,
            const std::function<void()>& before, const std::function<void()>& back) {
  std::vector<double> wall;
  std::vector<double> cpu;
  for (int turn = 0; turn < turns; ++turn) {
    before();
    subject.Write(kChangedItems);
    const Taken taken = Time(back);
    wall.push_back(1000 * taken.wall);
    cpu.push_back(1000 * taken.cpu);
  }
  const Spread whole = SpreadOf(wall);
  const Spread busy = SpreadOf(cpu);
  std::printf("%-36s %9.1f ms (%.1f - %.1f), %.1f (%.1f - %.1f) of them of the processor\n",
              name.c_str(), whole.median, whole.low, whole.high, busy.median, busy.low, busy.high);
  std::fflush(stdout);
}

// What a change adds to the disk beside the change itself.
void CompareSizes(const Arguments& arguments) {
  std::vector<double> bytes;
  const std::uint64_t items = std::max<std::uint64_t>(arguments.items / 10, kBatchItems);
  for (const bool remembers : {false, true}) {
    Subject subject(arguments.path / "stator-history-bench-size", storage::Durability::kRelaxed);
    if (remembers) {
      subject.SwitchRecoveryOn();
    }
    for (int round = 0; round < 5; ++round) {
      subject.Write(items);
    }
    bytes.push_back(static_cast<double>(subject.BytesOnDisk()));
  }
  const double changes = 5.0 * static_cast<double>(items);
  std::printf("bytes on disk per change of 1 KB     %9.0f (without history %.0f)\n",
              bytes[1] / changes, bytes[0] / changes);
}

void Run(const Arguments& arguments) {
  Subject subject(arguments.path / "stator-history-bench", arguments.durability);
  const Taken writing = Time([&] { subject.Write(arguments.items); });
  subject.SwitchRecoveryOn();
  subject.Settle();
  Restore(subject, arguments.items, writing);
  subject.Settle();

  TimePoint then;
  GoBack(
      subject, "rewind of 1,000 changed items", arguments.turns,
      [&] {
        then = SystemClock().Now();
        SystemClock().SleepFor(std::chrono::milliseconds(1));
      },
      [&] {
        const auto rewound =
            Demand(subject.engine().RewindTable({.table_name = kTable, .rewind_date_time = then}));
        CHECK(rewound.items_changed == kChangedItems && !rewound.rewind_in_progress);
      });
  Demand(subject.engine().CreateCheckpoint({.checkpoint_name = kCheckpoint}));
  GoBack(
      subject, "checkpoint, 1,000 changed items", arguments.turns, [] {},
      [&] {
        const auto back =
            Demand(subject.engine().RestoreCheckpoint({.checkpoint_name = kCheckpoint}));
        CHECK(back.items_changed == kChangedItems);
      });
  CompareSizes(arguments);
}

Arguments Parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (words[at] == "--durable") {
      arguments.durability = storage::Durability::kDurable;
      continue;
    }
    const std::string& name = words[at];
    const std::string value = ++at < words.size() ? words[at] : "";
    if (name == "--path" && !value.empty()) {
      arguments.path = value;
    } else if (name == "--items" && std::atoll(value.c_str()) >= std::int64_t{kChangedItems}) {
      arguments.items = std::stoull(value);
    } else if (name == "--turns" && std::atoi(value.c_str()) >= 1) {
      arguments.turns = std::atoi(value.c_str());
    } else {
      std::fprintf(stderr,
                   "usage: history_bench [--path DIRECTORY] [--items N] [--turns N] [--durable]\n");
      std::exit(2);
    }
  }
  return arguments;
}

}  // namespace
}  // namespace stator::bench

int main(int count, char** values) {
  stator::bench::Run(stator::bench::Parse({values, values + count}));
  return 0;
}
