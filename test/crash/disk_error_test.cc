// Writes and syncs that fail and disks that fill up at seeded moments, without a power cut: the
// caller is told, what is read afterwards is right, further writes are refused in so many words,
// and opening again heals.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "history.h"
#include "inspect.h"
#include "machine.h"
#include "seeds.h"
#include "workload.h"

namespace stator::crash {
namespace {

using storage::Durability;

constexpr std::size_t kOperations = 60;
constexpr char kAfterwards[] = "after#0";

class DiskError {
 public:
  explicit DiskError(std::uint64_t seed)
      : seed_(seed),
        random_(seed),
        durability_(random_.Below(3) == 0 ? Durability::kRelaxed : Durability::kDurable),
        machine_(seed) {}

  void Run() {
    ASSERT_TRUE(machine_.Start(durability_).has_value());
    ASSERT_TRUE(CreateTables(machine_.engine()).has_value());
    machine_.engine().AwaitBackgroundJobs();
    BreakTheDisk();
    const std::vector<History> histories = Work();
    InspectWhileBroken(histories);
    machine_.Stop();
    machine_.disk().Heal();
    const auto on_disk = ProblemOnDisk(machine_.StoreOptions());
    ASSERT_FALSE(on_disk.has_value()) << *on_disk;
    ASSERT_TRUE(machine_.Start(durability_).has_value());
    Inspect(histories);
    EXPECT_TRUE(PutAfterwards().has_value());
    machine_.Stop();
    const auto left = ProblemOrJobOnDisk(machine_.StoreOptions());
    EXPECT_FALSE(left.has_value()) << *left;
  }

 private:
  void BreakTheDisk() {
    storage::FaultyDisk& disk = machine_.disk();
    switch (random_.Below(4)) {
      case 0:
        return disk.FailWritesAfter(random_.Below(150));
      case 1:
        return disk.FailSyncsAfter(random_.Below(100));
      case 2:
        return disk.FillUpAfter(random_.Below(200'000));
      default:
        return disk.FailAtRandom(seed_, 20 + random_.Below(200));
    }
  }

  std::vector<History> Work() {
    const std::size_t writers = 1 + random_.Below(4);
    std::vector<History> histories;
    for (std::size_t at = 0; at < writers; ++at) {
      histories.push_back({.writer = "w" + std::to_string(at)});
    }
    Ticks ticks = 0;
    std::vector<std::jthread> threads;
    for (History& history : histories) {
      threads.emplace_back([this, &history, &ticks, seed = random_.Next()] {
        Writer writer(history.writer, seed);
        const Result<void> worked =
            crash::Work(machine_.engine(), writer, kOperations, ticks, history);
        EXPECT_TRUE(worked.has_value()) << worked.error().message;
      });
    }
    threads.clear();
    return histories;
  }

  Result<PutItemOutput> PutAfterwards() {
    return machine_.engine().PutItem(
        {.table_name = kAccounts, .item = {{"customer", kAfterwards}, {"op", 0}}});
  }

  void InspectWhileBroken(const std::vector<History>& histories) {
    Inspect(histories);
    const Result<void> health = machine_.engine().Health();
    bool somebody_was_told = false;
    for (const History& history : histories) {
      somebody_was_told = somebody_was_told || !history.attempts.back().acknowledged;
    }
    if (!somebody_was_told) {
      return;
    }
    // The disk is good again, but nobody knows what is on it.
    machine_.disk().Heal();
    ASSERT_FALSE(health.has_value());
    const Result<PutItemOutput> refused = PutAfterwards();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kIo);
    EXPECT_THAT(refused.error().message, testing::StartsWith("the store refuses writes since "));
    Inspect(histories);
  }

  void Inspect(const std::vector<History>& histories) {
    Result<Items> found = ReadItems(machine_.engine());
    ASSERT_TRUE(found.has_value()) << found.error().message;
    const auto problem = ProblemWithDurable(histories, *found);
    EXPECT_FALSE(problem.has_value()) << *problem;
    const auto in_stream = ProblemWithStream(machine_.engine(), *found);
    EXPECT_FALSE(in_stream.has_value()) << *in_stream;
  }

  const std::uint64_t seed_;
  SeededRandom random_;
  const Durability durability_;
  Machine machine_;
};

TEST(DiskErrorTest, FailuresAreToldAndHealedByOpeningAgain) {
  for (const std::uint64_t seed : Seeds(20, 300)) {
    SCOPED_TRACE(Trace(seed));
    DiskError(seed).Run();
    if (HasFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace stator::crash
