// One exchange by libcurl, whoever performs it: what it is asked for, what has come, and what that
// means in the end. For the folder itself.

#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "stator/base/result.h"
#include "transport/curl_library.h"
#include "transport/curl_transport.h"
#include "transport/http.h"

namespace stator::transport {

struct EasyCleanup {
  void operator()(CURL* handle) const { Curl().easy_cleanup(handle); }
};
using EasyHandle = std::unique_ptr<CURL, EasyCleanup>;

// Fails as LoadCurl does.
Result<EasyHandle> MakeEasyHandle();

class CurlExchange {
 public:
  // `request` must stay until Finish. REQUIRES: CheckRequest(request) succeeds.
  CurlExchange(EasyHandle handle, const HttpRequest& request, const CurlOptions& options);
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;
  ~CurlExchange() = default;

  [[nodiscard]] CURL* handle() const { return handle_.get(); }
  // The answer, or what became of it.
  Result<HttpResponse> Finish(CURLcode code);
  // For the next exchange, with its connections. REQUIRES: after Finish.
  EasyHandle TakeHandle();

  // What the callbacks share.
  struct Received {
    HttpResponse response;
    std::size_t body_bytes_max = 0;
    int sendings = 0;
    bool too_large = false;
    bool has_whole_head = false;
  };

 private:
  struct ListCleanup {
    void operator()(curl_slist* list) const { Curl().slist_free_all(list); }
  };

  EasyHandle handle_;
  const std::unique_ptr<curl_slist, ListCleanup> fields_;
  std::array<char, CURL_ERROR_SIZE> explanation_ = {};
  Received received_;
};

// Fails with kValidation when it cannot be sent by anybody.
Result<void> CheckRequest(const HttpRequest& request);

}  // namespace stator::transport
