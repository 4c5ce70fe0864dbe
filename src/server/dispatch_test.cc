// What becomes of a whole request: the server's own pages, refusals, and what reaches the handler.

#include "server/dispatch.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "server/content_coding.h"
#include "wire/sigv4.h"

namespace stator::server {
namespace {

constexpr TimePoint kNow(std::chrono::seconds(1440938160));  // 2015-08-30T12:36:00Z

class DispatchTest : public testing::Test {
 protected:
  // Dispatches a request whose head is `lines`, each without its line end.
  std::variant<Page, wire::Request> Dispatch(const std::vector<std::string>& lines,
                                             std::string_view body = "") {
    text_.clear();
    for (const std::string& line : lines) {
      text_ += line + "\r\n";
    }
    text_ += "\r\n";
    body_ = body;
    body_.reserve(body.size() + wire::kBodyPaddingBytes);
    head_ = std::make_unique<RequestHead>();
    const auto problem = ParseHead(std::span(text_), *head_);
    EXPECT_FALSE(problem.has_value());
    if (!dispatcher_) {
      dispatcher_ = std::make_unique<Dispatcher>(
          options_, [] { return std::string("numbers"); }, [this] { return stopping_; });
    }
    return dispatcher_->Dispatch(*head_, body_, held_);
  }

  Page PageFor(const std::vector<std::string>& lines, std::string_view body = "") {
    auto dispatched = Dispatch(lines, body);
    EXPECT_TRUE(std::holds_alternative<Page>(dispatched));
    Page* const page = std::get_if<Page>(&dispatched);
    return page == nullptr ? Page{} : std::move(*page);
  }

  wire::Request RequestFor(const std::vector<std::string>& lines, std::string_view body = "") {
    auto dispatched = Dispatch(lines, body);
    EXPECT_TRUE(std::holds_alternative<wire::Request>(dispatched));
    const auto* const request = std::get_if<wire::Request>(&dispatched);
    return request == nullptr ? wire::Request{} : *request;
  }

  ManualClock clock_{kNow};
  ServerOptions options_{.clock = clock_};
  bool stopping_ = false;
  Held held_;

 private:
  std::string text_;
  std::string body_;
  std::unique_ptr<RequestHead> head_;
  std::unique_ptr<Dispatcher> dispatcher_;
};

TEST_F(DispatchTest, AnswersHealthChecksAsAwsDoes) {
  const Page page = PageFor({"GET / HTTP/1.1", "Host: h"});
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(PageFor({"HEAD / HTTP/1.1", "Host: h"}).body, page.body);
  EXPECT_TRUE(held_.is_head);
  EXPECT_EQ(PageFor({"GET /healthz HTTP/1.1", "Host: h"}).body, "ok\n");
  EXPECT_EQ(PageFor({"GET /metrics HTTP/1.1", "Host: h"}).body, "numbers");
}

TEST_F(DispatchTest, IsReadyOnlyWhileEverythingIs) {
  bool engine_is_ready = true;
  options_.is_ready = [&] { return engine_is_ready; };
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: h"}).status, 200);
  engine_is_ready = false;
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: h"}).status, 503);
  engine_is_ready = true;
  stopping_ = true;
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: h"}).status, 503);
}

TEST_F(DispatchTest, AnswersWhatIsNotTheProtocolAsAwsDoes) {
  for (const std::vector<std::string>& lines : std::vector<std::vector<std::string>>{
           {"PUT / HTTP/1.1", "Host: h"},
           {"DELETE / HTTP/1.1", "Host: h"},
           {"GET /elsewhere HTTP/1.1", "Host: h"},
           {"OPTIONS / HTTP/1.1", "Host: h"},
       }) {
    const Page page = PageFor(lines);
    EXPECT_EQ(page.status, 404) << lines.front();
    EXPECT_EQ(page.body, "<UnknownOperationException/>\n");
  }
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: h"}, "{}").status, 404);
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: h", "Content-Type: text/json"}, "{}").status, 404);
}

TEST_F(DispatchTest, CanHideItsMetrics) {
  options_.serves_metrics = false;
  EXPECT_EQ(PageFor({"GET /metrics HTTP/1.1", "Host: h"}).status, 404);
}

TEST_F(DispatchTest, HandsOverRequestsOfTheProtocol) {
  const wire::Request request =
      RequestFor({"POST / HTTP/1.1", "Host: h", "X-Amz-Target: DynamoDB_20120810.GetItem",
                  "Content-Type: application/x-amz-json-1.0; charset=utf-8",
                  "Accept-Encoding: br, gzip", "Connection: close"},
                 "{}");
  EXPECT_EQ(request.target, "DynamoDB_20120810.GetItem");
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(request.caller.region, "us-east-1");
  EXPECT_EQ(request.caller.access_key_id, "");
  EXPECT_EQ(request.caller.authorizer, nullptr);
  EXPECT_EQ(held_.content_type, "application/x-amz-json-1.0");
  EXPECT_TRUE(held_.accepts_gzip);
  EXPECT_FALSE(held_.keep_alive);
}

TEST_F(DispatchTest, AnswersInTheContentTypeOfTheRequest) {
  RequestFor({"POST / HTTP/1.1", "Host: h", "Content-Type: application/json"}, "{}");
  EXPECT_EQ(held_.content_type, "application/json");
  RequestFor({"POST / HTTP/1.1", "Host: h"});
  EXPECT_EQ(held_.content_type, "application/json");
}

TEST_F(DispatchTest, WithoutCredentialsASignatureOnlyNamesWhoAsks) {
  const std::vector<std::string> lines = {
      "POST / HTTP/1.1", "Host: h", "X-Amz-Date: 20200101T000000Z",
      "Authorization: AWS4-HMAC-SHA256 Credential=anyone/20200101/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=00"};
  const wire::Request request = RequestFor(lines);
  EXPECT_EQ(request.caller.access_key_id, "anyone");
  EXPECT_EQ(request.caller.region, "eu-west-1");
  // One that cannot be read would not work on AWS either.
  const Page page = PageFor({"POST / HTTP/1.1", "Host: h", "Authorization: AWS4-HMAC-SHA256 x=y"});
  EXPECT_EQ(page.status, 400);
  EXPECT_EQ(page.outcome, "IncompleteSignatureException");
  // Other schemes are none of ours.
  EXPECT_EQ(RequestFor({"POST / HTTP/1.1", "Host: h", "Authorization: Bearer x"}).caller.region,
            "us-east-1");
}

TEST_F(DispatchTest, WithCredentialsEveryRequestMustProveItself) {
  auto credentials = std::make_shared<Credentials>();
  ASSERT_TRUE(
      credentials
          ->Add("test",
                {.access_key_id = "AKID", .secret_access_key = "secret", .session_token = "token"},
                Policy())
          .has_value());
  options_.credentials = credentials;
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: h"}).outcome, "MissingAuthenticationTokenException");
  EXPECT_EQ(PageFor({"GET /healthz HTTP/1.1", "Host: h"}).status, 200);

  const auto lines_signed_with = [](std::string id, std::string secret, std::string token) {
    const wire::Signer signer({.access_key_id = std::move(id),
                               .secret_access_key = std::move(secret),
                               .session_token = std::move(token)},
                              "eu-west-1", "dynamodb");
    const std::vector<wire::HttpField> fields = {{.name = "Host", .value = "h"}};
    std::vector<std::string> lines = {"POST / HTTP/1.1", "Host: h"};
    for (const auto& [name, value] :
         signer.Sign({.method = "POST", .path = "/", .query = "", .fields = fields},
                     wire::Hex(base::Sha256Of("")), kNow)) {
      lines.push_back(name + ": " + value);
    }
    return lines;
  };
  const wire::Request request = RequestFor(lines_signed_with("AKID", "secret", "token"));
  EXPECT_EQ(request.caller.access_key_id, "AKID");
  EXPECT_EQ(request.caller.region, "eu-west-1");
  EXPECT_NE(request.caller.authorizer, nullptr);
  EXPECT_EQ(PageFor(lines_signed_with("AKID", "guess", "token")).outcome,
            "InvalidSignatureException");
  EXPECT_EQ(PageFor(lines_signed_with("OTHER", "secret", "token")).outcome,
            "UnrecognizedClientException");
  EXPECT_EQ(PageFor(lines_signed_with("AKID", "secret", "")).outcome,
            "UnrecognizedClientException");
  EXPECT_EQ(PageFor(lines_signed_with("AKID", "secret", "tokem")).outcome,
            "UnrecognizedClientException");
}

TEST_F(DispatchTest, UndoesContentCodings) {
  GzipCompressor gzip;
  const std::string plain = R"({"TableName":"t"})";
  const std::vector<std::string> lines = {"POST / HTTP/1.1", "Host: h",
                                          "Content-Type: application/x-amz-json-1.0",
                                          "Content-Encoding: gzip"};
  EXPECT_EQ(RequestFor(lines, gzip.Compress(plain)).body, plain);
  EXPECT_EQ(PageFor(lines, plain).outcome, "SerializationException");
  EXPECT_EQ(PageFor(lines, gzip.Compress(std::string(17 << 20, ' '))).status, 413);
  std::vector<std::string> unknown = lines;
  unknown.back() = "Content-Encoding: br";
  EXPECT_EQ(PageFor(unknown, plain).status, 415);
}

TEST_F(DispatchTest, AllowsOriginsThatAreListed) {
  const std::vector<std::string> lines = {
      "OPTIONS / HTTP/1.1", "Host: h", "Origin: http://a.example",
      "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x-amz-target"};
  const Page page = PageFor(lines);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.fields,
            "Access-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: x-amz-target\r\n"
            "Access-Control-Max-Age: 172800\r\n");
  EXPECT_EQ(held_.cors_fields, "");
  options_.cors_origins = {"http://b.example", "http://a.example"};
  PageFor(lines);
  EXPECT_TRUE(held_.cors_fields.starts_with(
      "Access-Control-Allow-Origin: http://a.example\r\nVary: Origin\r\n"));
  options_.cors_origins = {"*"};
  PageFor(lines);
  EXPECT_TRUE(held_.cors_fields.starts_with("Access-Control-Allow-Origin: *\r\n"));
}

}  // namespace
}  // namespace stator::server
