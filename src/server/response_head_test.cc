// Heads of answers, and the ids in them.

#include "server/response_head.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "server/request_ids.h"
#include "stator/base/random.h"

namespace stator::server {
namespace {

std::string Written(const ResponseHead& head) {
  std::string text = "what was there before";
  WriteResponseHead(head, text);
  return text;
}

TEST(ResponseHead, IsWrittenInTheOrderOfAws) {
  EXPECT_EQ(Written({.status = 200,
                     .date = "Sun, 30 Aug 2015 12:36:00 GMT",
                     .content_type = "application/x-amz-json-1.0",
                     .content_length = 2,
                     .request_id = "ID",
                     .crc32 = 2745614147}),
            "HTTP/1.1 200 OK\r\n"
            "Server: Stator\r\n"
            "Date: Sun, 30 Aug 2015 12:36:00 GMT\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            "Content-Length: 2\r\n"
            "x-amzn-RequestId: ID\r\n"
            "x-amz-crc32: 2745614147\r\n"
            "\r\n");
}

TEST(ResponseHead, SaysHowTheConnectionGoesOn) {
  ResponseHead head = {.date = "d", .content_type = "t", .request_id = "i"};
  EXPECT_EQ(Written(head).find("Connection"), std::string::npos);
  head.is_http_1_0 = true;
  EXPECT_NE(Written(head).find("\r\nConnection: keep-alive\r\n"), std::string::npos);
  head.keep_alive = false;
  EXPECT_NE(Written(head).find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST(ResponseHead, HasFurtherLinesAndCodings) {
  const std::string text = Written({.status = 503,
                                    .date = "d",
                                    .content_type = "t",
                                    .content_encoding = "gzip",
                                    .request_id = "i",
                                    .further_lines = "A: b\r\nC: d\r\n"});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_NE(text.find("\r\nContent-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\nA: b\r\nC: d\r\n\r\n"));
  EXPECT_TRUE(Written({.status = 299, .date = "d", .content_type = "t", .request_id = "i"})
                  .starts_with("HTTP/1.1 299 \r\n"));
}

TEST(RequestIds, Are52LettersAndDigitsAndNeverRepeat) {
  SeededRandom random(1);
  RequestIds ids(random);
  std::set<std::string, std::less<>> seen;
  for (int count = 0; count < 1000; ++count) {
    const std::string id(ids.Next());
    EXPECT_EQ(id.size(), 52);
    EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
  RequestIds others(random);
  EXPECT_FALSE(seen.contains(others.Next()));
}

}  // namespace
}  // namespace stator::server
