#include "client/kinesis_streams.h"

#include <algorithm>
#include <iterator>
#include <simdjson.h>
#include <utility>

#include "base/base64.h"
#include "base/digest.h"
#include "base/try.h"
#include "client/endpoints.h"
#include "stator/base/random.h"
#include "transport/curl_transport.h"
#include "value/json_text.h"
#include "wire/body_parser.h"
#include "wire/error_answer.h"
#include "wire/exchange.h"
#include "wire/http_message.h"
#include "wire/sha256.h"
#include "wire/sigv4.h"

namespace stator::client {
namespace {

using transport::HttpRequest;
using transport::HttpResponse;

constexpr std::string_view kService = "kinesis";
constexpr std::string_view kTarget = "Kinesis_20131202.";
constexpr std::string_view kContentType = "application/x-amz-json-1.1";
constexpr std::string_view kUserAgent = "stator/0.1";
// Other destinations wait for this one.
constexpr std::chrono::seconds kTimeout{10};
constexpr std::chrono::seconds kConnectTimeout{3};

std::string UrlOf(const ServiceAccess& access) {
  if (!access.endpoint_url.empty()) {
    return access.endpoint_url;
  }
  return "https://kinesis." + access.region + ".amazonaws.com" +
         (access.region.starts_with("cn-") ? ".cn" : "");
}

// By its ARN, and by its name for endpoints that know no ARNs.
std::string NamedStream(std::string_view arn) {
  std::string text = R"({"StreamARN":)";
  value::AppendJsonString(arn, text);
  text += R"(,"StreamName":)";
  value::AppendJsonString(arn.substr(arn.rfind('/') + 1), text);
  return text;
}

std::unexpected<Error> NotUnderstood(std::string_view operation) {
  return Fail(ErrorCode::kUnavailable,
              "the answer of Kinesis to " + std::string(operation) + " cannot be understood");
}

// Kinesis has a few names of its own.
Error ErrorOf(HttpResponse& response) {
  response.body.reserve(response.body.size() + wire::kBodyPaddingBytes);
  Error error = wire::ErrorFrom({.status = response.status,
                                 .body = response.body,
                                 .type = response.Field("x-amzn-errortype"),
                                 .operation = nullptr});
  if (error.code == ErrorCode::kTableNotFound) {
    error.code = ErrorCode::kResourceNotFound;
  }
  // Something in front of it that knows no such address has not looked at the records.
  if (error.code == ErrorCode::kValidation && response.status != 400) {
    error.code = ErrorCode::kUnavailable;
  }
  error.message = "Kinesis answered " + std::to_string(response.status) + ": " + error.message;
  return error;
}

}  // namespace

KinesisStreams::KinesisStreams(ServiceAccess access,
                               std::shared_ptr<transport::Transport> transport, Clock& clock)
    : access_(std::move(access)),
      transport_(std::move(transport)),
      clock_(clock),
      url_(UrlOf(access_)) {}

Result<bool> KinesisStreams::IsActive(const std::string& stream_arn) {
  constexpr std::string_view kOperation = "DescribeStreamSummary";
  std::string body = TRY(Call(kOperation, NamedStream(stream_arn) + "}"));
  body.reserve(body.size() + wire::kBodyPaddingBytes);
  const simdjson::dom::element answer = TRY(wire::BodyParser::OfThisThread().Parse(body));
  std::string_view status;
  if (answer["StreamDescriptionSummary"]["StreamStatus"].get(status) != simdjson::SUCCESS) {
    return NotUnderstood(kOperation);
  }
  // One that is being changed takes records.
  return status == "ACTIVE" || status == "UPDATING";
}

Result<std::vector<bool>> KinesisStreams::Put(const std::string& stream_arn,
                                              const std::vector<api::ChangeRecord>& records) {
  constexpr std::string_view kOperation = "PutRecords";
  std::string body = NamedStream(stream_arn) + R"(,"Records":[)";
  for (const api::ChangeRecord& record : records) {
    body += &record == records.data() ? R"({"Data":")" : R"(,{"Data":")";
    base::AppendBase64(record.data, body);
    body += R"(","PartitionKey":)";
    value::AppendJsonString(record.partition_key, body);
    body += '}';
  }
  body += "]}";
  std::string text = TRY(Call(kOperation, body));
  text.reserve(text.size() + wire::kBodyPaddingBytes);
  const simdjson::dom::element answer = TRY(wire::BodyParser::OfThisThread().Parse(text));
  simdjson::dom::array results;
  if (answer["Records"].get(results) != simdjson::SUCCESS || results.size() != records.size()) {
    return NotUnderstood(kOperation);
  }
  std::vector<bool> taken;
  for (const simdjson::dom::element result : results) {
    std::string_view sequence;
    taken.push_back(result["SequenceNumber"].get(sequence) == simdjson::SUCCESS);
  }
  return taken;
}

Result<std::string> KinesisStreams::Call(std::string_view operation, std::string_view body) {
  const std::shared_ptr<const Credentials> credentials = TRY(access_.credentials->Get());
  const HttpRequest request = MakeRequest(operation, body, credentials->key);
  HttpResponse response = TRY(transport_->Send(request));
  if (response.status == 200) {
    return std::move(response.body);
  }
  Error error = ErrorOf(response);
  if (error.code == ErrorCode::kExpiredToken) {
    access_.credentials->Invalidate(credentials);
  }
  return std::unexpected(std::move(error));
}

HttpRequest KinesisStreams::MakeRequest(std::string_view operation, std::string_view body,
                                        const wire::AccessKey& key) const {
  HttpRequest request{.url = url_,
                      .fields = {{"host", std::string(HostOf(url_))},
                                 {"content-type", std::string(kContentType)},
                                 {"x-amz-target", std::string(kTarget).append(operation)}},
                      .body = body,
                      .timeout = kTimeout,
                      .connect_timeout = kConnectTimeout};
  std::vector<wire::HttpField> fields;
  for (const auto& [name, value] : request.fields) {
    fields.push_back({.name = name, .value = value});
  }
  const wire::Signer signer(key, access_.region, std::string(kService));
  wire::Signer::AddedFields added =
      signer.Sign({.method = request.method, .path = PathOf(url_), .query = {}, .fields = fields},
                  wire::Hex(base::Sha256Of(body)), clock_.Now());
  std::ranges::move(added, std::back_inserter(request.fields));
  request.fields.emplace_back("user-agent", kUserAgent);
  return request;
}

Result<std::shared_ptr<api::ChangeReceiver>> OpenKinesisStreams(const std::string& endpoint_url,
                                                                const std::string& region) {
  ClientOptions options;
  options.region = region;
  Result<ServiceAccess> found =
      FindService("KINESIS", endpoint_url, options, SystemClock(), SystemRandom());
  if (!found) {
    return Invalid("nothing can be sent to Kinesis at '" + endpoint_url +
                   "': give a URL such as http://127.0.0.1:4567, or aws for Amazon's own");
  }
  ServiceAccess& access = *found;
  auto transport = std::make_shared<transport::CurlTransport>(
      transport::CurlOptions{.ca_file = access.ca_file, .idle_handles_max = 2});
  return std::make_shared<KinesisStreams>(std::move(access), std::move(transport), SystemClock());
}

}  // namespace stator::client
