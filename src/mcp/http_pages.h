// Small parts of HTTP: what is read off a request, and answers that are one page.

#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "stator/mcp/tool.h"

namespace stator::mcp {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

inline std::string_view View(beast::string_view text) {
  return {text.data(), text.size()};
}

// An origin of this machine, whatever the port.
inline bool IsLocalOrigin(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  if (scheme == origin.npos) {
    return false;
  }
  std::string_view host = origin.substr(scheme + 3);
  const std::size_t port = host.starts_with('[') ? host.find("]:") : host.find(':');
  if (port != host.npos) {
    host = host.substr(0, host.starts_with('[') ? port + 1 : port);
  }
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

inline Response Page(const Request& request, http::status status, std::string_view text) {
  Response response(status, request.version());
  response.keep_alive(request.keep_alive());
  if (!text.empty()) {
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = std::string(text) + "\n";
  }
  response.prepare_payload();
  return response;
}

inline Response JsonPage(const Request& request, http::status status, std::string body) {
  Response response(status, request.version());
  response.keep_alive(request.keep_alive());
  response.set(http::field::content_type, "application/json");
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

// Answers that may take their time, or are preceded by other messages.
inline bool IsStreamed(const Json& message) {
  const std::optional<std::string> method = message.TextOf("method");
  return method == "tools/call" || method == "tasks/result";
}

inline bool TakesEvents(const Request& request) {
  const std::string_view accept = View(request[http::field::accept]);
  return accept.empty() || accept.contains("text/event-stream") || accept.contains("*/*");
}

inline bool IsRequest(const Json& message) {
  return message.Find("method") != nullptr && message.Find("id") != nullptr;
}

}  // namespace stator::mcp
