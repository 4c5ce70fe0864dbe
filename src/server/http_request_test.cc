// The request parser: what it takes apart, and what it refuses because two readers could see
// different requests in it.

#include "server/http_request.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stator::server {
namespace {

// Keeps the text that the head's views point into.
struct Parsed {
  std::string text;
  RequestHead head;
  std::optional<HeadProblem> problem;
};

std::unique_ptr<Parsed> Parse(std::string text) {
  auto parsed = std::make_unique<Parsed>();
  parsed->text = std::move(text);
  parsed->problem = ParseHead(std::span(parsed->text), parsed->head);
  return parsed;
}

int StatusOf(const std::string& text) {
  const auto parsed = Parse(text);
  return parsed->problem ? parsed->problem->status : 200;
}

TEST(ParseHead, TakesARequestApart) {
  const auto parsed = Parse(
      "POST /a/b?c=d&e HTTP/1.1\r\nHost: localhost:8000\r\nX-Amz-Target:  DynamoDB.GetItem \t\r\n"
      "Content-Length: 12\r\nX-Other:\r\n\r\n");
  ASSERT_FALSE(parsed->problem.has_value()) << parsed->problem->what;
  const RequestHead& head = parsed->head;
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.path, "/a/b");
  EXPECT_EQ(head.query, "c=d&e");
  EXPECT_EQ(head[KnownField::kHost], "localhost:8000");
  EXPECT_EQ(head[KnownField::kAmzTarget], "DynamoDB.GetItem");
  EXPECT_EQ(head.framing.content_length, 12);
  EXPECT_TRUE(head.keep_alive);
  ASSERT_EQ(head.fields().size(), 4);
  EXPECT_EQ(head.fields()[1].name, "x-amz-target");
  EXPECT_EQ(head.fields()[3].name, "x-other");
  EXPECT_EQ(head.fields()[3].value, "");
}

TEST(ParseHead, KnowsEveryFieldThatItNames) {
  const auto parsed = Parse(
      "OPTIONS * HTTP/1.1\r\nhost: h\r\nTransfer-Encoding: Chunked\r\nConnection: x, Close\r\n"
      "Expect: 100-Continue\r\nContent-Type: t\r\nContent-Encoding: e\r\nAccept-Encoding: a\r\n"
      "Origin: o\r\nAccess-Control-Request-Method: m\r\nAccess-Control-Request-Headers: r\r\n\r\n");
  ASSERT_FALSE(parsed->problem.has_value()) << parsed->problem->what;
  const RequestHead& head = parsed->head;
  EXPECT_EQ(head.path, "*");
  EXPECT_TRUE(head.framing.chunked);
  EXPECT_TRUE(head.expects_continue);
  EXPECT_FALSE(head.keep_alive);
  EXPECT_EQ(head[KnownField::kContentType], "t");
  EXPECT_EQ(head[KnownField::kContentEncoding], "e");
  EXPECT_EQ(head[KnownField::kAcceptEncoding], "a");
  EXPECT_EQ(head[KnownField::kOrigin], "o");
  EXPECT_EQ(head[KnownField::kRequestedMethod], "m");
  EXPECT_EQ(head[KnownField::kRequestedHeaders], "r");
}

TEST(ParseHead, TakesWholeUrls) {
  const auto with_path = Parse("GET http://localhost:8000/x?y HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_FALSE(with_path->problem.has_value());
  EXPECT_EQ(with_path->head.path, "/x");
  EXPECT_EQ(with_path->head.query, "y");
  const auto without = Parse("GET https://localhost?y=z HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_FALSE(without->problem.has_value());
  EXPECT_EQ(without->head.path, "/");
  EXPECT_EQ(without->head.query, "y=z");
}

TEST(ParseHead, OldVersionsCloseUnlessAskedNotTo) {
  EXPECT_FALSE(Parse("GET / HTTP/1.0\r\n\r\n")->head.keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")->head.keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->head.keep_alive);
}

TEST(ParseHead, ForgetsTheRequestBefore) {
  RequestHead head;
  std::string first =
      "POST / HTTP/1.0\r\nHost: h\r\nContent-Length: 5\r\nX-Amz-Target: t\r\nExpect: "
      "100-continue\r\n\r\n";
  ASSERT_FALSE(ParseHead(std::span(first), head).has_value());
  std::string second = "GET / HTTP/1.1\r\nHost: i\r\n\r\n";
  ASSERT_FALSE(ParseHead(std::span(second), head).has_value());
  EXPECT_EQ(head.framing.content_length, 0);
  EXPECT_EQ(head[KnownField::kAmzTarget], "");
  EXPECT_EQ(head.fields().size(), 1);
  EXPECT_FALSE(head.is_http_1_0);
  EXPECT_TRUE(head.keep_alive);
}

TEST(ParseHead, RefusesWhatIsNotExactlyARequest) {
  for (const char* text : {
           "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
           "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
           "GET / HTTPS/1.1\r\nHost: h\r\n\r\n",
           "GET / HTTP/1.x\r\nHost: h\r\n\r\n",
           "GET\r\nHost: h\r\n\r\n",
           "GET /\r\nHost: h\r\n\r\n",
           "G\x01T / HTTP/1.1\r\nHost: h\r\n\r\n",
           "GET relative HTTP/1.1\r\nHost: h\r\n\r\n",
           "GET / HTTP/1.1\r\n\r\n",                        // no host
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",  // two hosts
           "GET / HTTP/1.1\r\nHost : h\r\n\r\n",            // space before colon
           "GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n",  // folded line
           "GET / HTTP/1.1\nHost: h\r\n\r\n",               // bare line feed
           "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n",       // the same in a field
           "GET / HTTP/1.1\r\nHost: h\r\nX: \x7f\r\n\r\n",  // control character
           "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: h\r\n: no name\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1 1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
       }) {
    EXPECT_EQ(StatusOf(text), 400) << text;
  }
  EXPECT_EQ(StatusOf("PRI * HTTP/2.0\r\nHost: h\r\n\r\n"), 505);
  EXPECT_EQ(StatusOf("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n"), 501);
  EXPECT_EQ(StatusOf("POST / HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\n\r\n"), 417);
}

TEST(ParseHead, TakesEqualLengthsTwice) {
  EXPECT_EQ(
      StatusOf("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\nContent-Length: 7\r\n\r\n"),
      200);
}

TEST(ParseHead, CountsFields) {
  std::string text = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (std::size_t field = 1; field < kFieldsMax; ++field) {
    text += "x: y\r\n";
  }
  EXPECT_EQ(StatusOf(text + "\r\n"), 200);
  EXPECT_EQ(StatusOf(text + "x: y\r\n\r\n"), 400);
}

TEST(ParseHead, FindsControlCharactersAtEveryPlaceOfALongValue) {
  for (std::size_t place = 0; place < 50; ++place) {
    for (const char bad : {'\0', '\x01', '\x1f', '\x7f', '\n'}) {
      std::string value(50, 'v');
      value[place] = bad;
      EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost: h\r\nX: " + value + "\r\n\r\n"), 400) << place;
    }
    std::string value(50, '\x80');
    value[place] = '\t';
    EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost: h\r\nX: " + value + "\r\n\r\n"), 200) << place;
  }
}

TEST(FindHeadEnd, FindsTheEmptyLineHoweverTheBytesArrive) {
  const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n\r\nbody";
  for (std::size_t first = 0; first < text.size() - 4; ++first) {
    const std::string_view front = std::string_view(text).substr(0, first);
    EXPECT_EQ(FindHeadEnd(front, 0).has_value(), false) << first;
    EXPECT_EQ(FindHeadEnd(text, first), text.size() - 4) << first;
  }
  EXPECT_FALSE(FindHeadEnd("a\n\nb\r\rc\r\n\n", 0).has_value());
}

TEST(ListsToken, ReadsWeights) {
  EXPECT_TRUE(ListsToken("gzip", "gzip"));
  EXPECT_TRUE(ListsToken("br, GZip;q=0.5", "gzip"));
  EXPECT_FALSE(ListsToken("gzip;q=0", "gzip"));
  EXPECT_FALSE(ListsToken("gzip;q=0.000, br", "gzip"));
  EXPECT_TRUE(ListsToken("gzip; q=0.001", "gzip"));
  EXPECT_FALSE(ListsToken("identity", "gzip"));
  EXPECT_FALSE(ListsToken("xgzip,gzipx", "gzip"));
  EXPECT_FALSE(ListsToken("", "gzip"));
}

RC_GTEST_PROP(ParseHead, SurvivesAnyBytes, (const std::string& garbage)) {
  RequestHead head;
  std::string text = "POST / HTTP/1.1\r\nHost: h\r\n" + garbage + "\r\n\r\n";
  ParseHead(std::span(text), head);
  std::string all = garbage;
  ParseHead(std::span(all), head);
}

}  // namespace
}  // namespace stator::server
