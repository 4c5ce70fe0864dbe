#include "stores/events/background.h"

#include "stator/patterns/environment.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/indexer.h"
#include "stores/events/seed_view.h"

namespace stator::events {
namespace {

// Between two looks while somebody appends. The tail grows by as much as is appended meanwhile.
constexpr Duration kInterval = std::chrono::milliseconds(20);
// The view waits for those who append more than so many events in that time.
constexpr std::uint64_t kFewEvents = 20;

}  // namespace

void Background::Notice() {
  if (!core_->options.background) {
    core_->indexer.IndexAll();
    return;
  }
  if (news_.load(std::memory_order_relaxed) || news_.exchange(true)) {
    return;
  }
  const MutexLock lock(mutex_);
  if (!started_) {
    started_ = true;
    thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
  }
  wake_.NotifyOne();
}

void Background::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      MutexLock lock(mutex_);
      wake_.Wait(lock, stop, [this] { return news_.load(); });
    }
    WriteBehind(stop);
  }
}

void Background::WriteBehind(const std::stop_token& stop) {
  const auto end = [this] {
    return core_->log.LookAtTail([](const Tail& tail) { return tail.settled().position; });
  };
  std::uint64_t seen = end();
  bool view_is_behind = core_->recorded.seed_rows;
  while (patterns::SleepUnlessStopped(*core_->environment.clock, kInterval, stop)) {
    core_->indexer.IndexAll();
    const std::uint64_t now = end();
    const std::uint64_t appended = now - seen;
    seen = now;
    view_is_behind = view_is_behind || (appended > 0 && core_->recorded.seed_rows);
    while (view_is_behind && appended <= kFewEvents && !stop.stop_requested()) {
      const Result<bool> more = WriteView(*core_);
      // What failed is tried again with the next append.
      if (!more) {
        core_->Log("the view could not be written, and will be later: " + more.error().message);
      }
      view_is_behind = more.value_or(false);
      if (end() != now) {
        break;
      }
    }
    if (appended == 0 && !view_is_behind) {
      // Whoever appends from here on wakes the thread again; who did before is looked for once more.
      news_ = false;
      if (end() == now) {
        return;
      }
      news_ = true;
    }
  }
}

}  // namespace stator::events
