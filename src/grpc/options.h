// How a server of gRPC is set up.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "stator/base/clock.h"

namespace stator::grpc {

// What one client, and all of them together, may take. Times are counted on the injected clock.
struct Limits {
  std::size_t connections = 256;
  std::uint32_t streams = 100;  // calls of a connection at a time; HTTP/2 advises at least 100
  std::size_t header_list_bytes = 16 * 1024;
  std::size_t message_bytes = 4 << 20;     // of a request; gRPC's own limit everywhere
  std::size_t requests_bytes = 256 << 20;  // of all requests that are not answered yet
  std::size_t unsent_bytes = 256 << 20;  // of all answers; beyond it the slowest reader is cut off
  std::size_t resets_at_once = 500;      // of a connection's calls, before it is closed
  std::size_t resets_per_second = 50;    // that it may have for ever
  Duration first_request_time = std::chrono::seconds(30);  // from accepting to the first request
  Duration idle_time = std::chrono::minutes(5);            // without a call
  Duration request_time = std::chrono::seconds(30);        // until a request is whole
  Duration write_time = std::chrono::minutes(1);           // until the client has taken 64 KiB
  Duration linger_time = std::chrono::seconds(2);  // for the client's end of a closed connection
  std::chrono::milliseconds check_interval{500};   // how often the times above are looked at
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address of this machine's own, or "localhost"
  std::uint16_t port = 0;          // 0: the system chooses
  Limits limits = {};
  Clock& clock = SystemClock();
};

}  // namespace stator::grpc
