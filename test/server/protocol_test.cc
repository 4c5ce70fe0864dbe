// HTTP as good clients speak it: keep-alive, pipelining, chunks, 100-continue, codings, old
// versions. Over real sockets.

#include <gtest/gtest.h>

#include <string>

#include "server/content_coding.h"
#include "server/crc32.h"
#include "test_server.h"

namespace stator::server {
namespace {

TEST(Protocol, AnswersWithTheHeadersOfAws) {
  TestServer test;
  Client client = test.Connect();
  ASSERT_TRUE(client.Send(Post("Echo", "{}")));
  auto answer = client.ReadAnswer();
  ASSERT_NE(answer.status, 0);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "{}");
  EXPECT_EQ(answer.fields["content-type"], "application/x-amz-json-1.0");
  EXPECT_EQ(answer.fields["x-amz-crc32"], "2745614147");
  EXPECT_EQ(answer.fields["x-amzn-requestid"].size(), 52);
  EXPECT_EQ(answer.fields["date"], "Sun, 30 Aug 2015 12:36:00 GMT");
  test.clock.Advance(std::chrono::seconds(1));
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.ReadAnswer().fields["date"], "Sun, 30 Aug 2015 12:36:01 GMT");
}

TEST(Protocol, ServesManyRequestsOnOneConnection) {
  TestServer test;
  Client client = test.Connect();
  for (int count = 0; count < 100; ++count) {
    ASSERT_TRUE(client.Send(Post("Echo", std::to_string(count))));
    const auto answer = client.ReadAnswer();
    ASSERT_NE(answer.status, 0);
    EXPECT_EQ(answer.body, std::to_string(count));
  }
  EXPECT_EQ(test.Metric("stator_connections_accepted_total"), 2);
}

TEST(Protocol, AnswersPipelinedRequestsInOrder) {
  TestServer test;
  Client client = test.Connect();
  constexpr int kRequests = 300;
  std::string all;
  for (int count = 0; count < kRequests; ++count) {
    // Some answer at once, some from another thread; some have empty lines behind them.
    all += Post(count % 5 == 0 ? "Thread" : "Echo", std::to_string(count));
    all += count % 7 == 0 ? "\r\n" : "";
  }
  ASSERT_TRUE(client.Send(all));
  for (int count = 0; count < kRequests; ++count) {
    const auto answer = client.ReadAnswer();
    ASSERT_NE(answer.status, 0) << count;
    EXPECT_EQ(answer.body, std::to_string(count));
  }
}

TEST(Protocol, ReadsRequestsHoweverTheyAreCutUp) {
  TestServer test;
  Client client = test.Connect();
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: x.Echo\r\nContent-Type: "
      "application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n3\r\n\"b\"\r\n1;x\r\n}\r\n0\r\nT: "
      "x\r\n\r\n";
  for (const std::string& request : {Post("Echo", R"({"a":"b"})"), chunked}) {
    for (const std::size_t step : {1, 3, 50}) {
      for (std::size_t at = 0; at < request.size(); at += step) {
        ASSERT_TRUE(client.Send(request.substr(at, step)));
      }
      const auto answer = client.ReadAnswer();
      ASSERT_NE(answer.status, 0);
      EXPECT_EQ(answer.status, 200);
      EXPECT_EQ(answer.body, R"({"a":"b"})");
    }
  }
}

TEST(Protocol, CarriesLargeBodiesBothWays) {
  TestServer test;
  Client client = test.Connect();
  const std::string body((16 << 20) - 2, 'x');
  std::thread sender([&] { EXPECT_TRUE(client.Send(Post("Echo", body))); });
  const auto answer = client.ReadAnswer();
  sender.join();
  ASSERT_NE(answer.status, 0);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.body == body);
  EXPECT_EQ(test.Metric("stator_request_memory_bytes"), 0);
}

TEST(Protocol, CarriesLargeChunkedBodies) {
  TestServer test;
  Client client = test.Connect();
  std::string body;
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: x.Echo\r\nContent-Type: "
                  "application/json\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n"));
  for (int count = 0; count < 100; ++count) {
    const std::string chunk(4096, static_cast<char>('a' + count % 26));
    ASSERT_TRUE(client.Send("1000\r\n" + chunk + "\r\n"));
    body += chunk;
  }
  ASSERT_TRUE(client.Send("0\r\n\r\n" + Post("Echo", "next")));
  const auto answer = client.ReadAnswer();
  ASSERT_NE(answer.status, 0);
  EXPECT_TRUE(answer.body == body);
  EXPECT_EQ(client.ReadAnswer().body, "next");
}

TEST(Protocol, InvitesBodiesThatWaitForIt) {
  TestServer test;
  Client client = test.Connect();
  const std::string request = Post("Echo", "{}", "Expect: 100-continue\r\n");
  ASSERT_TRUE(client.Send(request.substr(0, request.size() - 2)));
  EXPECT_EQ(client.ReadAnswer().status, 100);
  ASSERT_TRUE(client.Send("{}"));
  EXPECT_EQ(client.ReadAnswer().body, "{}");
  // One that did not wait needs no invitation.
  ASSERT_TRUE(client.Send(request));
  EXPECT_EQ(client.ReadAnswer().status, 200);
}

TEST(Protocol, SpeaksGzipBothWays) {
  TestServer test;
  Client client = test.Connect();
  Compressor gzip;
  const std::string plain = "{" + std::string(8000, ' ') + "}";
  const std::string further = "Content-Encoding: gzip\r\nAccept-Encoding: gzip, deflate\r\n";
  ASSERT_TRUE(client.Send(Post("Echo", gzip.Compress(plain), further)));
  auto answer = client.ReadAnswer();
  ASSERT_NE(answer.status, 0);
  EXPECT_EQ(answer.fields["content-encoding"], "gzip");
  EXPECT_LT(answer.body.size(), 200);
  // The checksum is that of the bytes sent, as AWS has it.
  EXPECT_EQ(answer.fields["x-amz-crc32"], std::to_string(Crc32(answer.body)));
  EXPECT_EQ(Inflate(ContentCoding::kGzip, answer.body, 10000, 0), plain);

  client.Send(Post("Echo", plain));
  EXPECT_FALSE(client.ReadAnswer().fields.contains("content-encoding"));
  // The client's first choice counts.
  client.Send(Post("Echo", plain, "Accept-Encoding: br, deflate, gzip\r\n"));
  answer = client.ReadAnswer();
  EXPECT_EQ(answer.fields["content-encoding"], "deflate");
  EXPECT_EQ(answer.fields["x-amz-crc32"], std::to_string(Crc32(answer.body)));
  EXPECT_EQ(Inflate(ContentCoding::kDeflate, answer.body, 10000, 0), plain);
  client.Send(Post("Big", "4095", "Accept-Encoding: gzip\r\n"));
  EXPECT_FALSE(client.ReadAnswer().fields.contains("content-encoding"));
  client.Send(Post("Big", "4096", "Accept-Encoding: gzip\r\n"));
  EXPECT_TRUE(client.ReadAnswer().fields.contains("content-encoding"));
}

TEST(Protocol, ClosesWhenAskedTo) {
  TestServer test;
  Client client = test.Connect();
  client.Send(Post("Echo", "{}", "Connection: close\r\n") + Post("Echo", "never"));
  auto answer = client.ReadAnswer();
  ASSERT_NE(answer.status, 0);
  EXPECT_EQ(answer.fields["connection"], "close");
  EXPECT_EQ(client.ReadToEnd(), "");
}

TEST(Protocol, SpeaksTheOldVersion) {
  TestServer test;
  Client client = test.Connect();
  client.Send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.ReadAnswer().fields["connection"], "keep-alive");
  client.Send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.ReadAnswer().fields["connection"], "close");
  EXPECT_TRUE(client.IsClosedByServer());
}

TEST(Protocol, AnswersHeadWithoutABody) {
  TestServer test;
  Client client = test.Connect();
  client.Send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  auto answer = client.ReadAnswer(/*has_body=*/false);
  ASSERT_NE(answer.status, 0);
  EXPECT_EQ(answer.fields["content-length"], "19");
  client.Send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.ReadAnswer().body, "healthy: localhost ");
}

TEST(Protocol, AllowsOrigins) {
  TestServer test({.cors_origins = {"*"}});
  Client client = test.Connect();
  client.Send(
      "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nAccess-Control-Request-Method: "
      "POST\r\n"
      "Access-Control-Request-Headers: a, b\r\n\r\n");
  auto preflight = client.ReadAnswer();
  ASSERT_NE(preflight.status, 0);
  EXPECT_EQ(preflight.status, 200);
  EXPECT_EQ(preflight.body, "");
  EXPECT_EQ(preflight.fields["access-control-allow-origin"], "*");
  EXPECT_EQ(preflight.fields["access-control-allow-methods"], "POST");
  EXPECT_EQ(preflight.fields["access-control-allow-headers"], "a, b");
  client.Send(Post("Echo", "{}", "Origin: http://a\r\n"));
  EXPECT_EQ(client.ReadAnswer().fields["access-control-allow-origin"], "*");
}

TEST(Protocol, AnswersAfterTheClientHasStoppedSending) {
  TestServer test;
  Client client = test.Connect();
  client.Send(Post("Thread", "{}"));
  client.CloseSending();
  EXPECT_EQ(client.ReadAnswer().body, "{}");
  EXPECT_TRUE(client.IsClosedByServer());
}

}  // namespace
}  // namespace stator::server
