// Randomness: seeds repeat, ranges are kept and evenly filled, ids have their form.

#include "stator/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stator {
namespace {

TEST(SeededRandom, RepeatsItselfForTheSameSeed) {
  SeededRandom one(42);
  SeededRandom other(42);
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(one.Next(), other.Next());
    EXPECT_EQ(one.Below(1000), other.Below(1000));
  }
  EXPECT_EQ(one.Uuid(), other.Uuid());
}

TEST(SeededRandom, DiffersBetweenSeeds) {
  SeededRandom one(1);
  SeededRandom other(2);
  EXPECT_NE(one.Next(), other.Next());
}

TEST(SeededRandom, FillsEveryByteOfAnyLength) {
  SeededRandom random(7);
  for (std::size_t length = 0; length <= 40; ++length) {
    // A byte that stays zero in all of 20 rounds was not filled.
    std::vector<std::byte> seen(length);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::byte> bytes(length);
      random.Fill(bytes);
      std::transform(seen.begin(), seen.end(), bytes.begin(), seen.begin(), std::bit_or<>());
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), std::byte{0}), 0) << length;
  }
}

TEST(Random, StaysBelowTheBound) {
  SeededRandom random(3);
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1} << 63, UINT64_MAX}) {
    for (int round = 0; round < 1000; ++round) {
      ASSERT_LT(random.Below(bound), bound);
    }
  }
}

TEST(Random, FillsTheRangeEvenly) {
  SeededRandom random(5);
  constexpr int kRounds = 60'000;
  std::array<int, 6> counts{};
  for (int round = 0; round < kRounds; ++round) {
    ++counts[random.Below(counts.size())];
  }
  for (const int count : counts) {
    // Expected 10,000 each, standard deviation 91; the seed is fixed.
    EXPECT_NEAR(count, 10'000, 500);
  }
}

// Gives out what it is told, to reach the values that would favour small results.
class ScriptedRandom final : public Random {
 public:
  explicit ScriptedRandom(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  void Fill(std::span<std::byte> bytes) override {
    ASSERT_LT(at_, values_.size());
    ASSERT_EQ(bytes.size(), sizeof(std::uint64_t));
    std::memcpy(bytes.data(), &values_[at_++], bytes.size());
  }
  [[nodiscard]] std::size_t used() const { return at_; }

 private:
  std::vector<std::uint64_t> values_;
  std::size_t at_ = 0;
};

TEST(Random, DrawsAgainInTheIncompleteCopyOfTheRange) {
  // 2^64 = 3 * 6148914691236517205 + 1: of all values only the last one is one too many.
  ScriptedRandom random({UINT64_MAX, UINT64_MAX - 1});
  EXPECT_EQ(random.Below(3), (UINT64_MAX - 1) % 3);
  EXPECT_EQ(random.used(), 2U);
}

TEST(Random, WritesVersion4Uuids) {
  SeededRandom random(11);
  std::set<std::string> seen;
  for (int round = 0; round < 100; ++round) {
    const std::string uuid = random.Uuid();
    ASSERT_EQ(uuid.size(), 36U);
    for (std::size_t at = 0; at < uuid.size(); ++at) {
      const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
      EXPECT_EQ(uuid[at] == '-', dash) << uuid;
      EXPECT_NE(std::string("0123456789abcdef-").find(uuid[at]), std::string::npos) << uuid;
    }
    EXPECT_EQ(uuid[14], '4') << uuid;
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos) << uuid;
    seen.insert(uuid);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(SystemRandom, GivesDifferentIds) {
  EXPECT_NE(SystemRandom().Uuid(), SystemRandom().Uuid());
  EXPECT_EQ(&SystemRandom(), &SystemRandom());
}

// The system gives 256 bytes at a time.
TEST(SystemRandom, FillsLongSpansToTheirEnd) {
  std::array<std::byte, 1000> bytes{};
  SystemRandom().Fill(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += 100) {
    EXPECT_TRUE(std::ranges::any_of(std::span(bytes).subspan(at, 100), [](std::byte byte) {
      return byte != std::byte{0};
    })) << at;
  }
}

}  // namespace
}  // namespace stator
