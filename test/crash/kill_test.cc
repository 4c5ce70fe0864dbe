// `kill -9` of a process that writes from several threads, again and again on the same directory.
// The process says after each operation that it was done, and is killed after a seeded number of
// them; everything that it said is there afterwards. The operating system keeps what a killed
// process had written, so a relaxed store loses nothing either.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "history.h"
#include "inspect.h"
#include "killed_program.h"
#include "seeds.h"
#include "storage/temporary_directory.h"
#include "workload.h"

namespace stator::crash {
namespace {

using storage::Durability;

constexpr std::size_t kWriters = 3;

// What a process said before it was killed: how many operations each writer had done.
using Said = std::array<std::size_t, kWriters>;

// Runs crash_writer, and kills it when it has said `operations` things.
Said KillWriter(std::vector<std::string> arguments, std::size_t operations) {
  const std::string marks =
      RunAndKill(STATOR_CRASH_WRITER, std::move(arguments),
                 [&](std::string_view so_far) { return so_far.size() >= operations; });
  EXPECT_GE(marks.size(), operations);
  Said said{};
  for (const char mark : marks) {
    ++said.at(static_cast<std::size_t>(mark - 'A'));
  }
  return said;
}

// What the writer with this name and seed has done and was doing.
History Replay(const std::string& name, std::uint64_t seed, std::size_t said) {
  History history{.writer = name};
  Writer writer(name, seed);
  for (std::size_t at = 0; at < said; ++at) {
    history.attempts.push_back({.operation = writer.Next(), .acknowledged = true});
  }
  history.attempts.push_back({.operation = writer.Next()});
  return history;
}

class Killings {
 public:
  explicit Killings(Durability durability) : durability_(durability) {
    store_.path = directory_.path() + "/db";
  }

  void CreateTables() {
    const auto engine = Open();
    ASSERT_TRUE(crash::CreateTables(*engine).has_value());
    ASSERT_TRUE(engine->Close().has_value());
  }

  void KillOnce(std::uint64_t seed) {
    SeededRandom random(seed);
    const std::string name = "k" + std::to_string(seed);
    const Said said =
        KillWriter({store_.path, durability_ == Durability::kRelaxed ? "relaxed" : "durable",
                    std::to_string(seed), name, std::to_string(kWriters)},
                   1 + random.Below(200));
    std::vector<History> histories;
    for (std::size_t at = 0; at < kWriters; ++at) {
      histories.push_back(Replay(name + "w" + std::to_string(at), seed + at, said.at(at)));
    }
    Inspect(histories);
  }

 private:
  std::unique_ptr<engine::Engine> Open() {
    engine::EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.housekeeping_interval = std::chrono::milliseconds(0);
    auto engine = engine::Engine::Open(options);
    CHECK_THAT(engine.has_value(), engine.error().message);
    return *std::move(engine);
  }

  void Inspect(const std::vector<History>& histories) {
    const auto on_disk = ProblemOnDisk(store_);
    ASSERT_FALSE(on_disk.has_value()) << *on_disk;
    const auto engine = Open();
    const Result<Items> found = ReadItems(*engine);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    const auto problem = ProblemWithDurable(histories, *found);
    EXPECT_FALSE(problem.has_value()) << *problem;
    const auto in_stream = ProblemWithStream(*engine, *found);
    EXPECT_FALSE(in_stream.has_value()) << *in_stream;
    std::map<std::string, Items> parts = ByWriter(*found);
    for (const auto& [writer, items] : settled_) {
      EXPECT_TRUE(Matches(items, parts[writer])) << "the items of " << writer << " have changed";
    }
    settled_ = std::move(parts);
    engine->AwaitBackgroundJobs();
    ASSERT_TRUE(engine->Close().has_value());
    const auto left = ProblemOrJobOnDisk(store_);
    EXPECT_FALSE(left.has_value()) << *left;
  }

  const Durability durability_;
  storage::TemporaryDirectory directory_;
  storage::StoreOptions store_;
  ManualClock clock_{kNow};
  std::map<std::string, Items> settled_;  // by writer
};

// Everything that a store has is looked at after each death, so now and then a new one is begun.
constexpr std::size_t kDeathsOfAStore = 20;

void KillAgainAndAgain(Durability durability, std::span<const std::uint64_t> seeds) {
  while (!seeds.empty() && !testing::Test::HasFailure()) {
    const auto deaths = seeds.first(std::min(kDeathsOfAStore, seeds.size()));
    seeds = seeds.subspan(deaths.size());
    Killings killings(durability);
    killings.CreateTables();
    for (const std::uint64_t seed : deaths) {
      SCOPED_TRACE(Trace(seed));
      killings.KillOnce(seed);
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
}

TEST(KillTest, ADurableStoreKeepsWhatItAcknowledged) {
  KillAgainAndAgain(Durability::kDurable, Seeds(5, 600));
}

TEST(KillTest, ARelaxedStoreKeepsWhatItAcknowledged) {
  KillAgainAndAgain(Durability::kRelaxed, Seeds(3, 400));
}

}  // namespace
}  // namespace stator::crash
