// Request ids as AWS writes them: 52 characters of 0-9 and A-V, no two alike. For finding a request
// in a log, not for keeping a secret.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stator/base/random.h"

namespace stator::server {

// THREADS: one thread at a time; each has its own.
class RequestIds {
 public:
  static constexpr std::size_t kLength = 52;

  explicit RequestIds(Random& random);

  // Good until the next call.
  std::string_view Next();

 private:
  std::array<std::uint64_t, 4> state_{};
  std::array<char, kLength> text_{};
};

}  // namespace stator::server
