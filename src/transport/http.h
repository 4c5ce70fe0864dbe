// One HTTP exchange, as a client sees it. Who sends it is behind an interface, so that what builds
// requests and judges answers can be tested without a network.

#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::transport {

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "POST";
  std::string url;
  HeaderFields fields = {};  // host comes from the URL, unless it is here; the length from the body
  std::string_view body = {};                          // must stay until Send returns
  Duration timeout = std::chrono::seconds(30);         // for the whole exchange
  Duration connect_timeout = std::chrono::seconds(5);  // of it, until the connection stands
  std::size_t body_bytes_max = std::size_t{32} << 20;  // of the answer
  bool use_proxy = true;  // those of the environment; loopback is never asked for through one
};

struct HttpResponse {
  int status = 0;
  HeaderFields fields = {};  // names in lower case
  std::string body = {};

  // The value of the first field of that name; empty when there is none.
  [[nodiscard]] std::string_view Field(std::string_view lower_case_name) const {
    for (const auto& [name, value] : fields) {
      if (name == lower_case_name) {
        return value;
      }
    }
    return {};
  }
};

// THREADS: may be used from many threads at once.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // Sends the request once and waits for the whole answer, whatever its status.
  // ERRORS tell whether the request can have had an effect:
  //   kUnavailable, kAccessDenied   it was not sent: no connection; no trust in the certificate
  //   kIo, kTimeout                 it may have been received, its answer is lost
  //   kValidation                   it cannot be sent by anybody: no URL, a field of two lines or one
  //                                 that says how long the body is
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;
};

}  // namespace stator::transport
