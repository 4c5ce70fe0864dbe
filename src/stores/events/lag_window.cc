#include "stores/events/lag_window.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stator::events {
namespace {

constexpr double kWeightOfNew = 0.2;
constexpr double kLeftAfterASecond = 0.98;

}  // namespace

void LagWindow::Observe(Duration lag, Duration now) {
  const auto microseconds =
      static_cast<double>(std::clamp<Duration::rep>(lag.count(), 0, most_.count()));
  average_ += kWeightOfNew * (microseconds - average_);
  greatest_ = std::max(Greatest(now), microseconds);
  observed_at_ = now;
}

double LagWindow::Greatest(Duration now) const {
  const double seconds = std::chrono::duration<double>(now - observed_at_).count();
  return greatest_ * std::pow(kLeftAfterASecond, std::max(seconds, 0.0));
}

Duration LagWindow::Current(Duration now) const {
  const double larger = std::max(average_, Greatest(now));
  return std::min(most_, Duration(static_cast<Duration::rep>(larger)));
}

}  // namespace stator::events
