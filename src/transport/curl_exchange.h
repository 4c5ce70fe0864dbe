// Exchanges by libcurl, one after the other on one handle, whoever performs them: what each is asked
// for, what has come, and what that means in the end. For the folder itself.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "transport/curl_library.h"
#include "transport/curl_transport.h"
#include "transport/http.h"

namespace stator::transport {

// COST: a request to the URL of the last one sets only what differs.
class CurlExchange {
 public:
  // Fails as LoadCurl does. `options` must outlive the exchange.
  static Result<std::unique_ptr<CurlExchange>> Make(const CurlOptions& options);

  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;
  ~CurlExchange() = default;

  [[nodiscard]] CURL* handle() const { return handle_.get(); }
  // Makes the handle ready to be performed. `request` must stay until Finish.
  // REQUIRES: CheckRequest(request) succeeds; the exchange before is finished.
  void Begin(const HttpRequest& request);
  // The answer, or what became of it. The handle keeps its connections for the next exchange.
  Result<HttpResponse> Finish(CURLcode code);

  // What the callbacks share.
  struct Received {
    HttpResponse response;
    std::size_t body_bytes_max = 0;
    int sendings = 0;
    bool too_large = false;
    bool has_whole_head = false;
  };

 private:
  struct EasyCleanup {
    void operator()(CURL* handle) const { Curl().easy_cleanup(handle); }
  };
  using EasyHandle = std::unique_ptr<CURL, EasyCleanup>;

  // What the handle has been set for and keeps from one exchange to the next.
  struct Route {
    std::string method;
    std::string url;
    bool use_proxy = true;
    bool sends_body = false;
  };

  CurlExchange(EasyHandle handle, const CurlOptions& options)
      : options_(options), handle_(std::move(handle)) {}

  [[nodiscard]] bool IsSetFor(const HttpRequest& request) const;
  void SetRoute(const HttpRequest& request);
  void SetBody(const HttpRequest& request);
  void SetLines(const HttpRequest& request);

  const CurlOptions& options_;
  const EasyHandle handle_;
  Route route_;                        // its method is empty when there was none yet
  std::vector<std::string> lines_;     // of the head, as libcurl wants them
  std::vector<curl_slist> line_list_;  // of lines_
  std::array<char, CURL_ERROR_SIZE> explanation_ = {};
  Received received_;
};

// Fails with kValidation when it cannot be sent by anybody.
Result<void> CheckRequest(const HttpRequest& request);

}  // namespace stator::transport
