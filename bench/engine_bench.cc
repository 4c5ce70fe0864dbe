// What the engine costs beside the RocksDB calls that its operations need, and how both grow with
// the number of items.
//
//   engine_bench [--path DIRECTORY] [--only TEXT] [--turns N] [--no-growth]
//
// --path       where the databases are made, and removed afterwards; on the disk to be measured
// --only       only the comparisons whose names contain this
// --turns      how often each side is measured (9); figures are medians, in brackets the extremes
// --no-growth  without the databases of a million items, which take most of the time

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contest.h"
#include "engine_subjects.h"

namespace stator::bench {
namespace {

using storage::Durability;

constexpr std::uint64_t kItems = 40'000;
constexpr std::uint64_t kHotItems = 1'000;
constexpr std::size_t kItemBytes = 1024;
constexpr std::size_t kSmallItemBytes = 200;

struct Arguments {
  std::string path;
  std::string only;
  Effort effort;
  bool growth = true;
};

// A directory for one run.
class Workplace {
 public:
  explicit Workplace(const std::string& parent)
      : path_(std::filesystem::path(parent.empty() ? std::filesystem::temp_directory_path()
                                                   : std::filesystem::path(parent)) /
              "stator-engine-bench") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string Path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Operations have numbers that go on from slice to slice; no two threads have the same ones, so
// that no write finds that its work is done already.
template <class Operation>
Work Repeat(Operation operation, int threads = 1) {
  auto next = std::make_shared<std::vector<std::uint64_t>>(threads);
  return [next, operation, threads](int thread, std::uint64_t operations) {
    std::uint64_t& done = (*next)[static_cast<std::size_t>(thread)];
    for (const std::uint64_t end = done + operations; done < end; ++done) {
      operation(done * static_cast<std::uint64_t>(threads) + static_cast<std::uint64_t>(thread));
    }
  };
}

class Comparisons {
 public:
  Comparisons(const Arguments& arguments, const Workplace& place)
      : arguments_(arguments), place_(place) {}

  void Run() {
    PrintContestHeader();
    CompareLargeItems(Durability::kRelaxed);
    CompareLargeItems(Durability::kDurable);
    CompareSmallItems();
    if (arguments_.growth) {
      CompareGrowth();
    }
  }

 private:
  struct Pair {
    std::unique_ptr<EngineSubject> ours;
    std::unique_ptr<RawSubject> raw;
  };

  Pair Make(const std::string& name, Durability durability, std::uint64_t items,
            std::size_t bytes) const {
    return {std::make_unique<EngineSubject>(
                Setting{place_.Path(name + "-engine"), durability, items, bytes}),
            std::make_unique<RawSubject>(
                Setting{place_.Path(name + "-rocksdb"), durability, items, bytes})};
  }

  [[nodiscard]] bool Wanted(const std::string& name) const {
    return name.find(arguments_.only) != std::string::npos;
  }

  template <class Ours, class Raw>
  void Compare(const std::string& name, int threads, Ours ours, Raw raw) const {
    if (!Wanted(name)) {
      return;
    }
    Contestant engine(Repeat(ours, threads), threads);
    Contestant rocksdb(Repeat(raw, threads), threads);
    Compete({&engine, &rocksdb}, arguments_.effort);
    PrintContest(name, engine, rocksdb);
  }

  void CompareLargeItems(Durability durability) const {
    const bool durable = durability == Durability::kDurable;
    const std::string kind = durable ? "durable" : "relaxed";
    const Pair pair = Make(kind, durability, kItems, kItemBytes);
    if (!durable) {
      Compare(
          "GetItem 1 KB", 1, [&](std::uint64_t n) { pair.ours->GetItem(n); },
          [&](std::uint64_t n) { pair.raw->Get(n); });
      Compare(
          "GetItem 1 KB, of 1,000 items", 1,
          [&](std::uint64_t n) { pair.ours->GetItem(n % kHotItems); },
          [&](std::uint64_t n) { pair.raw->Get(n % kHotItems); });
    }
    for (const int threads : {1, 16, 64}) {
      Compare(
          "PutItem 1 KB, " + kind + ", " + std::to_string(threads) + " threads", threads,
          [&](std::uint64_t n) { pair.ours->PutItem(n); },
          [&](std::uint64_t n) { pair.raw->GetAndPut(n, 1); });
    }
    if (durable) {
      return;
    }
    Compare(
        "TransactWriteItems of 4, 1 KB", 1,
        [&](std::uint64_t n) { pair.ours->TransactWriteItems(n); },
        [&](std::uint64_t n) { pair.raw->GetAndPut(n, kTransactionItems); });
    Compare(
        "BatchWriteItem of 25, 1 KB", 1, [&](std::uint64_t n) { pair.ours->BatchWriteItem(n); },
        [&](std::uint64_t n) { pair.raw->GetAndPut(n, kBatchItems); });
  }

  void CompareSmallItems() const {
    const Pair pair = Make("small", Durability::kRelaxed, kItems, kSmallItemBytes);
    Compare(
        "UpdateItem counter, 200 B", 1, [&](std::uint64_t n) { pair.ours->UpdateItem(n); },
        [&](std::uint64_t n) { pair.raw->GetAndPut(n, 1); });
    Compare(
        "Query of 20, 200 B", 1, [&](std::uint64_t n) { pair.ours->Query(n); },
        [&](std::uint64_t n) { pair.raw->Iterate(n); });
  }

  // Four databases take turns; what counts is how much slower the large ones are.
  template <class Ours, class Raw>
  void CompareSizes(const std::string& name, const Pair& small, const Pair& large, Ours ours,
                    Raw raw) const {
    if (!Wanted(name)) {
      return;
    }
    Contestant small_ours(Repeat([&](std::uint64_t n) { ours(*small.ours, n); }));
    Contestant small_raw(Repeat([&](std::uint64_t n) { raw(*small.raw, n); }));
    Contestant large_ours(Repeat([&](std::uint64_t n) { ours(*large.ours, n); }));
    Contestant large_raw(Repeat([&](std::uint64_t n) { raw(*large.raw, n); }));
    Compete({&small_ours, &small_raw, &large_ours, &large_raw}, arguments_.effort);
    PrintContest(name + ", 10 thousand items", small_ours, small_raw);
    PrintContest(name + ", 1 million items", large_ours, large_raw);
    const Spread engine = SpreadOf(Quotients(large_ours.wall(), small_ours.wall()));
    const Spread rocksdb = SpreadOf(Quotients(large_raw.wall(), small_raw.wall()));
    std::printf("%-36s engine %.2f (%.2f - %.2f) times, RocksDB %.2f (%.2f - %.2f) times\n",
                (name + " grows").c_str(), engine.median, engine.low, engine.high, rocksdb.median,
                rocksdb.low, rocksdb.high);
  }

  void CompareGrowth() const {
    constexpr std::uint64_t kSmall = 10'000;
    constexpr std::uint64_t kLarge = 1'000'000;
    const Pair small = Make("ten-thousand", Durability::kRelaxed, kSmall, kSmallItemBytes);
    const Pair large = Make("a-million", Durability::kRelaxed, kLarge, kSmallItemBytes);
    CompareSizes(
        "GetItem", small, large,
        [](EngineSubject& subject, std::uint64_t n) { subject.GetItem(n); },
        [](RawSubject& subject, std::uint64_t n) { subject.Get(n); });
    CompareSizes(
        "Query", small, large, [](EngineSubject& subject, std::uint64_t n) { subject.Query(n); },
        [](RawSubject& subject, std::uint64_t n) { subject.Iterate(n); });
    CompareSizes(
        "PutItem", small, large,
        [](EngineSubject& subject, std::uint64_t n) { subject.PutItem(n); },
        [](RawSubject& subject, std::uint64_t n) { subject.GetAndPut(n, 1); });
  }

  const Arguments& arguments_;
  const Workplace& place_;
};

Arguments Parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  const auto usage = [] {
    std::fprintf(
        stderr, "usage: engine_bench [--path DIRECTORY] [--only TEXT] [--turns N] [--no-growth]\n");
    std::exit(2);
  };
  for (std::size_t at = 1; at < words.size(); ++at) {
    const bool has_value = at + 1 < words.size();
    if (words[at] == "--no-growth") {
      arguments.growth = false;
    } else if (words[at] == "--path" && has_value) {
      arguments.path = words[++at];
    } else if (words[at] == "--only" && has_value) {
      arguments.only = words[++at];
    } else if (words[at] == "--turns" && has_value) {
      arguments.effort.turns = std::atoi(words[++at].data());
      if (arguments.effort.turns < 1) {
        usage();
      }
    } else {
      usage();
    }
  }
  return arguments;
}

}  // namespace
}  // namespace stator::bench

int main(int count, char** values) {
  using stator::bench::Arguments;
  using stator::bench::Workplace;
  const Arguments arguments = stator::bench::Parse({values, values + count});
  const Workplace place(arguments.path);
  stator::bench::Comparisons(arguments, place).Run();
  return 0;
}
