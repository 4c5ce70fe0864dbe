#include "transport/route.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/lower_case.h"
#include "base/try.h"
#include "transport/curl_library.h"
#include "transport/no_proxy.h"

namespace stator::transport {
namespace {

// Without the URL, which may have a password in it.
std::unexpected<Error> Unsendable(CURLcode code) {
  return Invalid(std::string("HTTP request failed: ") + Curl().easy_strerror(code));
}

struct UrlCleanup {
  void operator()(CURLU* url) const { Curl().url_cleanup(url); }
};

// A URL as libcurl reads it, so that it means what the connection that libcurl makes leads to.
class Url {
 public:
  static Result<Url> Parse(const std::string& text) {
    Url url(Curl().url());
    CHECK(url.url_ != nullptr);
    constexpr unsigned kFlags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;
    const CURLUcode code = Curl().url_set(url.url_.get(), CURLUPART_URL, text.c_str(), kFlags);
    if (code != CURLUE_OK || text.find('\0') != std::string::npos) {
      return Unsendable(CURLE_URL_MALFORMAT);
    }
    return url;
  }

  // Empty when there is none.
  [[nodiscard]] std::string Get(CURLUPart part, unsigned flags = 0) const {
    char* text = nullptr;
    if (Curl().url_get(url_.get(), part, &text, flags) != CURLUE_OK) {
      return {};
    }
    std::string copy(text);
    Curl().free(text);
    return copy;
  }

  void Remove(CURLUPart part) { (void)Curl().url_set(url_.get(), part, nullptr, 0); }

  // The value of an Authorization field; empty without a user.
  [[nodiscard]] std::string Authorization() const {
    const std::string user = Get(CURLUPART_USER, CURLU_URLDECODE);
    const std::string password = Get(CURLUPART_PASSWORD, CURLU_URLDECODE);
    return user.empty() && password.empty() ? std::string()
                                            : "Basic " + base::EncodeBase64(user + ":" + password);
  }

 private:
  explicit Url(CURLU* url) : url_(url) {}

  std::unique_ptr<CURLU, UrlCleanup> url_;
};

// The first of the variables that has a value.
std::string FirstOf(std::initializer_list<const char*> names, const Environment& environment) {
  for (const char* const name : names) {
    if (std::optional<std::string> value = environment(name); value && !value->empty()) {
      return *std::move(value);
    }
  }
  return {};
}

std::string ProxyFor(bool is_secure, std::string_view host, const Environment& environment) {
  if (IsLoopback(host) || NamesHost(FirstOf({"no_proxy", "NO_PROXY"}, environment), host)) {
    return {};
  }
  // Not HTTP_PROXY: where programs are started by a web server, a client of that can set it.
  return is_secure ? FirstOf({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}, environment)
                   : FirstOf({"http_proxy", "all_proxy", "ALL_PROXY"}, environment);
}

// What is asked of the proxy instead of what would be asked of the host. What is wrong with the proxy's
// URL shows when connecting.
void AskProxy(Url& url, Route& route) {
  const Result<Url> proxy = Url::Parse(route.proxy);
  if (!proxy || !base::LowerCase(proxy->Get(CURLUPART_SCHEME)).starts_with("http")) {
    return;
  }
  for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT}) {
    url.Remove(part);
  }
  route.target = url.Get(CURLUPART_URL, CURLU_NO_DEFAULT_PORT);
  route.proxy_authorization = proxy->Authorization();
}

}  // namespace

std::optional<std::string> ProcessEnvironment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<Route> RouteOf(const HttpRequest& request, const Environment& environment) {
  TRY_VOID(LoadCurl());
  Url url = TRY(Url::Parse(request.url));
  const std::string scheme = base::LowerCase(url.Get(CURLUPART_SCHEME));
  if (scheme != "http" && scheme != "https") {
    return Unsendable(CURLE_UNSUPPORTED_PROTOCOL);
  }
  Route route{.url = request.url,
              .use_proxy = request.use_proxy,
              .is_secure = scheme == "https",
              .host = url.Get(CURLUPART_HOST),
              .target = url.Get(CURLUPART_PATH, CURLU_URLENCODE),
              .authorization = url.Authorization()};
  if (request.use_proxy) {
    route.proxy = ProxyFor(route.is_secure, route.host, environment);
  }
  if (const std::string port = url.Get(CURLUPART_PORT, CURLU_NO_DEFAULT_PORT); !port.empty()) {
    route.host.append(":").append(port);
  }
  if (const std::string query = url.Get(CURLUPART_QUERY); !query.empty()) {
    route.target.append("?").append(query);
  }
  route.origin = scheme + "://" + base::LowerCase(route.host);
  if (!route.proxy.empty() && !route.is_secure) {
    AskProxy(url, route);
  }
  return route;
}

}  // namespace stator::transport
