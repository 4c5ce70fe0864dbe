// HTTP and HTTPS for callers that wait. libcurl makes the connections, which are kept and used again;
// certificates are checked; the proxies of the environment (https_proxy, no_proxy, ...) are honoured.
// What is said on them is our own (exchange.h, http_answer.h).
//
// THREADS: may be used from many threads; each exchange in flight has a connection of its own.
// COST: an exchange on a kept connection looks whether it is still good, sends, waits and receives, with
// one call of the system for each.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "stator/base/clock.h"
#include "transport/http.h"

namespace stator::transport {

class ConnectionPool;

struct CurlOptions {
  std::string ca_file = {};            // PEM; empty: the certificates that the system trusts
  std::size_t idle_handles_max = 128;  // connections kept open while nobody uses them
  // A connection that nobody used for longer is not used again: what keeps count of connections on the
  // way, such as a load balancer, may have forgotten it. As libcurl has it, below the 120 s of many.
  Duration idle_max = std::chrono::seconds(118);
};

class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(CurlOptions options = {});
  ~CurlTransport() override;

  // Never repeats a request on its own: only the caller knows whether that is safe. A kept connection
  // that was closed meanwhile is noticed before anything is sent, unless it is closed that very moment.
  Result<HttpResponse> Send(const HttpRequest& request) override;

 private:
  const CurlOptions options_;
  const std::unique_ptr<ConnectionPool> pool_;
};

}  // namespace stator::transport
