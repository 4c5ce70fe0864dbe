// Names that are this machine's, and names that look like them.

#include "server/local_names.h"

#include <gtest/gtest.h>

namespace stator::server {
namespace {

TEST(LocalNames, HostsComeWithoutTheirPorts) {
  EXPECT_EQ(HostOf("localhost"), "localhost");
  EXPECT_EQ(HostOf("localhost:8000"), "localhost");
  EXPECT_EQ(HostOf("localhost.:8000"), "localhost");
  EXPECT_EQ(HostOf("[::1]"), "[::1]");
  EXPECT_EQ(HostOf("[::1]:8000"), "[::1]");
  EXPECT_EQ(HostOf("[::1"), "");
  EXPECT_EQ(HostOf(""), "");
  EXPECT_EQ(HostOfOrigin("http://localhost:3000"), "localhost");
  EXPECT_EQ(HostOfOrigin("https://[::1]"), "[::1]");
  EXPECT_EQ(HostOfOrigin("null"), "");
}

TEST(LocalNames, OnlyThisMachineIsLocal) {
  for (const char* const host : {"localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "[::1]"}) {
    EXPECT_TRUE(IsLocalName(host)) << host;
  }
  for (const char* const host :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example",
        "xlocalhost", "0.0.0.0", "192.168.0.1", "[::2]", "[::1", "128.0.0.1"}) {
    EXPECT_FALSE(IsLocalName(host)) << host;
  }
}

TEST(LocalNames, FurtherNamesCanBeGiven) {
  EXPECT_FALSE(IsAllowedName("stator", {}));
  EXPECT_TRUE(IsAllowedName("Stator", {"other", "stator"}));
  EXPECT_TRUE(IsAllowedName("anything", {"*"}));
  EXPECT_FALSE(IsAllowedName("", {"stator"}));
}

}  // namespace
}  // namespace stator::server
