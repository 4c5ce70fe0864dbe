// Pages for those who look after the server: whether it lives, whether it can work, its numbers. They
// name no owner and no task, and need no token.

#include "mcp/http_state.h"

namespace stator::mcp {

std::optional<Response> HttpServer::State::Probe(const Request& request) {
  const std::string_view target = View(request.target());
  if (request.method() != http::verb::get) {
    return std::nullopt;
  }
  if (target == "/healthz") {
    return Page(request, http::status::ok, "ok");
  }
  if (target == "/readyz") {
    return server.Statistics().store_answers
               ? Page(request, http::status::ok, "ok")
               : Page(request, http::status::service_unavailable, "the store of tasks fails");
  }
  if (target == "/metrics" && options.metrics) {
    Response response = Page(request, http::status::ok, options.metrics());
    response.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
    return response;
  }
  return std::nullopt;
}

}  // namespace stator::mcp
