// No lost and no doubled update, whatever clocks and network do: many threads change few items at
// the same time, through a network that loses, delays and refuses, with clocks that stand still,
// disagree or jump. A witness in front of the database counts how often each change was really
// applied; every caller knows what it was told. Both have to agree, and the items have to hold the
// sum.
//
// 100,000 changes, fewer under a sanitizer, where each takes several times as long; ten million
// with STATOR_TEST_FULL.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "patterns/patterns_test.h"
#include "stator/patterns/versioned_items.h"
#include "support/sanitized.h"
#include "support/witness.h"

namespace stator::patterns {
namespace {

constexpr std::size_t kChanges = support::kIsSanitized ? 10'000 : 100'000;
constexpr int kThreads = 4;
constexpr std::size_t kItems = 3;

using support::ClockKind;
using support::StrangeClock;
using support::Told;
using support::Witness;

Told ToldBy(const Result<VersionedItem>& result) {
  if (result) {
    return Told::kDone;
  }
  return result.error().code == ErrorCode::kAmbiguous ? Told::kMaybe : Told::kNotDone;
}

class ModifyPropertyTest : public PatternsTest, public testing::WithParamInterface<ClockKind> {
 protected:
  static std::size_t Changes() {
    const std::size_t all = std::getenv("STATOR_TEST_FULL") != nullptr ? 10'000'000 : kChanges;
    return all / 3;  // for each kind of clock
  }

  static Item Key(std::size_t change) { return {{"pk", "item" + std::to_string(change % kItems)}}; }

  // Every tenth change is a blind one, the others read first.
  static Told Change(const VersionedItems& items, std::size_t change) {
    if (change % 10 == 0) {
      return ToldBy(items.Patch(Key(change), Update().Add("n", 1).Set("change", change)));
    }
    return ToldBy(items.Modify(Key(change),
                               [change](Item& item) {
                                 item["n"] = *Number::Add(*item.at("n").If<Number>(), 1);
                                 item["change"] = change;
                               },
                               {.initial = Item{{"n", 0}}, .consistent_read = change % 2 == 0}));
  }
};

TEST_P(ModifyPropertyTest, LosesAndDoublesNothing) {
  const std::size_t changes = Changes();
  Witness witness(db(), changes);
  support::FaultyDatabase network(
      witness,
      {.lost_before = 0.02, .lost_after = 0.03, .late = 0.01, .throttled = 0.02, .conflict = 0.02},
      1 + static_cast<std::uint64_t>(GetParam()));
  std::vector<Told> told(changes);
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        SeededRandom random(static_cast<std::uint64_t>(thread) + 100);
        StrangeClock clock(GetParam(), thread, TimePoint(std::chrono::seconds(kNow)), random);
        const VersionedItems items(network, kThings, {.names = {.last_write = "last_write"}},
                                   {.clock = &clock, .random = &random});
        for (std::size_t change = next++; change < changes; change = next++) {
          told[change] = Change(items, change);
        }
      });
    }
  }
  network.ApplyLate();

  std::size_t applied = 0;
  std::size_t maybe = 0;
  for (std::size_t change = 0; change < changes; ++change) {
    const int times = witness.applied[change];
    applied += static_cast<std::size_t>(times);
    maybe += told[change] == Told::kMaybe ? 1 : 0;
    ASSERT_LE(times, 1) << "doubled: " << change;
    ASSERT_TRUE(told[change] != Told::kDone || times == 1) << "told but not done: " << change;
    ASSERT_TRUE(told[change] != Told::kNotDone || times == 0) << "done but not told: " << change;
  }
  std::int64_t sum = 0;
  for (const Item& item : All(kThings)) {
    const std::int64_t n = *item.at("n").If<Number>()->ToInt64();
    EXPECT_EQ(item.at("rev"), AttributeValue(n)) << "one revision per change";
    sum += n;
  }
  EXPECT_EQ(sum, static_cast<std::int64_t>(applied)) << "lost";
  // The run was worth something: faults happened, and few changes ended in doubt.
  EXPECT_GT(network.faults(Fault::kLostAfter), changes / 100);
  EXPECT_GT(network.faults(Fault::kLate), changes / 1000);
  EXPECT_GT(applied, changes * 9 / 10);
  EXPECT_LT(maybe, changes / 20);
}

std::string NameOfClock(const testing::TestParamInfo<ClockKind>& parameter) {
  switch (parameter.param) {
    case ClockKind::kFrozen:
      return "Frozen";
    case ClockKind::kSkewed:
      return "Skewed";
    case ClockKind::kStepping:
      break;
  }
  return "Stepping";
}

INSTANTIATE_TEST_SUITE_P(Clocks, ModifyPropertyTest,
                         testing::Values(ClockKind::kFrozen, ClockKind::kSkewed,
                                         ClockKind::kStepping),
                         NameOfClock);

}  // namespace
}  // namespace stator::patterns
