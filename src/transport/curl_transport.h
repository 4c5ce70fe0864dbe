// HTTP and HTTPS by libcurl. Connections are kept and used again; certificates are checked; the
// proxies of the environment (https_proxy, no_proxy, ...) are honoured.
//
// THREADS: may be used from many threads; each exchange in flight has a connection of its own.
// COST: an exchange on a kept connection sends once and receives once, with the polls that libcurl makes
// around that. Nothing is allocated that grows with the number of exchanges.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "transport/http.h"

namespace stator::transport {

struct CurlOptions {
  std::string ca_file = {};            // PEM; empty: the certificates that the system trusts
  std::size_t idle_handles_max = 128;  // connections kept open while nobody uses them, about
};

class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(CurlOptions options = {});
  ~CurlTransport() override;

  // Never repeats a request on its own, which libcurl would do when a kept connection turns out to
  // be closed: only the caller knows whether that is safe.
  Result<HttpResponse> Send(const HttpRequest& request) override;

 private:
  class Pool;

  const CurlOptions options_;
  const std::unique_ptr<Pool> pool_;
};

}  // namespace stator::transport
