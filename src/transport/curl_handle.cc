#include "transport/curl_handle.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace stator::transport {
namespace {

long Milliseconds(Duration duration) {
  // Zero would mean no limit.
  return std::max<long>(
      1, static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count()));
}

std::string WordsFor(CURLcode code, const Explanation& explanation) {
  return std::string("HTTP request failed: ") +
         (explanation.front() != '\0' ? explanation.data() : Curl().easy_strerror(code));
}

}  // namespace

CurlHandle MakeCurlHandle() {
  CurlHandle handle(Curl().easy_init());
  CHECK(handle != nullptr);
  return handle;
}

CurlMulti MakeCurlMulti() {
  CurlMulti multi(Curl().multi_init());
  CHECK(multi != nullptr);
  return multi;
}

void SetForRoute(CURL* handle, const HttpRequest& request, const Route& route,
                 const CurlOptions& options, Explanation& explanation) {
  explanation.front() = '\0';
  // The URLs and the CA file come from outside; what is wrong with them shows when performing.
  (void)Curl().easy_setopt(handle, CURLOPT_URL, route.url.c_str());
  (void)Curl().easy_setopt(handle, CURLOPT_PROXY, route.proxy.c_str());
  if (!options.ca_file.empty()) {
    (void)Curl().easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
  }
  Set(handle, CURLOPT_NOPROXY, "");  // The route has looked for it.
  Set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  Set(handle, CURLOPT_NOSIGNAL, 1L);
  Set(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  Set(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(handle, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(request.connect_timeout));
  Set(handle, CURLOPT_TIMEOUT_MS, Milliseconds(request.timeout));
  Set(handle, CURLOPT_ERRORBUFFER, explanation.data());
}

Error NotSent(CURLcode code, const Explanation& explanation) {
  const auto kind = [code] {
    switch (code) {
      case CURLE_URL_MALFORMAT:
      case CURLE_UNSUPPORTED_PROTOCOL:
        return ErrorCode::kValidation;
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
      case CURLE_SSL_ISSUER_ERROR:
        return ErrorCode::kAccessDenied;
      default:
        return ErrorCode::kUnavailable;
    }
  };
  return {.code = kind(), .message = WordsFor(code, explanation)};
}

Error PerhapsReceived(CURLcode code, const Explanation& explanation) {
  return {.code = code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kTimeout : ErrorCode::kIo,
          .message = WordsFor(code, explanation)};
}

}  // namespace stator::transport
