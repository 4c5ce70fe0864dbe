// What sealing.h promises: the way there and back, the format by a known vector, and that nothing else
// opens it.

#include "base/sealing.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace stator::base {
namespace {

using namespace std::string_literals;

class ZeroRandom final : public Random {
 public:
  void Fill(std::span<std::byte> bytes) override {
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
  }
};

SealingKey KeyOf(std::uint8_t byte) {
  SealingKey key;
  key.fill(byte);
  return key;
}

TEST(Sealing, GivesBackWhatWasSealed) {
  SeededRandom random(1);
  for (const std::string& plain : {""s, "a"s, std::string(100'000, 'x'), "\0\xFF"s}) {
    const std::string sealed = Seal(KeyOf(1), plain, "about", random);
    EXPECT_EQ(sealed.size(), plain.size() + kSealBytes);
    EXPECT_EQ(Unseal(KeyOf(1), sealed, "about"), plain);
  }
}

// The fourteenth test case of the paper that defines the mode: a key, a beginning and a block of
// zeros.
TEST(Sealing, FormatIsFixed) {
  ZeroRandom random;
  const std::string sealed = Seal(KeyOf(0), std::string(16, '\0'), "", random);
  EXPECT_EQ(sealed, std::string(12, '\0') +
                        "\xCE\xA7\x40\x3D\x4D\x60\x6B\x6E\x07\x4E\xC5\xD3\xBA\xF3\x9D\x18"s +
                        "\xD0\xD1\xC8\xA7\x99\x99\x6B\xF0\x26\x5B\x98\xB5\xD4\x8A\xB9\x19"s);
}

TEST(Sealing, NothingElseOpensIt) {
  SeededRandom random(1);
  const std::string sealed = Seal(KeyOf(1), "content", "about", random);
  EXPECT_FALSE(Unseal(KeyOf(2), sealed, "about"));
  EXPECT_FALSE(Unseal(KeyOf(1), sealed, "another"));
  EXPECT_FALSE(Unseal(KeyOf(1), "", "about"));
  for (std::size_t index = 0; index < sealed.size(); ++index) {
    std::string changed = sealed;
    changed[index] = static_cast<char>(changed[index] ^ 1);
    EXPECT_FALSE(Unseal(KeyOf(1), changed, "about")) << index;
    EXPECT_FALSE(Unseal(KeyOf(1), sealed.substr(0, index), "about")) << index;
  }
}

TEST(Sealing, TheSameTwiceDoesNotLookTheSame) {
  SeededRandom random(1);
  EXPECT_NE(Seal(KeyOf(1), "content", "about", random), Seal(KeyOf(1), "content", "about", random));
}

}  // namespace
}  // namespace stator::base
