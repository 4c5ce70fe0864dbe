// For tests: which seeds a run takes. A full run (STATOR_TEST_FULL) takes many; STATOR_CRASH_SEED
// takes one, the one that a failure printed.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace stator::crash {

inline std::vector<std::uint64_t> Seeds(std::size_t usual, std::size_t full) {
  if (const char* one = std::getenv("STATOR_CRASH_SEED"); one != nullptr) {
    return {std::stoull(one)};
  }
  std::vector<std::uint64_t> seeds(std::getenv("STATOR_TEST_FULL") != nullptr ? full : usual);
  std::iota(seeds.begin(), seeds.end(), 0);
  return seeds;
}

inline std::string Trace(std::uint64_t seed) {
  return "repeat with STATOR_CRASH_SEED=" + std::to_string(seed);
}

}  // namespace stator::crash
