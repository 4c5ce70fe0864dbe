#include "stator/base/clock.h"

#include <thread>

#include "base/serving_thread.h"

namespace stator {
namespace {

class MachineClock final : public Clock {
 public:
  [[nodiscard]] TimePoint Now() const override {
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  }

  [[nodiscard]] Duration Elapsed() const override {
    return std::chrono::floor<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  }

  void SleepFor(Duration duration) override {
    base::MayWait();
    std::this_thread::sleep_for(duration);
  }
};

}  // namespace

Clock& SystemClock() {
  static MachineClock clock;
  return clock;
}

}  // namespace stator
