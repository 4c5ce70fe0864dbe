// What route.h promises: the parts of URLs as they go into a request, and who is asked.

#include "transport/route.h"

#include <gtest/gtest.h>

#include <map>

namespace stator::transport {
namespace {

using Variables = std::map<std::string, std::string>;

Result<Route> RouteTo(const std::string& url, const Variables& variables = {}) {
  return RouteOf({.url = url}, [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Route, HasThePartsOfTheUrl) {
  const Route route = *RouteTo("https://DB.example.com:8443/a/b%2Fc?d=e&f#g");
  EXPECT_TRUE(route.is_secure);
  EXPECT_EQ(route.origin, "https://db.example.com:8443");
  EXPECT_EQ(route.host, "DB.example.com:8443");
  EXPECT_EQ(route.target, "/a/b%2Fc?d=e&f");
  EXPECT_EQ(route.authorization, "");
  EXPECT_EQ(route.proxy, "");
}

TEST(Route, AnEmptyPathIsTheRootAndTheUsualPortIsNotNamed) {
  EXPECT_EQ(RouteTo("http://a:80")->target, "/");
  EXPECT_EQ(RouteTo("http://a:80")->host, "a");
  EXPECT_EQ(RouteTo("https://a:443?x")->target, "/?x");
  EXPECT_EQ(RouteTo("https://a:443?x")->host, "a");
  EXPECT_EQ(RouteTo("http://a:443")->host, "a:443");
  EXPECT_EQ(RouteTo("http://[::1]:8000/")->host, "[::1]:8000");
}

TEST(Route, AUserOfTheUrlIsAnAuthorization) {
  const Route route = *RouteTo("http://user:p%40ss@a/x");
  EXPECT_EQ(route.authorization, "Basic dXNlcjpwQHNz");
  EXPECT_EQ(route.host, "a");
  EXPECT_EQ(route.target, "/x");
}

// However many slashes libcurl forgives: one host's connection is never another's.
TEST(Route, ConnectionsBelongToHosts) {
  const Route route = *RouteTo("http://a/x");
  EXPECT_TRUE(route.HasConnectionOf(*RouteTo("http://A:80/y?z")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("https://a/x")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("http://a:81/x")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("http://b/x")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("http:///b/x")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("http://a@b/x")));
  EXPECT_FALSE(route.HasConnectionOf(*RouteTo("http://a/x", {{"http_proxy", "http://p"}})));
}

TEST(Route, WhatIsNoUrlIsRefused) {
  for (const std::string& url :
       {std::string(), std::string("http://"), std::string("file:///etc/passwd"),
        std::string("ftp://a/"), std::string("http://a/x y"), std::string("http://a/\r\nx: y"),
        std::string("http://a b/"), std::string("http://a/\0x", 11)}) {
    const Result<Route> route = RouteTo(url);
    ASSERT_FALSE(route) << url;
    EXPECT_EQ(route.error().code, ErrorCode::kValidation);
    EXPECT_FALSE(url.size() > 10 && route.error().message.contains(url)) << "may have a password";
  }
}

TEST(Route, AProxyOfTheSchemeComesBeforeTheOneOfAll) {
  const Variables all = {{"all_proxy", "http://all"}, {"https_proxy", "http://secure"}};
  EXPECT_EQ(RouteTo("http://a/", all)->proxy, "http://all");
  EXPECT_EQ(RouteTo("https://a/", all)->proxy, "http://secure");
  EXPECT_EQ(RouteTo("https://a/", {{"HTTPS_PROXY", "p"}, {"https_proxy", ""}})->proxy, "p");
  EXPECT_EQ(RouteTo("http://a/", {{"ALL_PROXY", "p"}})->proxy, "p");
  // A client of a program that a web server started could have set it, by a field "Proxy".
  EXPECT_EQ(RouteTo("http://a/", {{"HTTP_PROXY", "p"}})->proxy, "");
  EXPECT_EQ(RouteTo("http://a/", {{"https_proxy", "p"}})->proxy, "");
}

TEST(Route, NoProxyIsAskedForHostsThatAreNamedNorForThisMachine) {
  const Variables named = {{"all_proxy", "p"}, {"NO_PROXY", "b,10.0.0.0/8"}};
  EXPECT_EQ(RouteTo("http://a/", named)->proxy, "p");
  EXPECT_EQ(RouteTo("http://b:8000/", named)->proxy, "");
  EXPECT_EQ(RouteTo("https://10.1.2.3/", named)->proxy, "");
  EXPECT_EQ(RouteTo("http://localhost:1/", {{"all_proxy", "p"}})->proxy, "");
  EXPECT_EQ(RouteTo("http://[::1]:1/", {{"all_proxy", "p"}})->proxy, "");
  const auto environment = [](const std::string&) { return std::optional<std::string>("p"); };
  EXPECT_EQ(RouteOf({.url = "http://a/", .use_proxy = false}, environment)->proxy, "");
}

TEST(Route, AProxyIsAskedForTheWholeUrl) {
  const Variables proxy = {{"all_proxy", "http://me:secret@proxy:3128"}};
  const Route plain = *RouteTo("http://user:word@a:80/x?y#z", proxy);
  EXPECT_EQ(plain.target, "http://a/x?y");
  EXPECT_EQ(plain.host, "a");
  EXPECT_EQ(plain.authorization, "Basic dXNlcjp3b3Jk");
  EXPECT_EQ(plain.proxy_authorization, "Basic bWU6c2VjcmV0");
  // What passes through a tunnel is none of the proxy's business.
  for (const Route& route : {*RouteTo("https://a/x", proxy),
                             *RouteTo("http://a/x", {{"all_proxy", "socks5h://me:secret@p"}})}) {
    EXPECT_EQ(route.target, "/x");
    EXPECT_EQ(route.proxy_authorization, "");
  }
}

}  // namespace
}  // namespace stator::transport
