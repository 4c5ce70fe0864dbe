// What is the same for everything that libcurl does here: how handles are set for a route, and what it
// means when no connection comes about. For the folder itself.

#pragma once

#include <array>
#include <memory>

#include "base/check.h"
#include "stator/base/result.h"
#include "transport/curl_library.h"
#include "transport/curl_transport.h"
#include "transport/http.h"
#include "transport/route.h"

namespace stator::transport {

struct CurlCleanup {
  void operator()(CURL* handle) const { Curl().easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CurlCleanup>;
struct CurlMultiCleanup {
  void operator()(CURLM* multi) const { Curl().multi_cleanup(multi); }
};
using CurlMulti = std::unique_ptr<CURLM, CurlMultiCleanup>;

// libcurl's words about a failure; empty when it has none.
using Explanation = std::array<char, CURL_ERROR_SIZE>;

// REQUIRE: LoadCurl has succeeded.
CurlHandle MakeCurlHandle();
CurlMulti MakeCurlMulti();

template <class Value>
void Set(CURL* handle, CURLoption option, Value value) {
  CHECK(Curl().easy_setopt(handle, option, value) == CURLE_OK);
}

// Where to, by which proxy, whom to trust, and how long it may take. `explanation` must outlive the
// handle.
void SetForRoute(CURL* handle, const HttpRequest& request, const Route& route,
                 const CurlOptions& options, Explanation& explanation);

// A failure with nothing sent: kUnavailable, kAccessDenied or kValidation.
Error NotSent(CURLcode code, const Explanation& explanation);
// kIo, or kTimeout: it may have been received.
Error PerhapsReceived(CURLcode code, const Explanation& explanation);

}  // namespace stator::transport
