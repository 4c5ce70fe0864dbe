#include "client_calls.h"

#include <chrono>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "client/body_coding.h"
#include "client/client.h"
#include "transport/http_answer.h"
#include "transport/request_head.h"

namespace stator::bench {
namespace {

constexpr char kUrl[] = "http://127.0.0.1:8000";

// Does what the transport does around the calls of the system.
class AnsweredTransport final : public transport::Transport {
 public:
  explicit AnsweredTransport(const std::string& json)
      : answer_(
            "HTTP/1.1 200 OK\r\nServer: Stator\r\nDate: Wed, 18 Nov 2026 20:00:00 GMT\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            "x-amzn-RequestId: 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF\r\n"
            "x-amz-crc32: " +
            std::to_string(client::Crc32(json)) +
            "\r\nContent-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json) {}

  Result<transport::HttpResponse> Send(const transport::HttpRequest& request) override {
    TRY_VOID(transport::CheckRequest(request));
    sent_.clear();
    transport::AppendHead(request, route_, sent_);
    sent_.append(request.body);
    transport::HttpAnswer answer(false, request.body_bytes_max);
    CHECK(answer.Take(answer_) == transport::HttpAnswer::State::kComplete);
    return std::move(answer.response());
  }

 private:
  const transport::Route route_ = {.url = kUrl, .host = "127.0.0.1:8000", .target = "/"};
  const std::string answer_;
  std::string sent_;
};

}  // namespace

std::unique_ptr<Database> MakeAnsweredClient(const std::string& json) {
  static ManualClock clock{TimePoint(std::chrono::seconds(1'794'744'000))};
  static SeededRandom random(1);
  return std::make_unique<client::Client>(client::RequestSender::Parts{
      .endpoints = {.dynamodb_url = kUrl, .streams_url = kUrl, .region = "us-east-1"},
      .options = {},
      .transport = std::make_shared<AnsweredTransport>(json),
      .credentials = std::make_unique<client::StaticCredentials>(client::Credentials{
          .key = {.access_key_id = "AKIDEXAMPLE", .secret_access_key = "secret"}}),
      .clock = &clock,
      .random = &random});
}

}  // namespace stator::bench
