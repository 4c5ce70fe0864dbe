// Where a request goes: the parts of its URL, and which proxy of the environment carries it.
//
// Proxies are those that curl would ask: http_proxy for http, https_proxy or HTTPS_PROXY for https,
// else all_proxy or ALL_PROXY; no_proxy or NO_PROXY names the hosts that are asked for without one, and
// this machine always is. A proxy is asked for a tunnel by https, and by http for the answer itself,
// unless it speaks SOCKS.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "transport/http.h"

namespace stator::transport {

struct Route {
  std::string url = {};  // as the request has it
  bool use_proxy = true;
  bool is_secure = false;
  std::string origin = {};               // scheme, host and port: what a connection leads to
  std::string host = {};                 // for the field of that name
  std::string target = {};               // for the first line of the request
  std::string authorization = {};        // from the URL's user and password; empty without
  std::string proxy = {};                // its URL; empty without
  std::string proxy_authorization = {};  // when requests are sent to the proxy itself

  // Whether a connection for `other` leads there.
  [[nodiscard]] bool HasConnectionOf(const Route& other) const {
    return origin == other.origin && proxy == other.proxy;
  }
};

// The value of a variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> ProcessEnvironment(const std::string& name);

// Fails with kValidation when the URL is none, or not one of http and https; and as LoadCurl does.
Result<Route> RouteOf(const HttpRequest& request,
                      const Environment& environment = ProcessEnvironment);

}  // namespace stator::transport
