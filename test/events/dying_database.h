// For tests: the database of a process that dies.

#pragma once

#include <atomic>

#include "stator/api/forwarding_database.h"

namespace stator::events {

// Dies at the n-th request: that one is done or not, and nothing is after it.
class DyingDatabase final : public ForwardingDatabase {
 public:
  DyingDatabase(Database& next, bool done) : ForwardingDatabase(next), done_(done) {}

  void DieAt(int request) { left_ = request; }

  // Every call, whatever will be added to them.
#define STATOR_OPERATION(Name, ...)                                             \
  Result<Name##Output> Name(const Name##Input& input) override {                \
    return Meet<Name##Output>([&] { return ForwardingDatabase::Name(input); }); \
  }
#include "stator/api/operations.inc"

  [[nodiscard]] bool died() const { return left_ <= 0; }

 private:
  template <class Output, class Call>
  Result<Output> Meet(const Call& call) {
    const int left = left_--;
    if (left > 1) {
      return call();
    }
    if (left == 1 && done_) {
      static_cast<void>(call());
    }
    // Not transient, so that nobody waits for the dead.
    return Fail(ErrorCode::kAccessDenied, "the process is dead");
  }

  std::atomic<int> left_ = 1'000'000;
  bool done_;
};

}  // namespace stator::events
