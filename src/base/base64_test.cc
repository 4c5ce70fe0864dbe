// Base64: the vectors of RFC 4648, every length and byte by round trip, and refusal of everything
// that an encoder would not have written.

#include "base/base64.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "base/property.h"

namespace stator::base {
namespace {

using std::string_literals::operator""s;

TEST(Base64, MatchesTheVectorsOfTheRfc) {
  const std::array<std::pair<std::string, std::string>, 7> vectors = {{
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  }};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
}

TEST(Base64, UsesPlusAndSlash) {
  EXPECT_EQ(EncodeBase64("\xfb\xff\xfe"), "+//+");
  EXPECT_EQ(DecodeBase64("+//+"), "\xfb\xff\xfe");
}

TEST(Base64, AppendsBehindWhatIsThere) {
  std::string out = "x";
  AppendBase64("f", out);
  EXPECT_EQ(out, "xZg==");
}

TEST(Base64, RefusesLengthsThatNoEncodingHas) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9vY", "Zm9vYg="}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(Base64, RefusesMisplacedPadding) {
  for (const char* text : {"====", "Z===", "=Zg=", "Zg==Zg==", "Z=g=", "Zm=v", "Zm8=Zm9v"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(Base64, RefusesForeignCharacters) {
  for (const std::string& text : {"Zm9v\n"s, "Zm9\n"s, " Zm9"s, "Zm-v"s, "Zm_v"s, "Zm9\0"s,
                                  "Zm9\xc3"s, "!!!!"s, "\n\n\n\n"s, "Z\xffg="s, "!g=="s, "Zm!="s}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << testing::PrintToString(text);
  }
}

TEST(Base64, RefusesBitsThatBelongToNoByte) {
  EXPECT_EQ(DecodeBase64("Zh=="), std::nullopt);
  EXPECT_EQ(DecodeBase64("Zm9="), std::nullopt);
  EXPECT_EQ(DecodeBase64("//=="), std::nullopt);
}

TEST(Base64, GivesBackWhatItEncoded) {
  CheckProperty(2000, [](const std::string& bytes) {
    RC_ASSERT(DecodeBase64(EncodeBase64(bytes)) == bytes);
  });
}

TEST(Base64, AcceptsOnlyWhatItWouldWrite) {
  CheckProperty(5000, [] {
    const std::string text = *rc::gen::container<std::string>(
        *rc::gen::inRange(0, 13),
        rc::gen::weightedOneOf<char>({{20, rc::gen::elementOf(std::string("ABYZabyz0189+/"))},
                                      {3, rc::gen::just('=')},
                                      {1, rc::gen::arbitrary<char>()}}));
    if (const auto bytes = DecodeBase64(text)) {
      RC_ASSERT(EncodeBase64(*bytes) == text);
    }
  });
}

}  // namespace
}  // namespace stator::base
