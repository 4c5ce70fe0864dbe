// Measures two ways of doing the same work side by side: they take turns, a slice of a tenth of a
// second each, so that whatever else the machine does meets both. What counts is the ratio.

#pragma once

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stator::bench {

// Does `operations` operations; `thread` says on whose behalf, from 0 on.
using Work = std::function<void(int thread, std::uint64_t operations)>;

// Time per operation, in nanoseconds: on the clock and of all processors together.
struct Cost {
  double wall = 0;
  double cpu = 0;
};

// A figure that was measured several times.
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

inline Spread SpreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2], values.back()};
}

// One slice: `operations` in all, from so many threads.
inline Cost Measure(const Work& work, int threads, std::uint64_t operations) {
  const std::uint64_t each =
      std::max<std::uint64_t>(1, operations / static_cast<std::uint64_t>(threads));
  std::chrono::steady_clock::time_point begun;
  std::clock_t cpu_begun = 0;
  const auto start = [&]() noexcept {
    begun = std::chrono::steady_clock::now();
    cpu_begun = std::clock();
  };
  if (threads == 1) {
    start();
    work(0, each);
  } else {
    std::barrier<decltype(start)> ready(threads, start);
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        ready.arrive_and_wait();
        work(thread, each);
      });
    }
    running.clear();
  }
  const auto done = static_cast<double>(each * static_cast<std::uint64_t>(threads));
  const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - begun;
  const double cpu = static_cast<double>(std::clock() - cpu_begun) * (1e9 / CLOCKS_PER_SEC);
  return {wall.count() / done, cpu / done};
}

class Contestant {
 public:
  explicit Contestant(Work work, int threads = 1) : work_(std::move(work)), threads_(threads) {}

  // Finds out how much fits into a slice.
  void WarmUp(std::chrono::milliseconds slice) {
    const double wanted = std::chrono::duration<double, std::nano>(slice).count();
    for (int attempt = 0; attempt < 20; ++attempt) {
      const double taken =
          Measure(work_, threads_, operations_).wall * static_cast<double>(operations_);
      if (taken > wanted / 2) {
        operations_ = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(static_cast<double>(operations_) * wanted / taken));
        return;
      }
      operations_ *= 2;
    }
  }

  void Turn() {
    const Cost cost = Measure(work_, threads_, operations_);
    wall_.push_back(cost.wall);
    cpu_.push_back(cost.cpu);
  }

  [[nodiscard]] const std::vector<double>& wall() const { return wall_; }
  [[nodiscard]] const std::vector<double>& cpu() const { return cpu_; }

 private:
  Work work_;
  int threads_;
  std::uint64_t operations_ = 64;
  std::vector<double> wall_;
  std::vector<double> cpu_;
};

struct Effort {
  int turns = 9;
  std::chrono::milliseconds slice{100};
};

// All of them, turn by turn.
inline void Compete(std::vector<Contestant*> contestants, const Effort& effort) {
  for (Contestant* contestant : contestants) {
    contestant->WarmUp(effort.slice);
  }
  for (int turn = 0; turn < effort.turns; ++turn) {
    for (Contestant* contestant : contestants) {
      contestant->Turn();
    }
  }
}

inline std::vector<double> Quotients(const std::vector<double>& above,
                                     const std::vector<double>& below) {
  std::vector<double> quotients;
  for (std::size_t at = 0; at < above.size(); ++at) {
    quotients.push_back(above[at] / below[at]);
  }
  return quotients;
}

inline void PrintContestHeader() {
  std::printf("%-36s %17s  %17s  %22s  %22s\n", "", "engine µs (CPU)", "RocksDB µs (CPU)",
              "rate: engine / RocksDB", "CPU: engine / RocksDB");
}

inline void PrintContest(const std::string& name, const Contestant& ours, const Contestant& raw) {
  const Spread rate = SpreadOf(Quotients(raw.wall(), ours.wall()));
  const Spread cpu = SpreadOf(Quotients(ours.cpu(), raw.cpu()));
  std::printf("%-36s %7.2f (%7.2f)  %7.2f (%7.2f)  %6.2f (%5.2f - %5.2f)  %6.2f (%5.2f - %5.2f)\n",
              name.c_str(), SpreadOf(ours.wall()).median / 1000, SpreadOf(ours.cpu()).median / 1000,
              SpreadOf(raw.wall()).median / 1000, SpreadOf(raw.cpu()).median / 1000, rate.median,
              rate.low, rate.high, cpu.median, cpu.low, cpu.high);
  std::fflush(stdout);
}

}  // namespace stator::bench
