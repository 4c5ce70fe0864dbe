#include "server/dispatch.h"

#include <algorithm>
#include <expected>
#include <utility>

#include "server/content_coding.h"
#include "server/local_names.h"
#include "server/routes.h"
#include "wire/error_names.h"

namespace stator::server {
namespace {

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

Page PageOf(wire::Answer answer, std::string_view content_type) {
  return {.status = answer.status,
          .body = std::move(answer.body),
          .content_type = content_type,
          .outcome = answer.error};
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

Page ErrorPage(const Error& error, std::string_view content_type) {
  return PageOf(wire::AnswerFor(error), content_type);
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

Dispatcher::Dispatcher(const ServerOptions& options, const wire::Handler& handler,
                       std::function<std::string()> metrics_page, std::function<bool()> is_stopping)
    : options_(options),
      handler_(handler),
      metrics_page_(std::move(metrics_page)),
      is_stopping_(std::move(is_stopping)),
      access_(options.credentials, options.region, options.clock) {}

std::variant<Page, wire::Request> Dispatcher::Dispatch(const RequestHead& head,
                                                       std::string_view payload,
                                                       RequestContext& context) {
  context.keep_alive = head.keep_alive;
  context.is_head = head.method == "HEAD";
  context.answer_coding = ChooseCoding(head[KnownField::kAcceptEncoding]);
  context.content_type = kAmzJson;
  context.caller = {};
  context.cors_fields.clear();
  context.is_console = !head[KnownField::kConsole].empty();
  context.is_route = false;
  if (std::optional<Page> refusal = RefuseForeigner(head)) {
    return *std::move(refusal);
  }
  if (IsRoute(head.path)) {
    return AdmitRoute(head, payload, context);
  }
  if (options_.pages != nullptr && options_.pages->Has(head.path)) {
    return FurtherPage(head, payload);
  }
  if (!head[KnownField::kOrigin].empty()) {
    AppendCorsFields(head, context.cors_fields);
  }
  if (head.method == "POST" && head.path == "/") {
    return Admit(head, payload, context);
  }
  if (head.method == "OPTIONS") {
    return Preflight(head);
  }
  if (std::ranges::find(options_.handler_paths, head.path) != options_.handler_paths.end()) {
    return Admit(head, payload, context);
  }
  if (head.method == "GET" || context.is_head) {
    return OwnPage(head);
  }
  return NotFoundPage();
}

std::optional<Page> Dispatcher::RefuseForeigner(const RequestHead& head) const {
  if (access_.demands_signatures()) {
    return std::nullopt;
  }
  const auto refuse = [](std::string message) {
    Page page = ErrorPage({.code = ErrorCode::kAccessDenied, .message = std::move(message)});
    page.status = 403;
    return page;
  };
  const std::string_view host = head[KnownField::kHost];
  // No browser leaves it out.
  const bool has_host = host.data() != nullptr;
  if (has_host && !IsAllowedName(HostOf(host), options_.hosts)) {
    return refuse(
        "This server asks for no credentials, so it answers only to the names of its own machine "
        "(localhost, 127.0.0.1, [::1]) and to those given with --allow-host");
  }
  const std::string_view origin = head[KnownField::kOrigin];
  if (!origin.empty() && !AllowsOrigin(origin) &&
      !IsAllowedName(HostOfOrigin(origin), options_.hosts)) {
    return refuse(
        "This server asks for no credentials, so it answers only to pages of its own machine and "
        "of the origins given with --cors");
  }
  return std::nullopt;
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

Page Dispatcher::FurtherPage(const RequestHead& head, std::string_view payload) {
  const wire::HttpMessage message = head.message();
  const Result<Admission> admission = access_.Admit(message, payload);
  return options_.pages->Answer(
      {.message = message,
       .accepts_gzip = ListsToken(head[KnownField::kAcceptEncoding], "gzip"),
       .admission = admission,
       .metrics_text = metrics_page_,
       .body = payload});
}

Page Dispatcher::OwnPage(const RequestHead& head) const {
  const std::string_view path = head.path;
  if (path == "/") {
    std::string host(head[KnownField::kHost]);
    // The blank at the end is AWS's.
    return {.body = "healthy: " +
                    (host.empty() ? "dynamodb." + options_.region + ".amazonaws.com" : host) + " "};
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
    return MetricsPage(head);
  }
  return NotFoundPage();
}

Page Dispatcher::MetricsPage(const RequestHead& head) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = wire::FindField(head.message(), "authorization");
  if (!options_.metrics_key.empty() &&
      (!given.starts_with(kScheme) ||
       !wire::EqualInConstantTime(given.substr(kScheme.size()), options_.metrics_key))) {
    return {.status = 401,
            .body = "the metrics of this server ask for a key\n",
            .fields = "WWW-Authenticate: Bearer\r\n",
            .outcome = "Unauthorized"};
  }
  return {.body = metrics_page_(), .content_type = "text/plain; version=0.0.4; charset=utf-8"};
}

std::variant<Page, wire::Request> Dispatcher::Admit(const RequestHead& head,
                                                    std::string_view payload,
                                                    RequestContext& context) {
  const std::string_view content_type = head[KnownField::kContentType];
  const std::string_view media_type = MediaType(content_type);
  const bool is_amz_json = wire::EqualIgnoringCase(media_type, kAmzJson);
  if (!payload.empty() && !content_type.empty() && !is_amz_json &&
      !wire::EqualIgnoringCase(media_type, kJson)) {
    return head.path == "/" ? NotFoundPage() : RefusalPage(415, "send application/json");
  }
  context.content_type = is_amz_json ? kAmzJson : kJson;
  auto decoded = Decode(head, payload, context);
  auto* const request = std::get_if<wire::Request>(&decoded);
  if (request == nullptr) {
    return decoded;
  }
  if (const Result<void> identified = Identify(head, payload, context, *request); !identified) {
    std::optional<wire::Answer> fault = handler_.FindFault(*request);
    return fault ? PageOf(*std::move(fault), context.content_type)
                 : ErrorPage(identified.error(), context.content_type);
  }
  return decoded;
}

Result<void> Dispatcher::Identify(const RequestHead& head, std::string_view payload,
                                  RequestContext& context, wire::Request& request) {
  Result<Admission> admission = access_.Admit(head.message(), payload);
  if (!admission) {
    return std::unexpected(std::move(admission).error());
  }
  context.caller = admission->caller;
  context.caller.host = head[KnownField::kHost];
  context.caller.as_of = wire::FindField(head.message(), wire::kAsOfField);
  context.credentials = std::move(admission->credentials);
  context.decoded_query = std::move(admission->decoded_query);
  request.caller = context.caller;
  return {};
}

std::variant<Page, wire::Request> Dispatcher::AdmitRoute(const RequestHead& head,
                                                         std::string_view payload,
                                                         RequestContext& context) {
  context.is_route = true;
  context.content_type = kJson;
  const auto refuse = [](const Error& error) {
    Page page = ErrorPage(error, kJson);
    page.status = StatusOfRoute(page.status, page.outcome);
    return page;
  };
  Result<Route> route = FindRoute(head.method, head.path, head.query);
  wire::Request request{.target = route ? route->target : "", .body = {}, .caller = {}};
  // Who may not ask is not told what there is.
  if (const Result<void> identified = Identify(head, payload, context, request); !identified) {
    return refuse(identified.error());
  }
  if (!route) {
    return refuse(route.error());
  }
  context.inflated_body = std::move(route->body);
  context.inflated_body.reserve(context.inflated_body.size() + wire::kBodyPaddingBytes);
  request.body = context.inflated_body;
  return request;
}

std::variant<Page, wire::Request> Dispatcher::Decode(const RequestHead& head,
                                                     std::string_view payload,
                                                     RequestContext& context) const {
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
      // The client's mistake, but this is what the service answers.
      return ErrorPage({.code = ErrorCode::kInternal, .message = ""}, context.content_type);
    }
    context.inflated_body = *std::move(inflated);
    body = context.inflated_body;
  }
  return wire::Request{.target = head[KnownField::kAmzTarget],
                       .body = body,
                       .caller = {},
                       .method = head.method,
                       .path = head.path,
                       .query = head.query};
}

bool Dispatcher::AllowsOrigin(std::string_view origin) const {
  const std::vector<std::string>& allowed = options_.cors_origins;
  return std::ranges::find(allowed, "*") != allowed.end() ||
         std::ranges::find(allowed, origin) != allowed.end();
}

void Dispatcher::AppendCorsFields(const RequestHead& head, std::string& fields) const {
  const std::vector<std::string>& allowed = options_.cors_origins;
  const std::string_view origin = head[KnownField::kOrigin];
  const bool anyone = allowed.empty() ? access_.demands_signatures()
                                      : std::ranges::find(allowed, "*") != allowed.end();
  if (!anyone && !AllowsOrigin(origin)) {
    return;
  }
  fields.append("Access-Control-Allow-Origin: ").append(anyone ? "*" : origin).append("\r\n");
  if (!anyone) {
    fields.append("Vary: Origin\r\n");
  }
  if (head.method != "OPTIONS") {
    fields.append(
        "Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,"
        "x-amz-id-2,x-amzn-ErrorMessage,x-amz-crc32,Date\r\n");
  }
}

}  // namespace stator::server
