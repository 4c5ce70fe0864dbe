// One exchange by libcurl's own HTTP, whoever performs it: what it is asked for, what has come, and what
// that means in the end. For HttpExchanges, which has many under way on one thread: connections that we
// write and read ourselves cannot stand in one multi handle, because libcurl closes those on which an
// answer has arrived when it makes another (it looks for kept ones that are no longer good). For the
// folder itself.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "transport/curl_handle.h"
#include "transport/curl_transport.h"
#include "transport/http.h"
#include "transport/http_answer.h"

namespace stator::transport {

class CurlExchange {
 public:
  // Makes a handle ready to be performed. Fails as LoadCurl, CheckRequest and RouteOf do. The body of
  // `request` must outlive the exchange.
  static Result<std::unique_ptr<CurlExchange>> Make(const CurlOptions& options,
                                                    const HttpRequest& request);

  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;
  ~CurlExchange() = default;

  [[nodiscard]] CURL* handle() const { return handle_.get(); }
  // The answer, or what became of it.
  Result<HttpResponse> Finish(CURLcode code);

 private:
  // What the callbacks share.
  struct Received {
    AnswerHead head;
    std::size_t body_bytes_max = 0;
    int sendings = 0;
    bool too_large = false;
    bool is_no_http = false;
    bool has_whole_head = false;
  };

  explicit CurlExchange(std::size_t body_bytes_max)
      : handle_(MakeCurlHandle()), received_{.head = {}, .body_bytes_max = body_bytes_max} {}

  static std::size_t TakeBody(char* bytes, std::size_t size, std::size_t count, void* user);
  static std::size_t TakeHeadLine(char* bytes, std::size_t size, std::size_t count, void* user);
  static int BeforeSending(void* user, char* primary_ip, char* local_ip, int primary_port,
                           int local_port);

  void SetCallbacks();
  void SetBody(const HttpRequest& request);
  void SetLines(const HttpRequest& request);

  Explanation explanation_ = {};  // before the handle, which writes there
  const CurlHandle handle_;
  std::vector<std::string> lines_;     // of the head, as libcurl wants them
  std::vector<curl_slist> line_list_;  // of lines_
  Received received_;
};

}  // namespace stator::transport
