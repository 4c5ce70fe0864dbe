// The two collections of rows in a store. Each has its own order of keys and its own tables; a batch
// over both is one record of the log, and becomes visible at once.

#pragma once

#include <cstdint>

namespace stator::storage {

enum class Family : std::uint8_t {
  kMain,     // everything that is
  kHistory,  // what was; there from format version kHistorySince on
};

// RocksDB's number of the history: it is the first family that is added, ever. On disk.
inline constexpr std::uint8_t kHistoryNumber = 1;

// The first format version of a directory that has the history.
inline constexpr std::uint32_t kHistorySince = 2;

}  // namespace stator::storage
