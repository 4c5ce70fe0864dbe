// One thread that hears of what other processes do to tasks, from the stream of the table, if it has
// one. What it hears is only when to look; where nothing is heard, the watcher looks regularly.

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

// Without anybody who waits for news: often enough to lose none.
constexpr Duration kIdle = std::chrono::seconds(30);
// A store that fails, or says that it is asked too often; a table that may get a stream one day.
constexpr Duration kLongestPause = std::chrono::minutes(1);

}  // namespace

void ServerCore::FollowChanges() {
  std::unique_ptr<tasks::ChangeFeed> feed;
  Duration pause = options_.push_interval;
  std::string said;
  while (!stopping_) {
    const Result<void> heard = HearChanges(feed);
    if (!heard) {
      feed = nullptr;
      if (std::exchange(said, heard.error().message) != heard.error().message) {
        Log("changes of other processes are seen later: " + said);
      }
    }
    pause = !heard ? std::min(2 * pause, kLongestPause)
            : feed ? options_.push_interval
                   : kLongestPause;
    MutexLock lock(mutex_);
    if (feed && !IsFollowed()) {
      followed_.WaitFor(lock, kIdle,
                        [&]() STATOR_REQUIRES(mutex_) { return stopping_ || IsFollowed(); });
    } else {
      followed_.WaitFor(lock, pause, [&] { return stopping_.load(); });
    }
  }
}

Result<void> ServerCore::HearChanges(std::unique_ptr<tasks::ChangeFeed>& feed) {
  if (!feed) {
    feed = TRY(store_.Follow());
    if (feed) {
      LookAtEverything();  // What happened before it was followed was not heard.
    }
    return {};
  }
  const tasks::ChangeFeed::Changes changes = TRY(feed->Poll());
  for (const tasks::RecordKey& key : std::set(changes.records.begin(), changes.records.end())) {
    TaskChanged(key.owner, key.task);
  }
  if (changes.missed) {
    LookAtEverything();
  }
  return {};
}

void ServerCore::LookAtEverything() {
  std::set<std::pair<std::string, std::string>> waited_for;
  {
    const MutexLock lock(mutex_);
    for (const std::shared_ptr<Waiter>& waiter : waiters_) {
      waited_for.emplace(waiter->owner, waiter->task);
    }
    for (const auto& [key, run] : runs_) {
      if (run->parked) {
        waited_for.insert(key);
      }
    }
  }
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    const MutexLock lock(subscription->mutex);
    for (const auto& [task, said] : subscription->tasks) {
      waited_for.emplace(subscription->request->context().owner.id, task);
    }
  }
  for (const auto& [owner, task] : waited_for) {
    TaskChanged(owner, task);
  }
}

bool ServerCore::IsFollowed() const {
  return !waiters_.empty() || !subscriptions_.empty() ||
         std::ranges::any_of(runs_, [](const auto& run) { return run.second->parked.load(); });
}

}  // namespace stator::mcp
