// What exports and imports have done since the engine was opened, for metrics.

#pragma once

#include <atomic>
#include <cstdint>

namespace stator::engine {

// THREADS: any may count and look.
struct TransferFigures {
  std::atomic<std::uint64_t> exports_begun = 0;
  std::atomic<std::uint64_t> exports_completed = 0;
  std::atomic<std::uint64_t> exports_failed = 0;
  std::atomic<std::uint64_t> exported_items = 0;
  std::atomic<std::uint64_t> imports_begun = 0;
  std::atomic<std::uint64_t> imports_completed = 0;
  std::atomic<std::uint64_t> imports_failed = 0;
  std::atomic<std::uint64_t> imported_items = 0;
  std::atomic<std::uint64_t> import_errors = 0;
};

}  // namespace stator::engine
