// How much memory large requests and unsent answers of all connections may hold together.
//
// THREADS: any.

#pragma once

#include <atomic>
#include <cstddef>

namespace stator::server {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Takes `bytes` if they are left.
  bool TryTake(std::size_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes > bytes_max_) {
      Return(bytes);
      return false;
    }
    return true;
  }

  // For memory that is there already; whoever comes later has to wait.
  void Take(std::size_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }

  void Return(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const std::size_t bytes_max_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace stator::server
