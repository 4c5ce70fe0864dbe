// Time, as everything in Stator sees it. Nothing else reads a clock or sleeps, so a test decides
// what time it is, and a run with a seed repeats exactly.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace stator {

using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;
using Duration = std::chrono::microseconds;

// THREADS: every method may be called from many threads.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  // Calendar time, for what people and other machines see: creation times, expiry. May step back.
  [[nodiscard]] virtual TimePoint Now() const = 0;

  // Time since some fixed moment, for measuring and for deadlines. Never steps back.
  [[nodiscard]] virtual Duration Elapsed() const = 0;

  virtual void SleepFor(Duration duration) = 0;
};

// The clock of the machine; lives as long as the process.
Clock& SystemClock();

// Stands still until it is moved. SleepFor moves it and returns at once.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimePoint start) : start_(start) {}

  [[nodiscard]] TimePoint Now() const override { return start_ + moved_.load(); }
  [[nodiscard]] Duration Elapsed() const override { return moved_.load(); }
  void SleepFor(Duration duration) override { Advance(duration); }

  void Advance(Duration duration) {
    Duration seen = moved_.load();
    while (!moved_.compare_exchange_weak(seen, seen + duration)) {
    }
  }

 private:
  const TimePoint start_;
  std::atomic<Duration> moved_ = Duration::zero();
};

// Whole seconds since 1970-01-01T00:00:00Z, as DynamoDB's TTL attributes hold them.
inline std::int64_t EpochSeconds(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

}  // namespace stator
