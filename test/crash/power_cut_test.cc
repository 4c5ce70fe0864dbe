// Power cuts at seeded moments, under several writers and somebody who changes the schema. After
// each, everything that was acknowledged is there, nothing is half there, and all parts of the
// database agree. A relaxed store may lose the end, but only the end.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "history.h"
#include "inspect.h"
#include "janitor.h"
#include "machine.h"
#include "seeds.h"
#include "workload.h"

namespace stator::crash {
namespace {

using storage::Durability;

constexpr int kRounds = 3;
constexpr std::size_t kOperations = 80;

class PowerCut {
 public:
  PowerCut(std::uint64_t seed, Durability durability)
      : random_(seed), durability_(durability), machine_(seed) {}

  void Run() {
    ASSERT_TRUE(machine_.Start().has_value());
    ASSERT_TRUE(CreateTables(machine_.engine()).has_value());
    machine_.Stop();
    for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      const std::vector<History> histories = WorkUntilTheCut("r" + std::to_string(round));
      Inspect(histories);
    }
    if (!testing::Test::HasFailure()) {
      FinishJobs();
    }
  }

 private:
  std::vector<History> WorkUntilTheCut(const std::string& names) {
    EXPECT_TRUE(machine_.Start(durability_).has_value());
    const std::size_t writers = 1 + random_.Below(4);
    std::vector<History> histories;
    for (std::size_t at = 0; at < writers; ++at) {
      histories.push_back({.writer = names + "w" + std::to_string(at)});
    }
    const std::size_t cut_at = PlanTheCut(writers);
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> done = 0;
    Ticks ticks = 0;
    {
      std::vector<std::jthread> threads;
      for (History& history : histories) {
        threads.emplace_back([this, &history, &ticks, &done, cut_at, seed = random_.Next()] {
          Writer writer(history.writer, seed);
          for (std::size_t at = 0; at < kOperations; ++at) {
            if (done++ == cut_at) {
              machine_.disk().CutPower();
            }
            const Result<void> worked = Work(machine_.engine(), writer, 1, ticks, history);
            EXPECT_TRUE(worked.has_value()) << worked.error().message;
            if (!history.attempts.back().acknowledged) {
              machine_.disk().CutPower();
              return;
            }
          }
        });
      }
      std::jthread janitor;
      if (random_.Below(2) == 0) {
        janitor = std::jthread([this, &stop, seed = random_.Next()] {
          const Result<void> changed = ChangeThings(machine_.engine(), seed, stop);
          EXPECT_TRUE(changed.has_value()) << changed.error().message;
        });
      }
      threads.clear();
      stop = true;
    }
    machine_.LosePower(random_.Below(2) == 0 ? &random_ : nullptr);
    return histories;
  }

  // Makes the disk fail after a while, or returns the number of the operation before which the
  // power goes.
  std::size_t PlanTheCut(std::size_t writers) {
    switch (random_.Below(3)) {
      case 0:
        machine_.disk().FailWritesAfter(random_.Below(80 * writers));
        break;
      case 1:
        machine_.disk().FailSyncsAfter(random_.Below(80 * writers));
        break;
      default:
        return random_.Below(kOperations * writers);
    }
    return kOperations * writers;
  }

  void Inspect(const std::vector<History>& histories) {
    const auto on_disk = ProblemOnDisk(machine_.StoreOptions());
    ASSERT_FALSE(on_disk.has_value()) << *on_disk;
    ASSERT_TRUE(machine_.Start().has_value());
    const Result<Items> found = ReadItems(machine_.engine());
    ASSERT_TRUE(found.has_value()) << found.error().message;
    const auto problem = durability_ == Durability::kDurable ? ProblemWithDurable(histories, *found)
                                                             : ProblemWithPrefix(histories, *found);
    EXPECT_FALSE(problem.has_value()) << *problem;
    const auto in_stream = ProblemWithStream(machine_.engine(), *found);
    EXPECT_FALSE(in_stream.has_value()) << *in_stream;
    // What was there after an earlier cut is there for good.
    std::map<std::string, Items> parts = ByWriter(*found);
    for (const auto& [writer, items] : settled_) {
      EXPECT_TRUE(Matches(items, parts[writer])) << "the items of " << writer << " have changed";
    }
    settled_ = std::move(parts);
    machine_.Stop();
  }

  void FinishJobs() {
    ASSERT_TRUE(machine_.Start().has_value());
    machine_.engine().AwaitBackgroundJobs();
    ASSERT_TRUE(machine_.engine().RunHousekeeping().has_value());
    machine_.Stop();
    const auto left = ProblemOrJobOnDisk(machine_.StoreOptions());
    EXPECT_FALSE(left.has_value()) << *left;
  }

  SeededRandom random_;
  const Durability durability_;
  Machine machine_;
  std::map<std::string, Items> settled_;  // by writer
};

TEST(PowerCutTest, ADurableStoreKeepsWhatItAcknowledged) {
  for (const std::uint64_t seed : Seeds(15, 220)) {
    SCOPED_TRACE(Trace(seed));
    PowerCut(seed, Durability::kDurable).Run();
    if (HasFailure()) {
      return;
    }
  }
}

TEST(PowerCutTest, ARelaxedStoreKeepsAPrefixInTime) {
  for (const std::uint64_t seed : Seeds(10, 100)) {
    SCOPED_TRACE(Trace(seed));
    PowerCut(seed, Durability::kRelaxed).Run();
    if (HasFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace stator::crash
