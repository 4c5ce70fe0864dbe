// From a complete HTTP request to what is to be done with it: a page of the server's own (health,
// metrics, CORS preflight, refusals), or a request of DynamoDB's protocol for the handler, with its
// caller known and its body decoded.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/access.h"
#include "server/content_coding.h"
#include "server/http_request.h"
#include "server/options.h"
#include "server/pages.h"
#include "server/request_inspector.h"
#include "stator/base/result.h"
#include "wire/exchange.h"

namespace stator::server {

// What a connection keeps of a request until it is answered.
struct RequestContext {
  std::string_view content_type;  // of the answer
  std::string cors_fields;        // header lines to add to the answer
  bool is_head = false;           // answer without the body
  bool keep_alive = true;
  ContentCoding answer_coding = ContentCoding::kIdentity;
  wire::Caller caller;
  // What the caller may point into.
  std::shared_ptr<const Credentials> credentials;
  std::unique_ptr<const std::string> decoded_query;
  std::string inflated_body;               // the request may point into it
  bool is_console = false;                 // the console's own page asks
  bool is_route = false;                   // an address stood for the request (routes.h)
  std::shared_ptr<const SeenBodies> seen;  // while somebody looks
};

inline constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";

// The page of an error of DynamoDB's protocol.
Page ErrorPage(const Error& error, std::string_view content_type = kAmzJson);

// The page for a request that could not be read.
Page RefusalPage(int status, std::string_view what);

// THREADS: one thread at a time; each has its own.
class Dispatcher {
 public:
  // `metrics_page` makes the text of /metrics, `is_stopping` tells whether the server is about to
  // go. `options` and `handler`, which is asked for faults of requests, must outlive the
  // dispatcher.
  Dispatcher(const ServerOptions& options, const wire::Handler& handler,
             std::function<std::string()> metrics_page, std::function<bool()> is_stopping);

  // From the next request on.
  void SetCredentials(std::shared_ptr<const Credentials> credentials) {
    access_.SetCredentials(std::move(credentials));
  }

  // `payload` is the body as sent; it must have wire::kBodyPaddingBytes readable behind it. Fills
  // `context`; a request that is returned points into the head, the payload and `context`.
  std::variant<Page, wire::Request> Dispatch(const RequestHead& head, std::string_view payload,
                                             RequestContext& context);

 private:
  [[nodiscard]] Page Preflight(const RequestHead& head) const;
  [[nodiscard]] std::optional<Page> RefuseForeigner(const RequestHead& head) const;
  [[nodiscard]] Page OwnPage(const RequestHead& head) const;
  [[nodiscard]] Page FurtherPage(const RequestHead& head, std::string_view payload);
  [[nodiscard]] Page MetricsPage(const RequestHead& head) const;
  // The request without its caller, its body decoded.
  std::variant<Page, wire::Request> Decode(const RequestHead& head, std::string_view payload,
                                           RequestContext& context) const;
  // The request that an address stands for.
  std::variant<Page, wire::Request> AdmitRoute(const RequestHead& head, std::string_view payload,
                                               RequestContext& context);
  // Finds out who asks; what is wrong with that, if something is.
  Result<void> Identify(const RequestHead& head, std::string_view payload, RequestContext& context,
                        wire::Request& request);
  std::variant<Page, wire::Request> Admit(const RequestHead& head, std::string_view payload,
                                          RequestContext& context);
  [[nodiscard]] bool AllowsOrigin(std::string_view origin) const;
  void AppendCorsFields(const RequestHead& head, std::string& fields) const;

  const ServerOptions& options_;
  const wire::Handler& handler_;
  const std::function<std::string()> metrics_page_;
  const std::function<bool()> is_stopping_;
  AccessControl access_;
};

}  // namespace stator::server
