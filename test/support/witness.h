// For tests in which nothing may be lost or doubled: who counts what was really written, what its
// caller was told, and clocks that nobody should trust.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "stator/api/forwarding_database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"

namespace stator::support {

// Counts applied changes by the number that each leaves in the item, as its attribute "change".
class Witness final : public ForwardingDatabase {
 public:
  Witness(Database& next, std::size_t changes) : ForwardingDatabase(next), applied(changes) {}

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    auto output = ForwardingDatabase::PutItem(input);
    if (output) {
      Count(input.item);
    }
    return output;
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    auto output = ForwardingDatabase::UpdateItem(input);
    if (output) {
      Count(*output->attributes);
    }
    return output;
  }

  std::vector<std::atomic<std::uint8_t>> applied;

 private:
  void Count(const Item& item) {
    ++applied[static_cast<std::size_t>(*item.at("change").If<Number>()->ToInt64())];
  }
};

enum class Told : std::uint8_t { kDone, kNotDone, kMaybe };

enum class ClockKind : std::uint8_t { kFrozen, kSkewed, kStepping };

// One per thread; none of them moves by sleeping.
class StrangeClock final : public Clock {
 public:
  StrangeClock(ClockKind kind, int thread, TimePoint start, Random& random)
      : kind_(kind),
        start_(start + std::chrono::hours(kind == ClockKind::kSkewed ? thread : 0)),
        random_(&random) {}

  [[nodiscard]] TimePoint Now() const override {
    const Duration step = kind_ == ClockKind::kStepping
                              ? Duration(random_->Below(10'000'000)) - Duration(5'000'000)
                              : Duration::zero();
    return start_ + step;
  }
  [[nodiscard]] Duration Elapsed() const override { return Duration::zero(); }
  void SleepFor(Duration /*duration*/) override { std::this_thread::yield(); }

 private:
  ClockKind kind_;
  TimePoint start_;
  Random* random_;
};

}  // namespace stator::support
