// Proxies of the environment, as every program on a company's network knows them. The proxy here is
// a server on the loopback address which only says what it was asked for.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdlib.h>
#include <string>
#include <vector>

#include "client/scripted_server.h"
#include "transport/curl_transport.h"

namespace stator::client {
namespace {

using transport::CurlTransport;
using transport::HttpResponse;

using Words = std::map<std::string, std::string>;

// The environment's words about proxies, for the time of a test.
class ProxyEnvironment {
 public:
  explicit ProxyEnvironment(const Words& words) {
    for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"}) {
      const char* const was = getenv(name);
      before_[name] = was == nullptr ? std::nullopt : std::optional<std::string>(was);
      Put(name, words.contains(name) ? std::optional(words.at(name)) : std::nullopt);
    }
  }
  ProxyEnvironment(const ProxyEnvironment&) = delete;
  ProxyEnvironment& operator=(const ProxyEnvironment&) = delete;
  ~ProxyEnvironment() {
    for (const auto& [name, value] : before_) {
      Put(name.c_str(), value);
    }
  }

 private:
  static void Put(const char* name, const std::optional<std::string>& value) {
    if (value) {
      setenv(name, value->c_str(), 1);
    } else {
      unsetenv(name);
    }
  }

  std::map<std::string, std::optional<std::string>> before_;
};

// A name that no resolver knows: who gets an answer got it from the proxy.
constexpr const char* kElsewhere = "http://database.invalid/path";

class Proxy : public testing::Test {
 protected:
  ScriptedServer proxy_{[](const ReceivedRequest&) { return Answer(200, "{}"); }};
  CurlTransport transport_;
};

TEST_F(Proxy, OfTheEnvironmentIsAskedForOtherHosts) {
  const ProxyEnvironment environment(Words{{"http_proxy", proxy_.url()}});
  const Result<HttpResponse> response = transport_.Send({.url = kElsewhere, .body = "x"});
  ASSERT_TRUE(response) << response.error().message;
  const std::vector<ReceivedRequest> requests = proxy_.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].path, kElsewhere);
  EXPECT_EQ(requests[0].Field("host"), "database.invalid");
  EXPECT_EQ(requests[0].body, "x");
}

TEST_F(Proxy, KnowsItsUserAndKeepsTheConnection) {
  const std::string address = proxy_.url().substr(7);
  const ProxyEnvironment environment(Words{{"http_proxy", "http://me:sec%72et@" + address}});
  for (const char* url : {kElsewhere, kElsewhere, "http://database.invalid/other?a=b"}) {
    const Result<HttpResponse> response = transport_.Send({.url = url, .body = "x"});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(proxy_.requests().back().path, url);
    EXPECT_EQ(proxy_.requests().back().Field("proxy-authorization"), "Basic bWU6c2VjcmV0");
  }
  EXPECT_EQ(proxy_.connections(), 1);
  ASSERT_TRUE(transport_.Send({.url = "http://another.invalid/"}));
  EXPECT_EQ(proxy_.connections(), 2);
}

TEST_F(Proxy, ThatCannotBeUnderstoodMeansThatNothingWasSent) {
  for (const char* proxy : {"http://a b/", "gopher://127.0.0.1/", "http://127.0.0.1:99999"}) {
    const ProxyEnvironment environment(Words{{"http_proxy", proxy}});
    const Result<HttpResponse> response = transport_.Send({.url = kElsewhere, .body = "x"});
    ASSERT_FALSE(response) << proxy;
    EXPECT_EQ(response.error().code, ErrorCode::kUnavailable) << response.error().message;
  }
}

TEST_F(Proxy, IsAskedForATunnelWhenTheConnectionIsSecure) {
  const ProxyEnvironment environment(Words{{"https_proxy", proxy_.url()}});
  const Result<HttpResponse> response = transport_.Send({.url = "https://database.invalid/"});
  ASSERT_FALSE(response);  // nobody speaks TLS behind this proxy
  const std::vector<ReceivedRequest> requests = proxy_.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].method, "CONNECT");
  EXPECT_EQ(requests[0].path, "database.invalid:443");
  EXPECT_EQ(requests[0].Field("authorization"), "");
}

TEST_F(Proxy, IsLeftOutForTheHostsOfNoProxy) {
  const ProxyEnvironment environment(
      Words{{"http_proxy", proxy_.url()}, {"no_proxy", "a,.invalid"}});
  const Result<HttpResponse> response = transport_.Send({.url = kElsewhere});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);  // nothing was sent
  EXPECT_TRUE(proxy_.requests().empty());
}

TEST_F(Proxy, NeverSeesWhatStaysOnThisMachine) {
  ScriptedServer here([](const ReceivedRequest&) { return Answer(200, "here"); });
  const ProxyEnvironment environment(
      Words{{"http_proxy", proxy_.url()}, {"all_proxy", proxy_.url()}});
  const Result<HttpResponse> response = transport_.Send({.url = here.url()});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "here");
  EXPECT_TRUE(proxy_.requests().empty());
}

TEST_F(Proxy, NeverSeesRequestsForTheMachinesOwnCredentials) {
  const ProxyEnvironment environment(Words{{"http_proxy", proxy_.url()}});
  ASSERT_FALSE(transport_.Send({.url = kElsewhere, .use_proxy = false}));
  EXPECT_TRUE(proxy_.requests().empty());
}

TEST_F(Proxy, ThatCannotBeReachedMeansThatNothingWasSent) {
  const ProxyEnvironment environment(Words{{"http_proxy", "http://127.0.0.1:1"}});
  const Result<HttpResponse> response = transport_.Send({.url = kElsewhere, .body = "x"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace stator::client
