// What the server counts about requests. Each io thread counts into its own instance, so that
// counting never waits; /metrics adds them up.
//
// THREADS: Record belongs to one thread, everything else to any.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/metrics.h"
#include "stator/base/mutex.h"

namespace stator::server {

// One finished request. The texts must outlive the process.
struct RequestRecord {
  std::string_view operation;  // empty when the request named none
  std::string_view outcome;    // "ok" or the name of an error
  Duration duration{};
  double read_units = 0;
  double write_units = 0;
};

class RequestMetrics {
 public:
  void Record(const RequestRecord& record);

  Counter bytes_received;
  Counter bytes_sent;

  // The sum of all instances as text.
  static void Report(std::span<const RequestMetrics* const> instances, MetricsText& text);

 private:
  struct OperationCounts {
    std::string_view operation;
    Histogram durations;
    Counter read_half_units;  // units come in halves
    Counter write_half_units;
  };
  struct OutcomeCounts {
    std::string_view outcome;
    OperationCounts* operation;
    Counter requests;
  };

  OutcomeCounts& Find(std::string_view operation, std::string_view outcome);

  // By the addresses of the two texts: names live in the program, so an address means one name.
  using Addresses = std::pair<const char*, const char*>;
  struct HashAddresses {
    std::size_t operator()(const Addresses& addresses) const {
      return std::hash<const char*>()(addresses.first) * 31 +
             std::hash<const char*>()(addresses.second);
    }
  };
  std::unordered_map<Addresses, OutcomeCounts*, HashAddresses> index_;  // of the recording thread

  mutable Mutex mutex_;  // held while either grows or is walked
  std::deque<OperationCounts> operations_ STATOR_GUARDED_BY(mutex_);
  std::deque<OutcomeCounts> outcomes_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::server
