#include "blobs/s3_sender.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "blobs/s3_xml.h"
#include "wire/http_date.h"
#include "wire/http_message.h"
#include "wire/sigv4.h"
#include "wire/uri_text.h"

namespace stator::blobs {
namespace {

using transport::Failure;
using transport::HttpRequest;
using transport::HttpResponse;

constexpr std::string_view kUserAgent = "stator/0.1";
constexpr std::string_view kService = "s3";

std::string EndpointOf(const S3BlobOptions& options) {
  if (!options.endpoint.empty()) {
    return options.endpoint;
  }
  return "https://s3." + options.region + ".amazonaws.com" +
         (options.region.starts_with("cn-") ? ".cn" : "");
}

std::string EncodeQuery(const std::vector<std::pair<std::string, std::string>>& query) {
  std::string text;
  for (const auto& [name, value] : query) {
    text += text.empty() ? "" : "&";
    wire::AppendPercentEncoded(name, "", text);
    text += '=';
    wire::AppendPercentEncoded(value, "", text);
  }
  return text;
}

// What S3 calls a refusal, and what it is here.
struct Refusal {
  std::string_view name;
  ErrorCode code;
  bool is_passing;
};
constexpr Refusal kRefusals[] = {
    {"AccessDenied", ErrorCode::kAccessDenied, false},
    {"InvalidAccessKeyId", ErrorCode::kUnrecognizedClient, false},
    {"SignatureDoesNotMatch", ErrorCode::kInvalidSignature, false},
    // The next attempt asks for credentials again.
    {"ExpiredToken", ErrorCode::kExpiredToken, true},
    {"NoSuchBucket", ErrorCode::kValidation, false},
    {"SlowDown", ErrorCode::kThrottled, true},
    {"RequestTimeout", ErrorCode::kTimeout, true},
    {"InternalError", ErrorCode::kInternal, true},
    {"ServiceUnavailable", ErrorCode::kUnavailable, true},
    // Two writers of one key at the same moment.
    {"ConditionalRequestConflict", ErrorCode::kTransactionConflict, true},
    {"OperationAborted", ErrorCode::kTransactionConflict, true},
    {"NoSuchUpload", ErrorCode::kResourceNotFound, false},
};

Refusal RefusalOf(int status, std::string_view name) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.name == name) {
      return refusal;
    }
  }
  if (status == 429 || status == 503) {
    return {name, ErrorCode::kThrottled, true};
  }
  if (status == 403) {
    return {name, ErrorCode::kAccessDenied, false};
  }
  return {name, status >= 500 ? ErrorCode::kUnavailable : ErrorCode::kValidation, status >= 500};
}

bool IsAnswer(const S3Request& request, const HttpResponse& response) {
  if (response.status >= 200 && response.status < 300) {
    // S3 may begin to answer a POST with 200 and then find out that it cannot do it.
    return request.method != "POST" || FindElements(response.body, "Error").empty();
  }
  return response.status == 412 || response.status == 416 || response.status == 501 ||
         (response.status == 404 && FindText(response.body, "Code") != "NoSuchBucket");
}

}  // namespace

S3Sender::S3Sender(S3BlobOptions options, std::shared_ptr<transport::Transport> transport)
    : options_(std::move(options)), transport_(std::move(transport)) {
  const std::string endpoint = EndpointOf(options_);
  const std::size_t host = endpoint.find("://") + 3;
  scheme_ = endpoint.substr(0, host);
  host_ = endpoint.substr(host);
  host_.erase(std::min(host_.find('/'), host_.size()));
  if (options_.path_style.value_or(!options_.endpoint.empty())) {
    path_ = "/" + options_.bucket + "/";
  } else {
    host_ = options_.bucket + "." + host_;
    path_ = "/";
  }
}

Result<HttpResponse> S3Sender::Send(const S3Request& request) {
  std::optional<int> tokens;
  for (int attempt = 0;; ++attempt) {
    Attempted response = Attempt(request);
    if (response) {
      quota_.Refund(tokens);
      return *std::move(response);
    }
    const FailedAttempt& failed = response.error();
    if (!failed.is_passing || attempt + 1 >= options_.attempts_max) {
      return std::unexpected(failed.error);
    }
    tokens = quota_.Take(failed.kind);
    if (!tokens) {
      return std::unexpected(failed.error);
    }
    options_.clock->SleepFor(
        transport::BackoffBefore(attempt, failed.kind, std::nullopt, {}, *options_.random));
  }
}

S3Sender::Attempted S3Sender::Attempt(const S3Request& request) {
  const Result<HttpRequest> http = MakeRequest(request);
  if (!http) {
    return std::unexpected(FailedAttempt{.error = http.error()});
  }
  Result<HttpResponse> response = transport_->Send(*http);
  if (!response) {
    const ErrorCode code = response.error().code;
    return std::unexpected(FailedAttempt{.error = std::move(response).error(),
                                         .is_passing = code == ErrorCode::kIo ||
                                                       code == ErrorCode::kTimeout ||
                                                       code == ErrorCode::kUnavailable});
  }
  if (IsAnswer(request, *response)) {
    return *std::move(response);
  }
  return std::unexpected(ClassifyError(*response));
}

Result<HttpRequest> S3Sender::MakeRequest(const S3Request& request) {
  const S3Credentials credentials = TRY(options_.credentials());
  std::string path = path_;
  if (request.key.empty()) {
    path.erase(path.size() > 1 ? path.size() - 1 : 1);
  }
  const std::string key = request.key.empty()       ? std::string()
                          : options_.prefix.empty() ? request.key
                                                    : options_.prefix + "/" + request.key;
  wire::AppendPercentEncoded(key, "/", path);
  const std::string query = EncodeQuery(request.query);
  const std::string hash =
      request.payload_hash.empty() ? HexDigest(request.body) : request.payload_hash;
  HttpRequest http{.method = request.method,
                   .url = scheme_ + host_ + path + (query.empty() ? "" : "?" + query),
                   .fields = {{"host", host_}, {"x-amz-content-sha256", hash}},
                   .body = request.body,
                   .timeout = options_.attempt_timeout,
                   .connect_timeout = options_.connect_timeout,
                   .body_bytes_max = options_.blob_bytes_max};
  std::copy(request.fields.begin(), request.fields.end(), std::back_inserter(http.fields));
  std::vector<wire::HttpField> fields;
  for (const auto& [name, value] : http.fields) {
    fields.push_back({.name = name, .value = value});
  }
  const wire::Signer signer(
      {credentials.access_key_id, credentials.secret_access_key, credentials.session_token},
      options_.region, std::string(kService), wire::PathRule::kVerbatim);
  wire::Signer::AddedFields added =
      signer.Sign({.method = http.method, .path = path, .query = query, .fields = fields}, hash,
                  options_.clock->Now() + clock_skew_.load());
  std::move(added.begin(), added.end(), std::back_inserter(http.fields));
  http.fields.emplace_back("user-agent", kUserAgent);
  return http;
}

S3Sender::FailedAttempt S3Sender::ClassifyError(const HttpResponse& response) {
  const std::string name = FindText(response.body, "Code");
  const Refusal refusal = RefusalOf(response.status, name);
  FailedAttempt failed{
      .error = {.code = refusal.code,
                .message = "S3 answered " + std::to_string(response.status) + " " + name + ": " +
                           FindText(response.body, "Message")},
      .is_passing = refusal.is_passing,
      .kind = refusal.code == ErrorCode::kThrottled ? Failure::kThrottled : Failure::kTransient};
  if (name == "RequestTimeTooSkewed") {
    failed.error.code = ErrorCode::kInvalidSignature;
    failed.is_passing = CorrectClockSkew(response);
  } else if (response.status >= 300 && response.status < 400) {
    const std::string_view region = response.Field("x-amz-bucket-region");
    failed.error.message = "bucket " + options_.bucket + " is in another region" +
                           (region.empty() ? "" : ", " + std::string(region));
  }
  return failed;
}

bool S3Sender::CorrectClockSkew(const HttpResponse& response) {
  constexpr Duration kSkewMin = std::chrono::minutes(4);
  const std::optional<TimePoint> theirs = wire::ParseHttpDate(response.Field("date"));
  if (!theirs) {
    return false;
  }
  const Duration difference = *theirs - (options_.clock->Now() + clock_skew_.load());
  if (difference > -kSkewMin && difference < kSkewMin) {
    return false;
  }
  clock_skew_ = *theirs - options_.clock->Now();
  return true;
}

}  // namespace stator::blobs
