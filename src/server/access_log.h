// The access log: one JSON object per line for each request, written by a thread of its own, so
// that a slow disk or a full pipe holds up nobody. When it falls too far behind, lines are dropped
// and counted. Never holds secrets, bodies or signatures.
//
//   {"time":"2026-11-15T22:44:16.120394Z","request_id":"...","remote":"127.0.0.1:40112",
//    "access_key_id":"AKID","operation":"GetItem","status":200,"request_bytes":311,
//    "answer_bytes":1204,"micros":42}
//
// with "error" behind the status when there was one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "server/metrics.h"
#include "stator/base/clock.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::server {

struct AccessLogEntry {
  TimePoint time;
  std::string_view request_id;
  std::string_view remote;
  std::string_view access_key_id;
  std::string_view operation;
  int status = 0;
  std::string_view error;
  std::size_t request_bytes = 0;
  std::size_t answer_bytes = 0;
  Duration duration{};
};

// The line, with its line end.
std::string FormatAccessLogEntry(const AccessLogEntry& entry);

// THREADS: any.
class AccessLog {
 public:
  // Writes to a file descriptor that stays open, and stays the caller's.
  explicit AccessLog(int descriptor);
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  // Writes what is left.
  ~AccessLog();

  void Append(const AccessLogEntry& entry);

  [[nodiscard]] std::uint64_t dropped() const { return dropped_.value(); }

 private:
  void Run();

  const int descriptor_;
  Counter dropped_;
  Mutex mutex_;
  ConditionVariable wake_;
  std::string pending_ STATOR_GUARDED_BY(mutex_);
  bool closing_ STATOR_GUARDED_BY(mutex_) = false;
  std::thread writer_;  // last: starts when all else is there
};

}  // namespace stator::server
