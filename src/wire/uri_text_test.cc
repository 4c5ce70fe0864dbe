// Percent-encoding and path normalisation as signatures want them.

#include "wire/uri_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace stator::wire {
namespace {

std::string Encoded(std::string_view text, std::string_view kept = "") {
  std::string out;
  AppendPercentEncoded(text, kept, out);
  return out;
}

TEST(UriText, EncodesAllButTheUnreservedCharacters) {
  EXPECT_EQ(Encoded("azAZ09-._~"), "azAZ09-._~");
  EXPECT_EQ(Encoded("a b+c/d=e%"), "a%20b%2Bc%2Fd%3De%25");
  EXPECT_EQ(Encoded("\xe1\x88\xb4"), "%E1%88%B4");
  EXPECT_EQ(Encoded("/a b/", "/"), "/a%20b/");
}

TEST(UriText, DecodesAndLeavesBrokenEscapesAlone) {
  EXPECT_EQ(PercentDecoded("a%20b%2fc"), "a b/c");
  EXPECT_EQ(PercentDecoded("100%"), "100%");
  EXPECT_EQ(PercentDecoded("%4"), "%4");
  EXPECT_EQ(PercentDecoded("%zz%41"), "%zzA");
  EXPECT_EQ(PercentDecoded("a+b"), "a+b");
}

TEST(UriText, NormalisesPaths) {
  EXPECT_EQ(NormalizedPath(""), "/");
  EXPECT_EQ(NormalizedPath("/"), "/");
  EXPECT_EQ(NormalizedPath("//"), "/");
  EXPECT_EQ(NormalizedPath("/a"), "/a");
  EXPECT_EQ(NormalizedPath("//a//"), "/a/");
  EXPECT_EQ(NormalizedPath("/./a"), "/a");
  EXPECT_EQ(NormalizedPath("/a/.."), "/");
  EXPECT_EQ(NormalizedPath("/a/b/../c"), "/a/c");
  EXPECT_EQ(NormalizedPath("/../.."), "/");
}

RC_GTEST_PROP(UriText, DecodingUndoesEncoding, (const std::string& text)) {
  RC_ASSERT(PercentDecoded(Encoded(text)) == text);
}

}  // namespace
}  // namespace stator::wire
