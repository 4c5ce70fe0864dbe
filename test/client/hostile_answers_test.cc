// Servers that break off, go on too long, say two things at once, or close when they may: what the
// transport makes of it on real sockets. What it reads byte by byte is in transport/http_answer_test.cc.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "client/scripted_server.h"
#include "transport/curl_transport.h"
#include "transport/http_exchanges.h"

namespace stator::client {
namespace {

using namespace std::literals;
using transport::CurlOptions;
using transport::CurlTransport;
using transport::HttpRequest;
using transport::HttpResponse;

// Answers the first request with `first`, and all others well.
class FirstAnswer {
 public:
  explicit FirstAnswer(Reaction first)
      : server_([this, first = std::move(first)](const ReceivedRequest&) {
          return ++count_ == 1 ? first : Answer(200, "good");
        }) {}

  Result<HttpResponse> Send(const std::string& method = "POST") {
    return transport_.Send({.method = method,
                            .url = server_.url(),
                            .body = method == "POST" ? "{}" : "",
                            .body_bytes_max = 1000});
  }
  // When all of the first answer has arrived.
  bool NextIsGood() {
    server_.AwaitReactions(1);
    const Result<HttpResponse> response = Send();
    return response && response->body == "good";
  }
  [[nodiscard]] int connections() const { return server_.connections(); }

 private:
  std::atomic<int> count_ = 0;
  ScriptedServer server_;
  CurlTransport transport_;
};

TEST(HostileAnswers, WhatTwoReadersCouldReadDifferentlyIsNoAnswer) {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}!0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-One: 1\rX-Two: 2\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
        "HTTP/2 200\r\n\r\n", "{}", "\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n"}) {
    FirstAnswer server({.bytes = bytes, .closes = bytes == "{}"sv});
    const Result<HttpResponse> response = server.Send();
    ASSERT_FALSE(response) << bytes;
    EXPECT_EQ(response.error().code, ErrorCode::kIo) << bytes << response.error().message;
    EXPECT_TRUE(server.NextIsGood()) << bytes;
    EXPECT_EQ(server.connections(), 2) << bytes;
  }
}

TEST(HostileAnswers, AHeadThatDoesNotEndIsNotWaitedFor) {
  for (const char* line : {"X-One: 1\r\n", "x", " \r\n"}) {
    std::string bytes = "HTTP/1.1 200 OK\r\nX-Zero: 0\r\n";
    while (bytes.size() < (std::size_t{1} << 20)) {
      bytes.append(line);
    }
    FirstAnswer server({.bytes = bytes});
    EXPECT_EQ(server.Send().error().code, ErrorCode::kIo) << line;
    EXPECT_TRUE(server.NextIsGood()) << line;
  }
}

TEST(HostileAnswers, BodiesAreBoundedHoweverTheyEnd) {
  const std::string body(1001, 'x');
  for (const std::string& bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"s + body,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n"s + body + "\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n"s + body}) {
    FirstAnswer server({.bytes = bytes});
    const Result<HttpResponse> response = server.Send();
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::kIo);
    EXPECT_TRUE(response.error().message.contains("too large")) << response.error().message;
    EXPECT_TRUE(server.NextIsGood());
  }
}

TEST(HostileAnswers, WhatStandsBehindAnAnswerIsNotTheNext) {
  const std::string answer = Answer(200, "first").bytes;
  const std::string planted = Answer(200, "planted").bytes;
  for (const Reaction& reaction :
       {Reaction{.bytes = answer + planted}, Reaction{.bytes = answer, .later = planted},
        Reaction{.bytes = "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n", .later = "{ }"},
        Reaction{.bytes = answer, .later = "x"}}) {
    FirstAnswer server(reaction);
    ASSERT_TRUE(server.Send());
    EXPECT_TRUE(server.NextIsGood());
    EXPECT_EQ(server.connections(), 2);
  }
}

TEST(HostileAnswers, AConnectionThatWasClosedMeanwhileIsNotSentOn) {
  Reaction reaction = Answer(200, "first");
  reaction.closes = true;
  FirstAnswer server(reaction);
  const Result<HttpResponse> response = server.Send();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "first");
  EXPECT_TRUE(server.NextIsGood());
  EXPECT_TRUE(server.NextIsGood());
  EXPECT_EQ(server.connections(), 2);
}

TEST(HostileAnswers, ConnectionsThatEndAreNotUsedAgain) {
  for (const char* bytes : {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
                            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"}) {
    FirstAnswer server({.bytes = bytes});
    ASSERT_TRUE(server.Send()) << bytes;
    EXPECT_TRUE(server.NextIsGood()) << bytes;
    EXPECT_EQ(server.connections(), 2) << bytes;
  }
}

TEST(HostileAnswers, ABodyMayEndWithTheConnection) {
  FirstAnswer server({.bytes = "HTTP/1.1 200 OK\r\n\r\nto the end", .closes = true});
  const Result<HttpResponse> response = server.Send();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "to the end");
  EXPECT_TRUE(server.NextIsGood());
}

TEST(HostileAnswers, WhereNoBodyBelongsNoneIsWaitedFor) {
  for (const char* status : {"204 No Content", "304 Not Modified"}) {
    FirstAnswer server({.bytes = "HTTP/1.1 "s + status + "\r\nContent-Length: 5\r\n\r\n"});
    const Result<HttpResponse> response = server.Send();
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, "");
    EXPECT_TRUE(server.NextIsGood());
    EXPECT_EQ(server.connections(), 1);
  }
  FirstAnswer server({.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"});
  const Result<HttpResponse> response = server.Send("HEAD");
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->Field("content-length"), "5000");
  EXPECT_TRUE(server.NextIsGood());
  EXPECT_EQ(server.connections(), 1);
}

// A server that has heard enough need not read what is left; what it says must not be lost with it.
TEST(HostileAnswers, AnAnswerMayComeBeforeTheRequestIsSent) {
  const std::string body(std::size_t{30} << 20, 'x');
  for (const bool closes : {false, true}) {
    ScriptedServer server(
        [closes](const ReceivedRequest&) {
          Reaction reaction = Answer(413, "enough");
          reaction.closes = closes;
          return reaction;
        },
        ScriptedServer::Reads::kHeads);
    CurlTransport transport;
    for (int round = 0; round < 2; ++round) {
      const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = body});
      ASSERT_TRUE(response) << closes << response.error().message;
      EXPECT_EQ(response->status, 413);
      EXPECT_EQ(response->body, "enough");
    }
    EXPECT_EQ(server.connections(), 2);
  }
}

TEST(HostileAnswers, AConnectionThatIsLostWhileSendingMayHaveBroughtAll) {
  const std::string body(std::size_t{30} << 20, 'x');
  ScriptedServer server([](const ReceivedRequest&) { return HangUp(); },
                        ScriptedServer::Reads::kHeads);
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = body});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kIo) << response.error().message;
}

TEST(HostileAnswers, NobodyReadsAndNobodyAnswers) {
  const std::string body(std::size_t{30} << 20, 'x');
  ScriptedServer server([](const ReceivedRequest&) { return Reaction{.bytes = "HTTP/1.1 2"}; },
                        ScriptedServer::Reads::kHeads);
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send(
      {.url = server.url(), .body = body, .timeout = std::chrono::milliseconds(200)});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kTimeout) << response.error().message;
}

// Its answer may still come, and would be that of the next request.
TEST(HostileAnswers, AConnectionIsNotUsedAfterATimeout) {
  CurlTransport transport;
  ScriptedServer slow([](const ReceivedRequest&) { return Reaction{.bytes = "HTTP/1.1 200"}; });
  const HttpRequest request = {.url = slow.url(), .timeout = std::chrono::milliseconds(100)};
  EXPECT_EQ(transport.Send(request).error().code, ErrorCode::kTimeout);
  EXPECT_EQ(transport.Send(request).error().code, ErrorCode::kTimeout);
  EXPECT_EQ(slow.connections(), 2);
}

TEST(HostileAnswers, ConnectionsAreNotKeptForLongerThanAsked) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "{}"); });
  CurlTransport forgets(CurlOptions{.idle_max = std::chrono::microseconds(-1)});
  CurlTransport keeps_none(CurlOptions{.idle_handles_max = 0});
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(forgets.Send({.url = server.url()}));
    ASSERT_TRUE(keeps_none.Send({.url = server.url()}));
    EXPECT_EQ(server.connections(), 2 * i);
  }
}

TEST(HostileAnswers, EachHostHasItsConnections) {
  ScriptedServer one([](const ReceivedRequest&) { return Answer(200, "one"); });
  ScriptedServer two([](const ReceivedRequest&) { return Answer(200, "two"); });
  CurlTransport transport;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(transport.Send({.url = one.url() + "/a"})->body, "one");
    EXPECT_EQ(transport.Send({.url = two.url() + "/a"})->body, "two");
    EXPECT_EQ(transport.Send({.url = one.url() + "/b"})->body, "one");
  }
  EXPECT_EQ(one.connections(), 1);
  EXPECT_EQ(two.connections(), 1);
}

// Both ways to exchange read heads by the same rules.
TEST(HostileAnswers, AreNoneForExchangesEither) {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n"}) {
    ScriptedServer server(
        [bytes](const ReceivedRequest&) { return Reaction{.bytes = bytes, .closes = true}; });
    transport::HttpExchanges exchanges;
    std::promise<Result<HttpResponse>> promise;
    exchanges.Start({.url = server.url()}, "{}", [&promise](Result<HttpResponse> response) {
      promise.set_value(std::move(response));
    });
    const Result<HttpResponse> response = promise.get_future().get();
    ASSERT_FALSE(response) << bytes;
    EXPECT_EQ(response.error().code, ErrorCode::kIo) << bytes << response.error().message;
  }
}

}  // namespace
}  // namespace stator::client
