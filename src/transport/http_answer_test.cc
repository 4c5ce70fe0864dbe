// What http_answer.h promises, with each answer cut at every place and into single bytes: the result is
// always the same, and whatever two readers could understand differently is refused.

#include "transport/http_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stator::transport {
namespace {

using namespace std::literals;
using State = HttpAnswer::State;

constexpr std::size_t kBodyBytesMax = 100;

struct Read {
  State state = State::kIncomplete;
  int status = 0;
  HeaderFields fields = {};
  std::string body = {};
  bool keeps_connection = false;

  bool operator==(const Read&) const = default;
};

void PrintTo(const Read& read, std::ostream* out) {
  *out << static_cast<int>(read.state) << " " << read.status << " "
       << testing::PrintToString(read.fields) << " '" << read.body << "' "
       << (read.keeps_connection ? "kept" : "closed");
}

struct Ask {
  bool is_of_head = false;
  bool ends = false;  // the connection, behind the bytes
};

Read ReadPieces(const std::vector<std::string_view>& pieces, const Ask& ask) {
  HttpAnswer answer(ask.is_of_head, kBodyBytesMax);
  Read read;
  bool is_last = false;
  for (const std::string_view piece : pieces) {
    if (read.state != State::kIncomplete) {
      is_last = true;  // Those behind a whole answer are still on the connection.
      break;
    }
    read.state = answer.Take(piece);
  }
  if (read.state == State::kIncomplete && ask.ends) {
    read.state = answer.End();
  }
  if (read.state == State::kComplete) {
    read.status = answer.response().status;
    read.fields = answer.response().fields;
    read.body = answer.response().body;
    read.keeps_connection = answer.keeps_connection() && !is_last;
  }
  return read;
}

// The result of all ways to cut `bytes`.
Read ReadAnswer(std::string_view bytes, const Ask& ask = {}) {
  const Read whole = ReadPieces({bytes}, ask);
  std::vector<std::string_view> single;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    single.push_back(bytes.substr(at, 1));
    EXPECT_EQ(ReadPieces({bytes.substr(0, at), bytes.substr(at)}, ask), whole) << "cut at " << at;
  }
  EXPECT_EQ(ReadPieces(single, ask), whole) << "byte by byte";
  return whole;
}

State StateOf(std::string_view bytes, const Ask& ask = {}) {
  return ReadAnswer(bytes, ask).state;
}

TEST(HttpAnswer, IsAsLongAsItSays) {
  EXPECT_EQ(ReadAnswer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One: 1\r\n\r\nhello"),
            (Read{.state = State::kComplete,
                  .status = 200,
                  .fields = {{"content-length", "5"}, {"x-one", "1"}},
                  .body = "hello",
                  .keeps_connection = true}));
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"), State::kIncomplete);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", {.ends = true}),
            State::kMalformed);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), State::kComplete);
}

TEST(HttpAnswer, MayComeInChunks) {
  const Read read = ReadAnswer(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "2;name=value\r\n{}\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n");
  EXPECT_EQ(read.state, State::kComplete);
  EXPECT_EQ(read.body, "{}!");
  EXPECT_EQ(read.fields, (HeaderFields{{"transfer-encoding", "Chunked"}}));
  EXPECT_TRUE(read.keeps_connection);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n",
                    {.ends = true}),
            State::kMalformed);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n"),
            State::kMalformed);
}

TEST(HttpAnswer, MayEndWithTheConnection) {
  constexpr std::string_view kBytes = "HTTP/1.1 200 OK\r\n\r\nall of it";
  EXPECT_EQ(StateOf(kBytes), State::kIncomplete);
  const Read read = ReadAnswer(kBytes, {.ends = true});
  EXPECT_EQ(read.state, State::kComplete);
  EXPECT_EQ(read.body, "all of it");
  EXPECT_FALSE(read.keeps_connection);
}

TEST(HttpAnswer, HasNoBodyWhereNoneBelongs) {
  for (const char* status : {"204", "304"}) {
    const Read read = ReadAnswer("HTTP/1.1 "s + status + "\r\nContent-Length: 7\r\n\r\n");
    EXPECT_EQ(read.state, State::kComplete) << status;
    EXPECT_EQ(read.body, "");
    EXPECT_TRUE(read.keeps_connection);
  }
  const Read read =
      ReadAnswer("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n", {.is_of_head = true});
  EXPECT_EQ(read.state, State::kComplete);
  EXPECT_EQ(read.fields, (HeaderFields{{"content-length", "5000000"}}));
  EXPECT_TRUE(read.keeps_connection);
}

TEST(HttpAnswer, InterimAnswersAreSkipped) {
  const Read read = ReadAnswer(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\nContent-Length: "
      "3\r\n\r\n"
      "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(read.status, 201);
  EXPECT_EQ(read.fields, (HeaderFields{{"content-length", "2"}}));
  EXPECT_EQ(read.body, "{}");
  EXPECT_EQ(StateOf("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"), State::kMalformed);
}

TEST(HttpAnswer, FieldsAreTrimmedAndMayBeFolded) {
  EXPECT_EQ(
      ReadAnswer("HTTP/1.1 200\nX-Folded: one\n  two \n\tthree\nX-Empty:\n \t\nX-Colons: \t a:b \n"
                 " \nX-Below:\n below\nContent-Length: 0\n\n")
          .fields,
      (HeaderFields{{"x-folded", "one two three"},
                    {"x-empty", ""},
                    {"x-colons", "a:b"},
                    {"x-below", "below"},
                    {"content-length", "0"}}));
}

TEST(HttpAnswer, SaysWhetherTheConnectionStays) {
  const auto keeps = [](const std::string& version, const std::string& fields) {
    const Read read = ReadAnswer(version + " 200 OK\r\nContent-Length: 0\r\n" + fields + "\r\n");
    EXPECT_EQ(read.state, State::kComplete) << fields;
    return read.keeps_connection;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", ""));
  EXPECT_TRUE(keeps("HTTP/1.1", "Connection: keep-alive\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: x, Close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: close\r\nConnection: keep-alive\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0", ""));
  EXPECT_TRUE(keeps("HTTP/1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0", "Connection: keep-alive, close\r\n"));
}

TEST(HttpAnswer, BytesBehindItAreOfNobody) {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nx",
        "HTTP/1.1 204 No Content\r\n\r\nx"}) {
    const Read read = ReadAnswer(bytes);
    EXPECT_EQ(read.state, State::kComplete) << bytes;
    EXPECT_FALSE(read.keeps_connection) << bytes;
  }
}

TEST(HttpAnswer, LengthsThatAreNoneAreRefused) {
  for (const char* length : {"", "-1", "+1", "0x1", "1 ", "1.0", "1, 1", "1 1", "one",
                             "18446744073709551616", "99999999999999999999999999"}) {
    const State state = StateOf("HTTP/1.1 200 OK\r\nContent-Length: "s + length + "\r\n\r\nx");
    EXPECT_EQ(state, length == "1 "sv ? State::kComplete : State::kMalformed) << length;
  }
}

TEST(HttpAnswer, ThereIsOneLength) {
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy"),
            State::kMalformed);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"),
            State::kComplete);
  for (const char* fields : {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                             "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
                             "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                             "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding:\r\n",
                             "Transfer-Encoding: identity\r\nContent-Length: 5\r\n"}) {
    EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\n"s + fields + "\r\n0\r\n\r\n"), State::kMalformed)
        << fields;
  }
}

TEST(HttpAnswer, WhatIsNoHeadIsRefused) {
  for (const std::string_view head :
       {"\r\nHTTP/1.1 200 OK\r\n\r\n"sv, "HTTP/2 200 OK\r\n\r\n"sv, "HTTP/2.0 200 OK\r\n\r\n"sv,
        "http/1.1 200 OK\r\n\r\n"sv, "HTTP/1.1  200 OK\r\n\r\n"sv, "HTTP/1.1 20 OK\r\n\r\n"sv,
        "HTTP/1.1 2000 OK\r\n\r\n"sv, "HTTP/1.1 099 OK\r\n\r\n"sv, "HTTP/1.1 -20 OK\r\n\r\n"sv,
        "HTTP/1.1\r\n\r\n"sv, "<html>\n</html>\n"sv, "220 ready\r\n"sv,
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"sv, "HTTP/1.1 200 OK\r\n: no name\r\n\r\n"sv,
        "HTTP/1.1 200 OK\r\nX-Space : 1\r\n\r\n"sv, "HTTP/1.1 200 OK\r\n X-First: 1\r\n\r\n"sv,
        "HTTP/1.1 200 OK\r\nX-One: 1\rX-Two: 2\r\n\r\n"sv,
        "HTTP/1.1 200 OK\r\nX-Zero: \0\r\n\r\n"sv}) {
    EXPECT_EQ(StateOf(head), State::kMalformed) << head;
  }
}

TEST(HttpAnswer, AHeadThatBreaksOffIsNone) {
  constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nX-One: 1\r\n\r\n";
  for (std::size_t size = 0; size < kHead.size(); ++size) {
    EXPECT_EQ(ReadPieces({kHead.substr(0, size)}, {.ends = true}).state, State::kMalformed) << size;
  }
}

TEST(HttpAnswer, BodiesAreBounded) {
  const std::string fits(kBodyBytesMax, 'x');
  const std::string length = std::to_string(kBodyBytesMax + 1);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n"), State::kTooLarge);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n"),
            State::kTooLarge);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\n\r\n" + fits, {.ends = true}), State::kComplete);
  EXPECT_EQ(StateOf("HTTP/1.1 200 OK\r\n\r\n" + fits + "x"), State::kTooLarge);
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(StateOf(chunked + "64\r\n" + fits + "\r\n0\r\n\r\n"), State::kComplete);
  EXPECT_EQ(StateOf(chunked + "64\r\n" + fits + "\r\n1\r\nx\r\n0\r\n\r\n"), State::kTooLarge);
  EXPECT_EQ(StateOf(chunked + "FFFFFFFFFFFFFFFF\r\n"), State::kTooLarge);
}

// The end of a head that has none is never waited for, whether it is one line, many, or many heads.
TEST(HttpAnswer, HeadsAreBounded) {
  for (const std::string& line :
       {"x"s, "X-One: 1\r\n"s, "X-One:\r\n "s, "\r\nHTTP/1.1 100 Continue\r\n"s}) {
    HttpAnswer answer(false, kBodyBytesMax);
    State state = answer.Take("HTTP/1.1 100 Continue\r\n");
    std::size_t bytes = 0;
    while (state == State::kIncomplete && bytes < 3 * AnswerHead::kBytesMax) {
      state = answer.Take(line);
      bytes += line.size();
    }
    EXPECT_EQ(state, State::kMalformed) << line;
  }
}

}  // namespace
}  // namespace stator::transport
