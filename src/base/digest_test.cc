// Digests against the vectors of FIPS 180-4.

#include "base/digest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/hex.h"

namespace stator::base {
namespace {

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(HexOf(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(HexOf(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, TakesBytesThatAreNoText) {
  EXPECT_EQ(Sha256(std::string_view("a\0b", 3)).size(), 32U);
  EXPECT_NE(Sha256(std::string_view("a\0b", 3)), Sha256(std::string_view("a\0c", 3)));
}

TEST(Sha1, MatchesThePublishedVectors) {
  EXPECT_EQ(HexOf(Sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(HexOf(Sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(DigestSum, IsThatOfAllParts) {
  for (const auto& [algorithm, whole] : {std::pair{DigestSum::Algorithm::kSha256, Sha256("abc")},
                                         std::pair{DigestSum::Algorithm::kMd5, Md5("abc")}}) {
    DigestSum sum(algorithm);
    sum.Add("a");
    sum.Add("");
    sum.Add("bc");
    EXPECT_EQ(sum.Finish(), whole);
  }
}

}  // namespace
}  // namespace stator::base
