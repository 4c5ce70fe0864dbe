#include "base/serving_thread.h"

#include <atomic>

#include "base/check.h"

namespace stator::base {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a mark of the thread, and what the
// whole process has to tell of all of them.
thread_local bool serves = false;
std::atomic<std::uint64_t> waits = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

ServingThread::ServingThread() {
  CHECK(!serves);
  serves = true;
}

ServingThread::~ServingThread() {
  serves = false;
}

void MayWait() {
  if (serves) [[unlikely]] {
    waits.fetch_add(1, std::memory_order_relaxed);
    DCHECK(!serves);
  }
}

std::uint64_t WaitsOfServingThreads() {
  return waits.load(std::memory_order_relaxed);
}

}  // namespace stator::base
