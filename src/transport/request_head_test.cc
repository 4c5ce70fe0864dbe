// What request_head.h promises, byte by byte.

#include "transport/request_head.h"

#include <gtest/gtest.h>

namespace stator::transport {
namespace {

const Route kRoute = {.host = "db:8000", .target = "/x?y"};

std::string HeadOf(const HttpRequest& request, const Route& route = kRoute) {
  std::string head;
  AppendHead(request, route, head);
  return head;
}

TEST(RequestHead, IsWhatTheRequestSays) {
  EXPECT_EQ(HeadOf({.url = {}, .fields = {{"x-one", "1"}, {"X-None", ""}}, .body = "body"}),
            "POST /x?y HTTP/1.1\r\nhost: db:8000\r\nx-one: 1\r\nX-None: \r\n"
            "content-length: 4\r\n\r\n");
  EXPECT_EQ(HeadOf({.method = "GET", .url = {}}), "GET /x?y HTTP/1.1\r\nhost: db:8000\r\n\r\n");
}

TEST(RequestHead, SaysThatAnExpectedBodyIsEmpty) {
  for (const char* method : {"POST", "PUT"}) {
    EXPECT_TRUE(HeadOf({.method = method, .url = {}}).contains("\r\ncontent-length: 0\r\n"))
        << method;
  }
  for (const char* method : {"GET", "HEAD", "DELETE"}) {
    EXPECT_FALSE(HeadOf({.method = method, .url = {}}).contains("content-length")) << method;
  }
}

TEST(RequestHead, HasOneHostAndOneAuthorization) {
  const Route route = {.host = "db", .target = "/", .authorization = "Basic x"};
  EXPECT_EQ(HeadOf({.method = "GET", .url = {}}, route),
            "GET / HTTP/1.1\r\nhost: db\r\nauthorization: Basic x\r\n\r\n");
  EXPECT_EQ(HeadOf({.method = "GET", .url = {}, .fields = {{"Host", "h"}, {"Authorization", "a"}}},
                   route),
            "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: a\r\n\r\n");
}

TEST(RequestHead, ShowsItsCredentialsToAProxy) {
  EXPECT_EQ(HeadOf({.method = "GET", .url = {}},
                   {.host = "db", .target = "http://db/", .proxy_authorization = "Basic x"}),
            "GET http://db/ HTTP/1.1\r\nhost: db\r\nproxy-authorization: Basic x\r\n\r\n");
}

TEST(RequestHead, FieldsThatWouldBeOthersAreRefused) {
  for (const HeaderFields::value_type& field :
       {HeaderFields::value_type("x", "1\r\ny: 2"), HeaderFields::value_type("x", "1\ny: 2"),
        HeaderFields::value_type("x\r\ny", "1"),
        HeaderFields::value_type("x", std::string(1, '\0')),
        HeaderFields::value_type("Content-Length", "1"),
        HeaderFields::value_type("transfer-encoding", "chunked")}) {
    const Result<void> checked = CheckRequest({.url = {}, .fields = {field}});
    ASSERT_FALSE(checked) << field.first;
    EXPECT_EQ(checked.error().code, ErrorCode::kValidation);
  }
  EXPECT_TRUE(CheckRequest({.url = {}, .fields = {{"x", ""}, {"content-type", "x"}}}));
}

}  // namespace
}  // namespace stator::transport
