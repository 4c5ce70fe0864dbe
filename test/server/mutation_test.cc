// Bad requests by the thousand, made from good ones by a seeded generator. Whatever arrives, the
// server answers with HTTP or closes, and goes on serving. STATOR_TEST_FULL=1 sends 100,000.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "server/content_coding.h"
#include "stator/base/random.h"
#include "test_server.h"

namespace stator::server {
namespace {

constexpr std::uint64_t kSeed = 20261115;

std::vector<std::string> GoodRequests() {
  Compressor gzip;
  return {
      Post("Echo", R"({"TableName":"t","Key":{"pk":{"S":"a"}}})"),
      Post("Thread", "{}", "Connection: close\r\n"),
      Post("Forget", "{}"),
      Post("Echo", gzip.Compress("{}"), "Content-Encoding: gzip\r\nAccept-Encoding: gzip\r\n"),
      Post("Echo", "{}", "Expect: 100-continue\r\n"),
      Post("Echo", "{}",
           "X-Amz-Date: 20150830T123600Z\r\nAuthorization: AWS4-HMAC-SHA256 "
           "Credential=A/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
           "Signature=00\r\n"),
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: x.Echo\r\nContent-Type: "
      "application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n4;x=y\r\n\"b\"}\r\n0\r\nT: x\r\n\r\n",
      "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=x HTTP/1.0\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n",
  };
}

// One random change.
void Mutate(Random& random, const std::vector<std::string>& good, std::string& request) {
  constexpr std::string_view kSpecial = "\r\n\0 :;,=/?%\x7f\xff\t\"{}0123456789-+";
  const std::size_t at = random.Below(request.size() + 1);
  const std::size_t length = random.Below(20);
  switch (random.Below(8)) {
    case 0:
      request.insert(at, 1, kSpecial[random.Below(kSpecial.size())]);
      break;
    case 1:
      request.erase(at, length);
      break;
    case 2:
      request.insert(at, request.substr(random.Below(request.size() + 1), length));
      break;
    case 3:
      request.resize(at);
      break;
    case 4: {
      const std::string& other = good[random.Below(good.size())];
      request = request.substr(0, at) + other.substr(random.Below(other.size()));
      break;
    }
    case 5:
      request.insert(at, std::string(random.Below(3000), 'x'));
      break;
    case 6:
      request.insert(at, "\r\n");
      break;
    default:
      if (at < request.size()) {
        request[at] = static_cast<char>(request[at] ^ (1U << random.Below(8)));
      }
      break;
  }
}

TEST(Mutation, WhateverArrivesIsAnsweredOrDropped) {
  const char* const full = std::getenv("STATOR_TEST_FULL");
  const int requests = full != nullptr && std::string_view(full) == "1" ? 100'000 : 2'000;
  TestServer test;
  SeededRandom random(kSeed);
  const std::vector<std::string> good = GoodRequests();
  for (int count = 0; count < requests; ++count) {
    std::string request = good[random.Below(good.size())];
    for (std::uint64_t changes = 1 + random.Below(4); changes > 0; --changes) {
      Mutate(random, good, request);
    }
    Client client = test.Connect();
    client.Send(request);
    client.CloseSending();
    const std::string answer = client.ReadToEnd();
    ASSERT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 "))
        << "seed " << kSeed << ", request " << count << ": " << testing::PrintToString(request);
    if (count % 500 == 0) {
      ASSERT_TRUE(test.Serves()) << "seed " << kSeed << ", request " << count;
    }
  }
  ASSERT_TRUE(test.WaitForMetric("stator_connections", 1));
  EXPECT_EQ(test.Metric("stator_request_memory_bytes"), 0);
}

}  // namespace
}  // namespace stator::server
