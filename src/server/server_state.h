// What all threads of one server share.

#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/executor.h"
#include "server/memory_budget.h"
#include "server/metrics.h"
#include "server/options.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "wire/exchange.h"

namespace stator::server {

struct ServerState {
  ServerState(ServerOptions options_in, wire::Handler& handler_in)
      : options(std::move(options_in)),
        handler(handler_in),
        budget(options.limits.memory_bytes),
        executor(options.pool_threads) {}

  const ServerOptions options;
  wire::Handler& handler;
  MemoryBudget budget;
  // For what would hold up a worker. Stopped before the workers are.
  base::Executor executor;
  std::atomic<bool> stopping = false;

  Counter accepted;
  Counter refused;  // connections beyond the limit
  Counter evicted;  // connections dropped to make room
  Counter accept_failures;
  Counter timed_out;        // connections dropped for being slow or idle
  Counter handler_throws;   // a bug in the handler each
  Counter moved;            // requests that left their worker
  Counter hung_up;          // clients that went while their request was handled
  Counter answers_refused;  // for lack of memory for them

  // Counts memory that large requests and answers gave free, and says when enough has gathered for
  // giving it back to the system.
  bool CountFreed(std::size_t bytes) {
    constexpr std::size_t kWorthwhile = 32 * 1024 * 1024;
    if (freed_.fetch_add(bytes, std::memory_order_relaxed) + bytes < kWorthwhile) {
      return false;
    }
    return freed_.exchange(0, std::memory_order_relaxed) >= kWorthwhile;
  }

  void AddConnection() { open_connections_.fetch_add(1, std::memory_order_relaxed); }

  void RemoveConnection() {
    if (open_connections_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      // The lock orders this with a waiter that has just looked.
      const MutexLock lock(mutex_);
      none_open_.NotifyAll();
    }
  }

  [[nodiscard]] std::size_t open_connections() const {
    return open_connections_.load(std::memory_order_acquire);
  }

  void WaitUntilNoneIsOpen() {
    MutexLock lock(mutex_);
    none_open_.Wait(lock, [this] { return open_connections() == 0; });
  }

 private:
  std::atomic<std::size_t> open_connections_ = 0;
  std::atomic<std::size_t> freed_ = 0;
  Mutex mutex_;
  ConditionVariable none_open_;
};

}  // namespace stator::server
