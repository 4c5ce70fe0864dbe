// Randomness, injected like time: ids and jitter in production come from the operating system, in
// tests from a seed that the failure message prints.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "stator/base/mutex.h"

namespace stator {

// THREADS: every method may be called from many threads.
class Random {
 public:
  Random() = default;
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;
  virtual ~Random() = default;

  virtual void Fill(std::span<std::byte> bytes) = 0;

  // Uniform over all 64-bit values.
  std::uint64_t Next();

  // Uniform over [0, bound). REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);

  // A version 4 UUID in its usual text form, 36 characters of 0-9a-f and dashes.
  std::string Uuid();
};

// Unpredictable bytes of the operating system; lives as long as the process.
Random& SystemRandom();

// The same bytes for the same seed.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed);
  ~SeededRandom() override;

  void Fill(std::span<std::byte> bytes) override;

 private:
  struct Engine;  // <random> is as much to compile as the rest of the library's headers

  Mutex mutex_;
  std::unique_ptr<Engine> engine_ STATOR_PT_GUARDED_BY(mutex_);
};

}  // namespace stator
