// Marks of rare paths, so that nobody believes a path tested that no test takes.
//
//   PROBE("a refusal rests on a row that is queued");
//
// In debug builds the first thread that passes says so: tests ask ProbeWasReached, and the name is
// added as a line to the file that the variable STATOR_PROBES names, if it names one. `./dev test
// --full` collects these lines of all its programs (tools/check_probes.py) and fails for a probe of
// src/ that none of them has reached. In release builds there is nothing.
//
// A name says what happens there and stands once in the tree.
//
// THREADS: any, at once. A probe that was reached before costs one load.

#pragma once

#include <atomic>
#include <string_view>

namespace stator::base {

class Probe {
 public:
  // `name` must be a literal.
  explicit constexpr Probe(std::string_view name) : name_(name) {}

  void Reach() {
    if (!reached_.load(std::memory_order_relaxed)) [[unlikely]] {
      Report();
    }
  }

 private:
  void Report();

  std::string_view name_;
  std::atomic<bool> reached_ = false;
};

// Whether this process has passed the probe of that name.
[[nodiscard]] bool ProbeWasReached(std::string_view name);

}  // namespace stator::base

// NOLINTBEGIN(cppcoreguidelines-macro-usage): each use needs a variable of its own.
#ifdef NDEBUG
#define PROBE(name) static_cast<void>(0)
#else
#define PROBE(name)                                     \
  do {                                                  \
    static constinit ::stator::base::Probe probe(name); \
    probe.Reach();                                      \
  } while (false)
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)
