// The partition hash is on disk: fixed results, computed by an independent program from the
// definition in docs/format.md. And it must spread keys as people number them.

#include "keyspace/partition_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "keyspace/key_part.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;

TEST(PartitionHash, IsFixed) {
  EXPECT_EQ(PartitionHash(""), 0x0000);
  EXPECT_EQ(PartitionHash("a"), 0x6232);
  EXPECT_EQ(PartitionHash("Sab\x00\x01"s), 0x3237);
  EXPECT_EQ(PartitionHash("12345678"), 0x2416);
  EXPECT_EQ(PartitionHash("123456789"), 0xF294);
  EXPECT_EQ(PartitionHash(std::string(2048, '\xFF')), 0xA12E);
}

TEST(PartitionHash, SpreadsKeysThatAreCountedUp) {
  std::array<int, 16> strings{};
  std::array<int, 16> numbers{};
  constexpr int kKeys = 16'000;
  for (int key = 0; key < kKeys; ++key) {
    std::string text;
    AppendKeyPart("user#" + std::to_string(key), text);
    ++strings[PartitionHash(text) >> 12U];
    std::string number;
    AppendKeyPart(key, number);
    ++numbers[PartitionHash(number) >> 12U];
  }
  // 1,000 expected in each; a deviation of 15% would be five standard deviations.
  for (const auto& buckets : {strings, numbers}) {
    EXPECT_GT(*std::ranges::min_element(buckets), 850);
    EXPECT_LT(*std::ranges::max_element(buckets), 1150);
  }
}

}  // namespace
}  // namespace stator::keyspace
