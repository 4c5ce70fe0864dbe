// One exchange on a connection that stands: writes the request, waits for the whole answer.
// For the folder itself.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "transport/curl_connection.h"
#include "transport/http.h"
#include "transport/http_answer.h"

namespace stator::transport {

// COST: the head and a body of up to kTogetherMax bytes leave with one call of the system.
class Exchange {
 public:
  // Both must stay until Run returns.
  Exchange(CurlConnection& connection, const HttpRequest& request)
      : connection_(connection),
        request_(request),
        answer_(request.method == "HEAD", request.body_bytes_max) {}

  // Waits no longer than until `deadline`. The errors are those of Transport::Send. An answer that
  // comes before the request is sent is taken for what it is, and the rest is not sent.
  Result<HttpResponse> Run(Duration deadline);

  // Whether the connection may carry another exchange.
  [[nodiscard]] bool keeps_connection() const { return keeps_connection_; }

 private:
  static constexpr std::size_t kTogetherMax = std::size_t{32} << 10;
  enum class Outcome : std::uint8_t { kMore, kAnswered, kTooLarge, kNoHttp, kCutOff, kLost };

  void WriteDown();
  void SendSome();
  Outcome ReceiveSome();
  Result<HttpResponse> End(Outcome outcome);

  CurlConnection& connection_;
  const HttpRequest& request_;
  HttpAnswer answer_;
  std::string_view together_;  // what is still to be sent of the head and the body's beginning
  std::string_view rest_;      // of the body
  bool has_sent_ = false;      // a byte at least
  bool cannot_send_ = false;
  bool has_received_ = false;
  bool keeps_connection_ = false;
};

}  // namespace stator::transport
