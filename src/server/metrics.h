// Counters, histograms and the text in which Prometheus reads them (exposition format 0.0.4).
//
// THREADS: counting and reading may happen on many threads at once; a reader sees each number as of
// some moment, not all of one moment.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "stator/base/clock.h"

namespace stator::server {

class Counter {
 public:
  void Add(std::uint64_t count = 1) { value_.fetch_add(count, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

// Durations in buckets from 50 microseconds to 10 seconds.
class Histogram {
 public:
  static constexpr std::array<std::uint64_t, 17> kBoundsMicros = {
      50,     100,     250,     500,     1000,      2500,      5000,      10'000,    25'000,
      50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

  // What was counted, not yet cumulated; the last bucket is everything above the bounds.
  struct Snapshot {
    std::array<std::uint64_t, kBoundsMicros.size() + 1> buckets{};
    std::uint64_t sum_micros = 0;

    Snapshot& operator+=(const Snapshot& other);
  };

  void Observe(Duration duration);
  [[nodiscard]] Snapshot Read() const;

 private:
  std::array<Counter, kBoundsMicros.size() + 1> buckets_;
  Counter sum_micros_;
};

class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Begins a family of samples: `type` is counter, gauge or histogram. All samples of a family must
  // follow before the next begins.
  void Begin(std::string_view name, std::string_view type, std::string_view help);

  // A sample of the family that was begun.
  void Add(double value, Labels labels = {});
  void Add(std::uint64_t value, Labels labels = {});
  void Add(const Histogram::Snapshot& snapshot, Labels labels = {});

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void AppendSample(std::string_view suffix, Labels labels, std::string_view bucket_bound,
                    std::string_view value);

  std::string family_;
  std::string text_;
};

}  // namespace stator::server
