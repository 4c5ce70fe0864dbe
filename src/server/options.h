// How a server is set up.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "server/credentials.h"
#include "server/metrics.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::server {

class AccessLog;
class Pages;
class RequestInspector;

// A certificate chain and its private key, as PEM text.
struct TlsIdentity {
  std::string certificate_pem;
  std::string private_key_pem;
};

// What one client, and all of them together, may take. Times are counted on the injected clock.
struct Limits {
  std::size_t connections = 4096;
  std::size_t header_bytes = 16 * 1024;  // DynamoDB's own
  std::size_t body_bytes = limits::kRequestBodyBytesMax;
  std::size_t memory_bytes = 256 * 1024 * 1024;     // of large requests and unsent answers, in all
  Duration idle_time = std::chrono::minutes(2);     // between two requests
  Duration head_time = std::chrono::seconds(10);    // from the first byte of a head to its last
  Duration request_time = std::chrono::minutes(1);  // from the end of a head to that of its body
  Duration write_time = std::chrono::minutes(1);    // until the client has taken an answer
  Duration linger_time = std::chrono::seconds(2);   // for the client's end of a closed connection
  std::chrono::milliseconds check_interval{500};    // how often the times above are looked at
};

// Fails with kValidation and names the first limit that is zero, with which nobody could be served.
Result<void> CheckLimits(const Limits& limits);

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or "localhost"
  std::uint16_t port = 8000;       // 0: the system chooses
  std::size_t threads = 0;         // 0: one per core
  std::size_t pool_threads = 0;    // for long requests; 0: four for each core but one
  Limits limits = {};
  std::optional<TlsIdentity> tls = std::nullopt;
  std::shared_ptr<const Credentials> credentials = nullptr;  // null: nobody is asked, loopback only
  std::string region = "us-east-1";                          // of the tables, as policies name them
  // Further names that a server without credentials answers to (local_names.h); "*" for any.
  std::vector<std::string> hosts = {};
  // Origins whose pages may read the answers; "*" for all. With credentials, which pages do not
  // have, none given means all, as it does on AWS.
  std::vector<std::string> cors_origins = {};
  AccessLog* access_log = nullptr;
  Pages* pages = nullptr;  // besides the server's own
  // Besides "/", paths whose requests go to the handler, whatever their method.
  std::vector<std::string> handler_paths = {};
  RequestInspector* inspector = nullptr;  // told of every request
  bool serves_metrics = true;
  std::string metrics_key = {};                                // asked for by /metrics unless empty
  std::string version = {};                                    // for /metrics
  std::function<bool()> is_ready = nullptr;                    // for /readyz, besides being up
  std::function<void(MetricsText&)> report_metrics = nullptr;  // further families for /metrics

  // Told what an operator should know, of one thing at most once a minute.
  std::function<void(std::string_view)> report_fault = nullptr;

  Clock& clock = SystemClock();
  Random& random = SystemRandom();
};

}  // namespace stator::server
