#include "server/dispatch.h"

#include <algorithm>
#include <expected>
#include <utility>

#include "server/content_coding.h"
#include "wire/error_names.h"

namespace stator::server {
namespace {

constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";

// What AWS answers to everything that is not DynamoDB's protocol.
Page NotFoundPage() {
  return {.status = 404,
          .body = "<UnknownOperationException/>\n",
          .content_type = "application/xml",
          .outcome = "NotFound"};
}

// The type before its parameters.
std::string_view MediaType(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' ')) {
    type.remove_suffix(1);
  }
  return type;
}

std::string_view OutcomeOf(int status) {
  switch (status) {
    case 413:
      return "PayloadTooLarge";
    case 501:
    case 505:
      return "NotImplemented";
    default:
      return "BadRequest";
  }
}

}  // namespace

Page ErrorPage(const Error& error) {
  wire::Answer answer = wire::AnswerFor(error);
  return {.status = answer.status,
          .body = std::move(answer.body),
          .content_type = kAmzJson,
          .outcome = answer.error};
}

Page RefusalPage(int status, std::string_view what) {
  if (status == 413) {
    // The one refusal that a sound client of DynamoDB can run into, so it gets JSON to read.
    std::string body =
        R"({"__type":"com.amazon.coral.service#RequestEntityTooLargeException","message":")";
    return {.status = status,
            .body = body.append(what).append("\"}"),
            .content_type = kAmzJson,
            .outcome = OutcomeOf(status)};
  }
  return {.status = status, .body = std::string(what).append("\n"), .outcome = OutcomeOf(status)};
}

Dispatcher::Dispatcher(const ServerOptions& options, std::function<std::string()> metrics_page,
                       std::function<bool()> is_stopping)
    : options_(options),
      metrics_page_(std::move(metrics_page)),
      is_stopping_(std::move(is_stopping)),
      access_(options.credentials.get(), options.region, options.clock) {}

std::variant<Page, wire::Request> Dispatcher::Dispatch(const RequestHead& head,
                                                       std::string_view payload, Held& held) {
  held.keep_alive = head.keep_alive;
  held.is_head = head.method == "HEAD";
  held.accepts_gzip = ListsToken(head[KnownField::kAcceptEncoding], "gzip");
  held.content_type = kAmzJson;
  held.caller = {};
  held.cors_fields.clear();
  if (!head[KnownField::kOrigin].empty()) {
    AppendCorsFields(head, held.cors_fields);
  }
  if (head.method == "POST") {
    return Admit(head, payload, held);
  }
  if (head.method == "OPTIONS") {
    return Preflight(head);
  }
  if (head.method == "GET" || held.is_head) {
    return OwnPage(head.path);
  }
  return NotFoundPage();
}

Page Dispatcher::Preflight(const RequestHead& head) const {
  if (head[KnownField::kOrigin].empty()) {
    return NotFoundPage();
  }
  std::string fields;
  const std::string_view methods = head[KnownField::kRequestedMethod];
  const std::string_view headers = head[KnownField::kRequestedHeaders];
  if (!methods.empty()) {
    fields.append("Access-Control-Allow-Methods: ").append(methods).append("\r\n");
  }
  if (!headers.empty()) {
    fields.append("Access-Control-Allow-Headers: ").append(headers).append("\r\n");
  }
  fields.append("Access-Control-Max-Age: 172800\r\n");
  return {.fields = std::move(fields)};
}

Page Dispatcher::OwnPage(std::string_view path) const {
  if (path == "/") {
    // The blank at the end is AWS's.
    return {.body = "healthy: dynamodb." + options_.region + ".amazonaws.com "};
  }
  if (path == "/healthz") {
    return {.body = "ok\n"};
  }
  if (path == "/readyz") {
    if (is_stopping_() || (options_.is_ready && !options_.is_ready())) {
      return {.status = 503, .body = "not ready\n", .outcome = "NotReady"};
    }
    return {.body = "ready\n"};
  }
  if (path == "/metrics" && options_.serves_metrics) {
    return {.body = metrics_page_(), .content_type = "text/plain; version=0.0.4; charset=utf-8"};
  }
  return NotFoundPage();
}

std::variant<Page, wire::Request> Dispatcher::Admit(const RequestHead& head,
                                                    std::string_view payload, Held& held) {
  const std::string_view media_type = MediaType(head[KnownField::kContentType]);
  const bool is_amz_json = wire::EqualIgnoringCase(media_type, kAmzJson);
  if (!payload.empty() && !is_amz_json && !wire::EqualIgnoringCase(media_type, kJson)) {
    return NotFoundPage();
  }
  held.content_type = is_amz_json ? kAmzJson : kJson;

  Result<Admission> admission = access_.Admit(head.message(), payload);
  if (!admission) {
    return ErrorPage(admission.error());
  }
  held.caller = admission->caller;
  held.decoded_query = std::move(admission->decoded_query);

  const std::optional<ContentCoding> coding =
      ParseContentCoding(head[KnownField::kContentEncoding]);
  if (!coding) {
    return RefusalPage(415, "the content codings known here are gzip and deflate");
  }
  std::string_view body = payload;
  if (*coding != ContentCoding::kIdentity) {
    auto inflated = Inflate(*coding, payload, options_.limits.body_bytes, wire::kBodyPaddingBytes);
    if (!inflated) {
      if (inflated.error() == InflateFailure::kTooLarge) {
        return RefusalPage(413, "the body is too large when it is decoded");
      }
      return ErrorPage({.code = ErrorCode::kSerialization,
                        .message = "the body is not what its Content-Encoding says"});
    }
    held.inflated_body = *std::move(inflated);
    body = held.inflated_body;
  }
  return wire::Request{.target = head[KnownField::kAmzTarget], .body = body, .caller = held.caller};
}

void Dispatcher::AppendCorsFields(const RequestHead& head, std::string& fields) const {
  const std::vector<std::string>& allowed = options_.cors_origins;
  const std::string_view origin = head[KnownField::kOrigin];
  const bool anyone = std::ranges::find(allowed, "*") != allowed.end();
  if (!anyone && std::ranges::find(allowed, origin) == allowed.end()) {
    return;
  }
  fields.append("Access-Control-Allow-Origin: ").append(anyone ? "*" : origin).append("\r\n");
  if (!anyone) {
    fields.append("Vary: Origin\r\n");
  }
  fields.append("Access-Control-Expose-Headers: x-amzn-RequestId, x-amz-crc32\r\n");
}

}  // namespace stator::server
