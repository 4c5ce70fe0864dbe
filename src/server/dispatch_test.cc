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
          options_, handler_, [] { return std::string("numbers"); }, [this] { return stopping_; });
    }
    return dispatcher_->Dispatch(*head_, body_, context_);
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

  // Knows what is no JSON when it sees it.
  class FaultFinder final : public wire::Handler {
   public:
    void Handle(const wire::Request& /*request*/, Done /*done*/) override {}
    [[nodiscard]] std::optional<wire::Answer> FindFault(
        const wire::Request& request) const override {
      return request.body == "no JSON"
                 ? std::optional(wire::Answer{.status = 400, .body = "fault", .error = "Fault"})
                 : std::nullopt;
    }
  };

  FaultFinder handler_;
  ManualClock clock_{kNow};
  ServerOptions options_{.clock = clock_};
  bool stopping_ = false;
  RequestContext context_;

 private:
  std::string text_;
  std::string body_;
  std::unique_ptr<RequestHead> head_;
  std::unique_ptr<Dispatcher> dispatcher_;
};

TEST_F(DispatchTest, AnswersHealthChecksAsAwsDoes) {
  const Page page = PageFor({"GET / HTTP/1.1", "Host: localhost"});
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "healthy: localhost ");
  EXPECT_EQ(PageFor({"HEAD / HTTP/1.1", "Host: localhost"}).body, page.body);
  EXPECT_TRUE(context_.is_head);
  EXPECT_EQ(PageFor({"GET /healthz HTTP/1.1", "Host: localhost"}).body, "ok\n");
  EXPECT_EQ(PageFor({"GET /metrics HTTP/1.1", "Host: localhost"}).body, "numbers");
}

TEST_F(DispatchTest, PathsOfTheHandlerReachIt) {
  options_.handler_paths = {"/read"};
  const wire::Request read = RequestFor({"GET /read?query=1 HTTP/1.1", "Host: localhost"});
  EXPECT_EQ(read.method, "GET");
  EXPECT_EQ(read.path, "/read");
  EXPECT_EQ(read.query, "query=1");
  const wire::Request posted = RequestFor(
      {"POST /read HTTP/1.1", "Host: localhost", "Content-Type: application/json"}, "{}");
  EXPECT_EQ(posted.body, "{}");
  EXPECT_EQ(context_.content_type, "application/json");
  EXPECT_EQ(
      PageFor({"POST /read HTTP/1.1", "Host: localhost", "Content-Type: text/plain"}, "{}").status,
      415);
  // Nobody but those who are admitted.
  EXPECT_EQ(PageFor({"GET /read HTTP/1.1", "Host: evil.example"}).status, 403);
  EXPECT_EQ(PageFor({"GET /reads HTTP/1.1", "Host: localhost"}).status, 404);
}

TEST_F(DispatchTest, IsReadyOnlyWhileEverythingIs) {
  bool engine_is_ready = true;
  options_.is_ready = [&] { return engine_is_ready; };
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: localhost"}).status, 200);
  engine_is_ready = false;
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: localhost"}).status, 503);
  engine_is_ready = true;
  stopping_ = true;
  EXPECT_EQ(PageFor({"GET /readyz HTTP/1.1", "Host: localhost"}).status, 503);
}

TEST_F(DispatchTest, AnswersWhatIsNotTheProtocolAsAwsDoes) {
  for (const std::vector<std::string>& lines : std::vector<std::vector<std::string>>{
           {"PUT / HTTP/1.1", "Host: localhost"},
           {"DELETE / HTTP/1.1", "Host: localhost"},
           {"GET /elsewhere HTTP/1.1", "Host: localhost"},
           {"OPTIONS / HTTP/1.1", "Host: localhost"},
       }) {
    const Page page = PageFor(lines);
    EXPECT_EQ(page.status, 404) << lines.front();
    EXPECT_EQ(page.body, "<UnknownOperationException/>\n");
  }
  EXPECT_EQ(PageFor({"POST /elsewhere HTTP/1.1", "Host: localhost"}).status, 404);
  EXPECT_EQ(PageFor({"POST /elsewhere HTTP/1.1", "Host: localhost",
                     "Content-Type: application/x-amz-json-1.0"},
                    "{}")
                .status,
            404);
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost", "Content-Type: text/json"}, "{}").status,
            404);
}

TEST_F(DispatchTest, CanHideItsMetrics) {
  options_.serves_metrics = false;
  EXPECT_EQ(PageFor({"GET /metrics HTTP/1.1", "Host: localhost"}).status, 404);
}

TEST_F(DispatchTest, HandsOverRequestsOfTheProtocol) {
  const wire::Request request =
      RequestFor({"POST / HTTP/1.1", "Host: localhost", "X-Amz-Target: DynamoDB_20120810.GetItem",
                  "Content-Type: application/x-amz-json-1.0; charset=utf-8",
                  "Accept-Encoding: br, gzip", "Connection: close"},
                 "{}");
  EXPECT_EQ(request.target, "DynamoDB_20120810.GetItem");
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(request.caller.region, "us-east-1");
  EXPECT_EQ(request.caller.access_key_id, "");
  EXPECT_EQ(request.caller.authorizer, nullptr);
  EXPECT_EQ(context_.content_type, "application/x-amz-json-1.0");
  EXPECT_EQ(context_.answer_coding, ContentCoding::kGzip);
  EXPECT_EQ(request.caller.host, "localhost");
  EXPECT_FALSE(context_.keep_alive);
}

TEST_F(DispatchTest, AnswersInTheContentTypeOfTheRequest) {
  RequestFor({"POST / HTTP/1.1", "Host: localhost", "Content-Type: application/json"}, "{}");
  EXPECT_EQ(context_.content_type, "application/json");
  RequestFor({"POST / HTTP/1.1", "Host: localhost"});
  EXPECT_EQ(context_.content_type, "application/json");
  RequestFor({"POST / HTTP/1.1", "Host: localhost"}, "{}");
  EXPECT_EQ(context_.content_type, "application/json") << "none said";
  // So are refusals.
  const std::string broken = "Authorization: AWS4-HMAC-SHA256 x=y";
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost", broken}, "{}").content_type,
            "application/json");
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost", broken,
                     "Content-Type: application/x-amz-json-1.0"},
                    "{}")
                .content_type,
            "application/x-amz-json-1.0");
}

TEST_F(DispatchTest, OfSeveralListsOfCodingsTheFirstCounts) {
  RequestFor(
      {"POST / HTTP/1.1", "Host: localhost", "Accept-Encoding: deflate", "Accept-Encoding: gzip"});
  EXPECT_EQ(context_.answer_coding, ContentCoding::kDeflate);
  RequestFor(
      {"POST / HTTP/1.1", "Host: localhost", "Accept-Encoding: br", "Accept-Encoding: gzip"});
  EXPECT_EQ(context_.answer_coding, ContentCoding::kIdentity);
}

TEST_F(DispatchTest, WithoutCredentialsASignatureOnlyNamesWhoAsks) {
  const std::vector<std::string> lines = {
      "POST / HTTP/1.1", "Host: localhost", "X-Amz-Date: 20200101T000000Z",
      "Authorization: AWS4-HMAC-SHA256 Credential=anyone/20200101/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=00"};
  const wire::Request request = RequestFor(lines);
  EXPECT_EQ(request.caller.access_key_id, "anyone");
  EXPECT_EQ(request.caller.region, "eu-west-1");
  // One that cannot be read would not work on AWS either.
  const Page page =
      PageFor({"POST / HTTP/1.1", "Host: localhost", "Authorization: AWS4-HMAC-SHA256 x=y"});
  EXPECT_EQ(page.status, 400);
  EXPECT_EQ(page.outcome, "IncompleteSignatureException");
  // Other schemes are none of ours.
  EXPECT_EQ(
      RequestFor({"POST / HTTP/1.1", "Host: localhost", "Authorization: Bearer x"}).caller.region,
      "us-east-1");
}

TEST_F(DispatchTest, WithCredentialsEveryRequestMustProveItself) {
  auto credentials = std::make_shared<Credentials>();
  ASSERT_TRUE(
      credentials
          ->Add("test",
                {.access_key_id = "AKID", .secret_access_key = "secret", .session_token = "token"},
                policy::Policy())
          .has_value());
  options_.credentials = credentials;
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost"}).outcome,
            "MissingAuthenticationTokenException");
  EXPECT_EQ(PageFor({"GET /healthz HTTP/1.1", "Host: localhost"}).status, 200);
  // What is wrong with the request itself is told first, as the service does it.
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost"}, "no JSON").outcome, "Fault");
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: localhost"}, "{}").outcome,
            "MissingAuthenticationTokenException");

  const auto lines_signed_with = [](std::string id, std::string secret, std::string token) {
    const wire::Signer signer({.access_key_id = std::move(id),
                               .secret_access_key = std::move(secret),
                               .session_token = std::move(token)},
                              "eu-west-1", "dynamodb");
    const std::vector<wire::HttpField> fields = {{.name = "Host", .value = "localhost"}};
    std::vector<std::string> lines = {"POST / HTTP/1.1", "Host: localhost"};
    for (const auto& [name, value] :
         signer.Sign({.method = "POST", .path = "/", .query = "", .fields = fields},
                     wire::Hex(base::Sha256Of("")), kNow)) {
      lines.push_back(name + ": " + value);
    }
    return lines;
  };
  const wire::Request request = RequestFor(lines_signed_with("AKID", "secret", "token"));
  EXPECT_EQ(request.caller.access_key_id, "AKID");
  EXPECT_EQ(request.caller.region, "us-east-1") << "whatever it was signed for";
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
  Compressor gzip;
  const std::string plain = R"({"TableName":"t"})";
  const std::vector<std::string> lines = {"POST / HTTP/1.1", "Host: localhost",
                                          "Content-Type: application/x-amz-json-1.0",
                                          "Content-Encoding: gzip"};
  EXPECT_EQ(RequestFor(lines, gzip.Compress(plain)).body, plain);
  EXPECT_EQ(RequestFor(lines, gzip.Compress("{\"TableName\":") + gzip.Compress("\"t\"}")).body,
            plain);
  // AWS takes what it cannot decode for a failure of its own.
  EXPECT_EQ(PageFor(lines, plain).outcome, "InternalServerError");
  EXPECT_EQ(PageFor(lines, plain).status, 500);
  EXPECT_EQ(PageFor(lines, gzip.Compress(std::string(17 << 20, ' '))).status, 413);
  std::vector<std::string> unknown = lines;
  unknown.back() = "Content-Encoding: br";
  EXPECT_EQ(PageFor(unknown, plain).status, 415);
}

TEST_F(DispatchTest, AllowsOriginsThatAreListed) {
  const std::vector<std::string> lines = {
      "OPTIONS / HTTP/1.1", "Host: localhost", "Origin: http://a.example",
      "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x-amz-target"};
  EXPECT_EQ(PageFor(lines).status, 403);
  EXPECT_EQ(context_.cors_fields, "");
  options_.cors_origins = {"http://b.example", "http://a.example"};
  const Page page = PageFor(lines);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.fields,
            "Access-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: x-amz-target\r\n"
            "Access-Control-Max-Age: 172800\r\n");
  EXPECT_EQ(context_.cors_fields,
            "Access-Control-Allow-Origin: http://a.example\r\nVary: Origin\r\n");
  options_.cors_origins = {"*"};
  PageFor(lines);
  EXPECT_EQ(context_.cors_fields, "Access-Control-Allow-Origin: *\r\n");
}

// What AWS answers to any page: without a signature it can do nothing.
TEST_F(DispatchTest, WithCredentialsAllOriginsMayAskUnlessSomeAreListed) {
  auto credentials = std::make_shared<Credentials>();
  ASSERT_TRUE(credentials->Add("test", {.access_key_id = "A", .secret_access_key = "s"}, {}));
  options_.credentials = credentials;
  const std::vector<std::string> lines = {"POST / HTTP/1.1", "Host: anything.example",
                                          "Origin: http://a.example"};
  EXPECT_EQ(PageFor(lines).outcome, "MissingAuthenticationTokenException");
  EXPECT_EQ(context_.cors_fields,
            "Access-Control-Allow-Origin: *\r\n"
            "Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,"
            "x-amz-id-2,x-amzn-ErrorMessage,x-amz-crc32,Date\r\n");
  options_.cors_origins = {"http://b.example"};
  PageFor(lines);
  EXPECT_EQ(context_.cors_fields, "");
}

TEST_F(DispatchTest, WithoutCredentialsOnlyItsOwnNamesAreAnswered) {
  for (const char* const host :
       {"Host: localhost:8000", "Host: LOCALHOST", "Host: 127.0.0.1:8000", "Host: [::1]:8000"}) {
    RequestFor({"POST / HTTP/1.1", host});
  }
  RequestFor({"POST / HTTP/1.0"});
  for (const char* const host :
       {"Host: evil.example:8000", "Host: localhost.evil.example", "Host: stator:8000", "Host:"}) {
    for (const char* const line : {"POST / HTTP/1.1", "GET /metrics HTTP/1.1"}) {
      const Page page = PageFor({line, host});
      EXPECT_EQ(page.status, 403) << host;
      EXPECT_EQ(page.outcome, "AccessDeniedException");
      EXPECT_TRUE(page.body.contains("--allow-host")) << page.body;
    }
  }
  options_.hosts = {"stator"};
  RequestFor({"POST / HTTP/1.1", "Host: stator:8000"});
  EXPECT_EQ(PageFor({"POST / HTTP/1.1", "Host: evil.example"}).status, 403);
  options_.hosts = {"*"};
  RequestFor({"POST / HTTP/1.1", "Host: evil.example"});
}

TEST_F(DispatchTest, WithoutCredentialsOnlyPagesOfItsOwnMachineAreAnswered) {
  const auto with_origin = [](const std::string& origin) {
    return std::vector<std::string>{"POST / HTTP/1.1", "Host: localhost", "Origin: " + origin};
  };
  RequestFor(with_origin("http://localhost:3000"));
  RequestFor(with_origin("https://127.0.0.1"));
  for (const char* const origin : {"http://evil.example", "null", "http://localhost.evil.example",
                                   "https://127.0.0.1.evil.example"}) {
    EXPECT_EQ(PageFor(with_origin(origin)).status, 403) << origin;
  }
  options_.cors_origins = {"null"};
  RequestFor(with_origin("null"));
}

TEST_F(DispatchTest, MetricsCanAskForAKey) {
  options_.metrics_key = "a key";
  const Page refused = PageFor({"GET /metrics HTTP/1.1", "Host: localhost"});
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.fields, "WWW-Authenticate: Bearer\r\n");
  for (const char* const wrong :
       {"Authorization: Bearer a kez", "Authorization: a key", "Authorization: Bearer"}) {
    EXPECT_EQ(PageFor({"GET /metrics HTTP/1.1", "Host: localhost", wrong}).status, 401) << wrong;
  }
  EXPECT_EQ(
      PageFor({"GET /metrics HTTP/1.1", "Host: localhost", "Authorization: Bearer a key"}).body,
      "numbers");
  EXPECT_EQ(PageFor({"GET /healthz HTTP/1.1", "Host: localhost"}).status, 200);
}

}  // namespace
}  // namespace stator::server
