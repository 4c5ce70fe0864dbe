// Digests against the vectors of FIPS 180-4.

#include "base/digest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace stator::base {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text.push_back(kDigits[static_cast<unsigned char>(byte) >> 4U]);
    text.push_back(kDigits[static_cast<unsigned char>(byte) & 15U]);
  }
  return text;
}

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(Hex(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, TakesBytesThatAreNoText) {
  EXPECT_EQ(Sha256(std::string_view("a\0b", 3)).size(), 32U);
  EXPECT_NE(Sha256(std::string_view("a\0b", 3)), Sha256(std::string_view("a\0c", 3)));
}

TEST(Sha1, MatchesThePublishedVectors) {
  EXPECT_EQ(Hex(Sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(Hex(Sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

}  // namespace
}  // namespace stator::base
