#include "stores/events/background.h"

#include "stator/patterns/environment.h"
#include "stores/events/core.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/seed_view.h"

namespace stator::events {
namespace {

constexpr Duration kBusyWait = std::chrono::milliseconds(50);

}  // namespace

void Background::Notice() {
  if (!core_->options.background) {
    core_->indexer.IndexAll();
    return;
  }
  if (news_.exchange(true)) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  if (!started_) {
    started_ = true;
    thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
  }
  wake_.notify_one();
}

void Background::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [this] { return news_.load(); });
    }
    if (stop.stop_requested()) {
      return;
    }
    news_ = false;
    core_->indexer.IndexAll();
    if (!core_->options.seed_rows) {
      continue;
    }
    // Those who append come first.
    while (!news_ && !stop.stop_requested() &&
           patterns::SleepUnlessStopped(*core_->environment.clock, kBusyWait, stop) && !news_) {
      const Result<bool> more = WriteView(*core_);
      if (!more || !*more) {
        break;
      }
    }
  }
}

}  // namespace stator::events
