// No lost and no doubled update, whatever clocks and network do: many threads change few entities
// at the same time, through a network that loses, delays and refuses, with clocks that stand still,
// disagree or jump back. A witness in front of the database counts how often each change was really
// applied; every caller knows what it was told. Both have to agree, and the entities have to hold
// the sum.
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

#include "entities/entities_test.h"
#include "support/sanitized.h"
#include "support/witness.h"

namespace stator::entities {
namespace {

constexpr std::size_t kChanges = support::kIsSanitized ? 8'000 : 100'000;
constexpr int kThreads = 4;
constexpr std::size_t kEntities = 3;

struct Tally {
  std::string id;
  std::int64_t n = 0;
  std::int64_t change = 0;

  friend bool operator==(const Tally&, const Tally&) = default;
};
BOOST_DESCRIBE_STRUCT(Tally, (), (id, n, change))

struct TimedTally : Tally {
  friend bool operator==(const TimedTally&, const TimedTally&) = default;
};
BOOST_DESCRIBE_STRUCT(TimedTally, (Tally), ())

}  // namespace

template <>
struct EntityTraits<Tally> {
  static constexpr std::string_view kName = "tally";
  static constexpr KeyTemplate kPartitionKey = {"TALLY#{id}"};
};
template <>
struct EntityTraits<TimedTally> : EntityTraits<Tally> {
  static constexpr Lock kLock = Lock::kLastWrite;
};

namespace {

using support::ClockKind;
using support::StrangeClock;
using support::Told;
using support::Witness;

template <class V>
Told ToldBy(const Result<V>& result) {
  if (result) {
    return Told::kDone;
  }
  return result.error().code == ErrorCode::kAmbiguous ? Told::kMaybe : Told::kNotDone;
}

std::string IdOf(std::size_t change) {
  return "t" + std::to_string(change % kEntities);
}

// Mostly Modify; every tenth change is a blind one, every seventh a value that was read before.
template <class T>
Told Change(const Repository<T, kAllVerbs>& tallies, std::size_t change) {
  const auto number = static_cast<std::int64_t>(change);
  const std::string id = IdOf(change);
  if (change % 10 == 0) {
    return ToldBy(tallies.Patch(
        {id}, FieldUpdate<T>().template Add<&Tally::n>(1).template Set<&Tally::change>(number)));
  }
  if (change % 7 == 0) {
    auto read = tallies.Read({id});
    if (!read || !*read) {
      return Told::kNotDone;
    }
    ++(*read)->data.n;
    (*read)->data.change = number;
    return ToldBy(tallies.Update(**read));
  }
  T initial;
  initial.id = id;
  return ToldBy(tallies.ModifyOrInsert({id}, initial,
                                       [number](T& tally) {
                                         ++tally.n;
                                         tally.change = number;
                                       },
                                       {.consistent_read = change % 2 == 0}));
}

class EntityPropertyTest : public EntitiesTest, public testing::WithParamInterface<ClockKind> {
 protected:
  static std::size_t Changes(std::size_t parts) {
    const std::size_t all = std::getenv("STATOR_TEST_FULL") != nullptr ? 10'000'000 : kChanges;
    return all / parts;
  }

  template <class T>
  void Run(std::size_t changes) {
    using Tallies = Repository<T, kAllVerbs>;
    static_cast<void>(Open<Tallies>());
    Witness witness(db(), changes);
    support::FaultyDatabase network(witness,
                                    {.lost_before = 0.02,
                                     .lost_after = 0.03,
                                     .late = 0.01,
                                     .throttled = 0.02,
                                     .conflict = 0.02},
                                    1 + static_cast<std::uint64_t>(GetParam()));
    std::vector<Told> told(changes);
    std::atomic<std::size_t> next = 0;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          SeededRandom random(static_cast<std::uint64_t>(thread) + 100);
          StrangeClock clock(GetParam(), thread, TimePoint(std::chrono::seconds(kNow)), random);
          const Tallies tallies = *Tallies::Open(network, {}, {.clock = &clock, .random = &random});
          for (std::size_t change = next++; change < changes; change = next++) {
            told[change] = Change<T>(tallies, change);
          }
        });
      }
    }
    network.ApplyLate();
    Check(witness, told, network);
  }

  void Check(const Witness& witness, const std::vector<Told>& told,
             const support::FaultyDatabase& network) {
    const std::size_t changes = told.size();
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
    for (const Item& item : All("tally")) {
      const std::int64_t n = *item.at("n").If<Number>()->ToInt64();
      if (item.contains("rev")) {
        EXPECT_EQ(item.at("rev"), AttributeValue(n)) << "one revision per change";
      }
      sum += n;
    }
    EXPECT_EQ(sum, static_cast<std::int64_t>(applied)) << "lost";
    // The run was worth something: faults happened, and few changes ended in doubt.
    EXPECT_GT(network.faults(Fault::kLostAfter), changes / 100);
    EXPECT_GT(applied, changes * 8 / 10);
    EXPECT_LT(maybe, changes / 20);
  }
};

TEST_P(EntityPropertyTest, LosesAndDoublesNothing) {
  Run<Tally>(Changes(3));
}

TEST_P(EntityPropertyTest, NorDoesItWhereTheLockIsTheTime) {
  Run<TimedTally>(Changes(30));
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

INSTANTIATE_TEST_SUITE_P(Clocks, EntityPropertyTest,
                         testing::Values(ClockKind::kFrozen, ClockKind::kSkewed,
                                         ClockKind::kStepping),
                         NameOfClock);

}  // namespace
}  // namespace stator::entities
