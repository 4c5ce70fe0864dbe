// What transport/curl_transport.h promises, on real sockets: what arrives at the other end, that
// connections are used again, and above all which failures say that nothing was sent.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "client/scripted_server.h"
#include "transport/curl_transport.h"

namespace stator::client {
namespace {

using transport::CurlTransport;
using transport::HttpRequest;
using transport::HttpResponse;

TEST(CurlTransport, SendsMethodPathFieldsAndBody) {
  ScriptedServer server(
      [](const ReceivedRequest&) { return Answer(418, "short and stout", {{"X-Answer", "yes"}}); });
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = server.url() + "/path?a=b",
                                                        .fields = {{"x-one", "1"}, {"x-none", ""}},
                                                        .body = "the body"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->body, "short and stout");
  EXPECT_EQ(response->Field("x-answer"), "yes");
  const std::vector<ReceivedRequest> received = server.requests();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].method, "POST");
  EXPECT_EQ(received[0].path, "/path?a=b");
  EXPECT_EQ(received[0].Field("x-one"), "1");
  EXPECT_EQ(received[0].Field("host"), server.url().substr(7));
  EXPECT_EQ(received[0].Field("content-length"), "8");
  EXPECT_EQ(received[0].Field("expect"), "");
  EXPECT_EQ(received[0].body, "the body");
}

TEST(CurlTransport, SendsOtherMethodsWithoutABody) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "x"); });
  CurlTransport transport;
  for (const char* method : {"GET", "PUT"}) {
    const Result<HttpResponse> response = transport.Send({.method = method, .url = server.url()});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(server.requests().back().method, method);
    EXPECT_EQ(response->body, "x");
  }
}

TEST(CurlTransport, AUserOfTheUrlIsShown) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "x"); });
  CurlTransport transport;
  const std::string address = server.url().substr(7);
  ASSERT_TRUE(transport.Send({.method = "GET", .url = "http://me:secret@" + address + "/x"}));
  EXPECT_EQ(server.requests().back().path, "/x");
  EXPECT_EQ(server.requests().back().Field("authorization"), "Basic bWU6c2VjcmV0");
  EXPECT_EQ(server.requests().back().Field("host"), address);
}

TEST(CurlTransport, BodiesMayBeLargeAndMayBeNoText) {
  ScriptedServer server([](const ReceivedRequest& request) { return Answer(200, request.body); });
  CurlTransport transport;
  std::string body(3'000'000, '\0');
  for (std::size_t i = 0; i < body.size(); ++i) {
    body[i] = static_cast<char>(i * 31);
  }
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = body});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_TRUE(response->body == body);
}

TEST(CurlTransport, UsesConnectionsAgain) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "{}"); });
  CurlTransport transport;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(transport.Send({.url = server.url(), .body = "{}"}));
  }
  EXPECT_EQ(server.connections(), 1);
}

// One handle serves all of these, on one connection.
TEST(CurlTransport, NothingOfARequestIsLeftInTheNext) {
  ScriptedServer server([](const ReceivedRequest& request) {
    return request.method == "HEAD" ? Reaction{.bytes = "HTTP/1.1 200 OK\r\n\r\n"}
                                    : Answer(200, request.method + request.path + request.body);
  });
  CurlTransport transport;
  const auto send = [&](const char* method, const char* path, std::string_view body) {
    const Result<HttpResponse> response = transport.Send(
        {.method = method, .url = server.url() + path, .fields = {{"x-path", path}}, .body = body});
    return response ? response->body : response.error().message;
  };
  EXPECT_EQ(send("POST", "/a", "longer"), "POST/alonger");
  EXPECT_EQ(send("POST", "/a", "short"), "POST/ashort");
  EXPECT_EQ(send("POST", "/b", ""), "POST/b");
  EXPECT_EQ(send("PUT", "/b", "body"), "PUT/bbody");
  EXPECT_EQ(send("PUT", "/b", ""), "PUT/b");
  EXPECT_EQ(send("HEAD", "/b", ""), "");
  EXPECT_EQ(send("GET", "/b", ""), "GET/b");
  EXPECT_EQ(send("POST", "/b", "again"), "POST/bagain");
  EXPECT_EQ(server.connections(), 1);
  for (const ReceivedRequest& request : server.requests()) {
    EXPECT_EQ(request.Field("x-path"), request.path);
  }
}

TEST(CurlTransport, AFailureIsNotThatOfTheRequestBefore) {
  std::atomic<int> count = 0;
  ScriptedServer server([&count](const ReceivedRequest&) {
    return ++count == 1 ? Answer(200, std::string(100, 'x')) : Answer(200, "short");
  });
  CurlTransport transport;
  const HttpRequest request{.url = server.url(), .body = "{}", .body_bytes_max = 10};
  EXPECT_FALSE(transport.Send(request));
  const Result<HttpResponse> response = transport.Send(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "short");
}

TEST(CurlTransport, TheFieldsAreThoseOfTheLastHead) {
  ScriptedServer server([](const ReceivedRequest&) {
    return Reaction{.bytes =
                        "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
                        "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nX-Empty:\r\n"
                        "X-Colons:  a:b \r\nTransfer-Encoding: chunked\r\n\r\n"
                        "2\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n"};
  });
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = "{}"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "{}");
  EXPECT_EQ(response->fields, (transport::HeaderFields{{"x-folded", "one two"},
                                                       {"x-empty", ""},
                                                       {"x-colons", "a:b"},
                                                       {"transfer-encoding", "chunked"}}));
}

TEST(CurlTransport, ThreadsDoNotShareConnectionsInFlight) {
  ScriptedServer server([](const ReceivedRequest& request) { return Answer(200, request.body); });
  CurlTransport transport;
  constexpr int kThreads = 4;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const std::string body = std::to_string(thread) + ":" + std::to_string(i);
        const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = body});
        good += response && response->body == body ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(good, kThreads * 50);
  EXPECT_LE(server.connections(), kThreads);
}

TEST(CurlTransport, NobodyListensMeansNothingWasSent) {
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = "http://127.0.0.1:1/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable) << response.error().message;
}

TEST(CurlTransport, AConnectionLostBeforeTheAnswerMayHaveBeenReceived) {
  ScriptedServer server([](const ReceivedRequest&) { return HangUp(); });
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = "{}"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kIo) << response.error().message;
}

// libcurl would open a new connection and send the request again, behind our back.
TEST(CurlTransport, ARequestIsNotRepeatedWhenAKeptConnectionIsLost) {
  std::atomic<int> count = 0;
  ScriptedServer server(
      [&count](const ReceivedRequest&) { return ++count == 1 ? Answer(200, "{}") : HangUp(); });
  CurlTransport transport;
  ASSERT_TRUE(transport.Send({.url = server.url(), .body = "{}"}));
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = "{}"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kIo) << response.error().message;
  EXPECT_EQ(count, 2);
}

TEST(CurlTransport, AHalfAnswerIsNoAnswer) {
  ScriptedServer server([](const ReceivedRequest&) {
    Reaction reaction = Answer(200, "a body of some length");
    reaction.bytes.resize(reaction.bytes.size() - 5);
    reaction.closes = true;
    return reaction;
  });
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = "{}"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kIo) << response.error().message;
}

// Wherever it is cut, within the head too.
TEST(CurlTransport, NoPartOfAnAnswerIsAnAnswer) {
  const Reaction whole = Answer(200, "a body", {{"x-amzn-requestid", "id"}});
  std::atomic<std::size_t> length = 0;
  ScriptedServer server([&](const ReceivedRequest&) {
    return Reaction{.bytes = whole.bytes.substr(0, length), .closes = true};
  });
  CurlTransport transport;
  for (length = 0; length < whole.bytes.size(); ++length) {
    const Result<HttpResponse> response = transport.Send({.url = server.url(), .body = "{}"});
    ASSERT_FALSE(response) << length;
    EXPECT_EQ(response.error().code, ErrorCode::kIo) << length << response.error().message;
  }
  EXPECT_TRUE(transport.Send({.url = server.url(), .body = "{}"}));
}

TEST(CurlTransport, ASilentServerTimesOut) {
  std::atomic<bool> done = false;
  ScriptedServer server([&done](const ReceivedRequest&) {
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return HangUp();
  });
  CurlTransport transport;
  const Result<HttpResponse> response = transport.Send(
      {.url = server.url(), .body = "{}", .timeout = std::chrono::milliseconds(100)});
  done = true;
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kTimeout) << response.error().message;
}

TEST(CurlTransport, AnswersAreBounded) {
  ScriptedServer server(
      [](const ReceivedRequest&) { return Answer(200, std::string(100'000, 'x')); });
  CurlTransport transport;
  const Result<HttpResponse> response =
      transport.Send({.url = server.url(), .body = "{}", .body_bytes_max = 99'999});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kIo);
  EXPECT_TRUE(transport.Send({.url = server.url(), .body = "{}", .body_bytes_max = 100'000}));
}

TEST(CurlTransport, AFieldIsOneLine) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "{}"); });
  CurlTransport transport;
  const Result<HttpResponse> response =
      transport.Send({.url = server.url(), .fields = {{"x-one", "1\r\nx-two: 2"}}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kValidation);
  EXPECT_TRUE(server.requests().empty());
}

TEST(CurlTransport, AnEmptyBodyIsEmpty) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, "{}"); });
  CurlTransport transport;
  ASSERT_TRUE(transport.Send({.url = server.url(), .fields = {{"host", "another"}}}));
  EXPECT_EQ(server.requests().back().Field("content-length"), "0");
  EXPECT_EQ(server.requests().back().Field("host"), "another");
}

TEST(CurlTransport, RefusesWhatIsNoHttp) {
  CurlTransport transport;
  for (const char* url : {"", "file:///etc/passwd", "ftp://127.0.0.1/", "http://"}) {
    const Result<HttpResponse> response = transport.Send({.url = url});
    ASSERT_FALSE(response) << url;
    EXPECT_EQ(response.error().code, ErrorCode::kValidation) << url << response.error().message;
  }
}

}  // namespace
}  // namespace stator::client
