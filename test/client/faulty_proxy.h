// For tests: an HTTP proxy in front of an endpoint that spoils exchanges at moments which a seed
// chooses.
//
//   kRefuseBefore   answers with a throttling error; the request goes no further
//   kBreakBefore    answers with an internal error; the request goes no further
//   kBreakAfter     the same, after the endpoint has carried the request out
//   kLoseBefore     hangs up; the request goes no further
//   kLoseAfter      hangs up after the endpoint has carried the request out
//   kTruncate       hangs up in the middle of the answer
//   kCorrupt        changes a byte of the answer's body
//   kDelay          keeps the answer until the client no longer waits
//   kDuplicate      passes the request on twice, and the second answer back

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/scripted_server.h"
#include "stator/base/random.h"
#include "transport/curl_transport.h"

namespace stator::client {

enum class Fault : std::uint8_t {
  kRefuseBefore,
  kBreakBefore,
  kBreakAfter,
  kLoseBefore,
  kLoseAfter,
  kTruncate,
  kCorrupt,
  kDelay,
  kDuplicate,
};

class FaultyProxy {
 public:
  // One exchange in `one_in` is spoiled, by one of `faults`.
  FaultyProxy(std::string endpoint, std::uint64_t seed, std::vector<Fault> faults,
              std::uint64_t one_in);

  [[nodiscard]] std::string url() const { return server_.url(); }

  // How often each fault has happened.
  [[nodiscard]] std::map<Fault, int> happened() const;

  // How long kDelay keeps an answer.
  static constexpr std::chrono::milliseconds kDelayed{400};

 private:
  std::optional<Fault> Choose();
  Reaction React(const ReceivedRequest& request);
  Reaction PassOn(const ReceivedRequest& request);
  Reaction Spoil(Fault fault, const ReceivedRequest& request);

  const std::string endpoint_;
  const std::vector<Fault> faults_;
  const std::uint64_t one_in_;
  SeededRandom random_;
  transport::CurlTransport transport_;

  mutable std::mutex mutex_;
  std::map<Fault, int> happened_;  // protected by mutex_

  ScriptedServer server_;  // last: it calls back
};

}  // namespace stator::client
