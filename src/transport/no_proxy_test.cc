// What no_proxy.h promises, with the cases in which curl is known to differ from the naive reading.

#include "transport/no_proxy.h"

#include <gtest/gtest.h>

namespace stator::transport {
namespace {

TEST(NoProxy, NamesHostsAndDomains) {
  EXPECT_TRUE(NamesHost("example.com", "example.com"));
  EXPECT_TRUE(NamesHost("other, .example.com", "db.example.com"));
  EXPECT_TRUE(NamesHost("other example.com.", "db.EXAMPLE.com"));
  EXPECT_TRUE(NamesHost("\tEXAMPLE.com,", "example.com."));
  EXPECT_FALSE(NamesHost("example.com", "badexample.com"));
  EXPECT_FALSE(NamesHost("db.example.com", "example.com"));
  EXPECT_FALSE(NamesHost("", "example.com"));
  EXPECT_FALSE(NamesHost(" , .", "example.com"));
}

TEST(NoProxy, OneStarIsEveryHost) {
  EXPECT_TRUE(NamesHost("*", "example.com"));
  EXPECT_FALSE(NamesHost("*.com", "example.com"));
  EXPECT_FALSE(NamesHost("a,*", "example.com"));
}

TEST(NoProxy, NamesAddressesAndNetworks) {
  EXPECT_TRUE(NamesHost("10.0.0.1", "10.0.0.1"));
  EXPECT_FALSE(NamesHost("0.0.1", "10.0.0.1"));
  EXPECT_TRUE(NamesHost("10.0.0.0/8", "10.9.8.7"));
  EXPECT_FALSE(NamesHost("10.0.0.0/8", "11.0.0.0"));
  EXPECT_TRUE(NamesHost("192.168.4.0/22", "192.168.7.255"));
  EXPECT_FALSE(NamesHost("192.168.4.0/22", "192.168.8.0"));
  EXPECT_TRUE(NamesHost("0.0.0.0/0", "1.2.3.4"));
  EXPECT_TRUE(NamesHost("fd00::/8", "[fd12::1]"));
  EXPECT_TRUE(NamesHost("[fd12::1]", "[fd12:0::1]"));
  EXPECT_FALSE(NamesHost("fd00::/8", "[fe80::1]"));
  EXPECT_FALSE(NamesHost("10.0.0.0/8", "[::ffff:10.0.0.1]"));
  for (const char* none : {"10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "/8"}) {
    EXPECT_FALSE(NamesHost(none, "10.0.0.0")) << none;
  }
}

TEST(NoProxy, KnowsThisMachine) {
  for (const char* host : {"localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"127.example.com", "localhost.example.com", "128.0.0.1", "[::2]", ""}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

}  // namespace
}  // namespace stator::transport
