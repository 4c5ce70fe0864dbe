// What the engine does with history at a moment, for metrics.

#pragma once

#include <cstdint>

namespace stator::engine {

struct HistoryStatistics {
  std::uint64_t restores = 0;        // tables that are being restored
  std::uint64_t restored_items = 0;  // that those have so far
  std::uint64_t rewinds = 0;         // tables that are being rewound, in steps
  // Undo rows that nobody needed any more, and their bytes, since the engine was opened.
  std::uint64_t removed_rows = 0;
  std::uint64_t removed_bytes = 0;
};

}  // namespace stator::engine
