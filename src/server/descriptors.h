// Open files are one purse for two: every connection takes a descriptor, and so does every table
// and log file of the store. A store that cannot open its next log ends all writes, so its share is
// set aside before the first connection is accepted.

#pragma once

#include <cstddef>

#include "stator/base/result.h"

namespace stator::server {

// Connections that may be open beyond their limit, in order to be told that there are too many.
inline constexpr std::size_t kTurnedAwayMax = 64;

struct DescriptorShares {
  std::size_t connections = 0;
  std::size_t store = 0;  // 0: as many as it likes
};

// Raises this process's limit of open files as far as is useful for so many connections and the
// system allows, and returns what it is now.
std::size_t RaiseDescriptorLimit(std::size_t connections);

// Fits `connections` and the store into `limit`: there may be fewer connections than wanted. Fails
// with kValidation, in words for the one who set the limit, when there is no sensible way.
Result<DescriptorShares> ShareDescriptors(std::size_t limit, std::size_t connections);

}  // namespace stator::server
