// One thread that hears of what other processes do to tasks, from the stream of the table, if it has
// one. What it hears is only when to look; where nothing is heard, the watcher looks regularly.

#include <algorithm>
#include <set>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

// Without anybody who waits for news: often enough to lose none.
constexpr Duration kIdle = std::chrono::seconds(30);
// A store that fails, or says that it is asked too often.
constexpr Duration kLongestPause = std::chrono::minutes(1);

}  // namespace

void ServerCore::FollowChanges() {
  std::unique_ptr<tasks::ChangeFeed> feed;
  Duration pause = options_.push_interval;
  std::string said;
  while (!stopping_) {
    const Result<bool> heard = HearChanges(feed);
    if (heard && !feed) {
      return;  // There is nothing to follow.
    }
    if (!heard) {
      feed = nullptr;
      if (std::exchange(said, heard.error().message) != heard.error().message) {
        Log("changes of other processes are seen later: " + said);
      }
    }
    pause = heard ? options_.push_interval : std::min(2 * pause, kLongestPause);
    std::unique_lock lock(mutex_);
    if (heard && !IsFollowedLocked()) {
      followed_.wait_for(lock, kIdle, [&] { return stopping_ || IsFollowedLocked(); });
    } else {
      followed_.wait_for(lock, pause, [&] { return stopping_.load(); });
    }
  }
}

Result<bool> ServerCore::HearChanges(std::unique_ptr<tasks::ChangeFeed>& feed) {
  if (!feed) {
    Result<std::unique_ptr<tasks::ChangeFeed>> opened = store_.Follow();
    if (!opened) {
      return std::unexpected(opened.error());
    }
    feed = *std::move(opened);
    if (feed) {
      LookAtEverything();  // What happened before it was followed was not heard.
    }
    return feed != nullptr;
  }
  Result<tasks::ChangeFeed::Changes> changes = feed->Poll();
  if (!changes) {
    return std::unexpected(changes.error());
  }
  for (const tasks::RecordKey& key : std::set(changes->records.begin(), changes->records.end())) {
    TaskChanged(key.owner, key.task);
  }
  if (changes->missed) {
    LookAtEverything();
  }
  return true;
}

void ServerCore::LookAtEverything() {
  std::set<std::pair<std::string, std::string>> waited_for;
  {
    const std::scoped_lock lock(mutex_);
    for (const std::shared_ptr<Waiter>& waiter : waiters_) {
      waited_for.emplace(waiter->owner, waiter->task);
    }
    for (const auto& [key, run] : runs_) {
      if (run->parked) {
        waited_for.insert(key);
      }
    }
  }
  for (const auto& [owner, task] : waited_for) {
    TaskChanged(owner, task);
  }
}

bool ServerCore::IsFollowedLocked() const {
  return !waiters_.empty() || !subscriptions_.empty() ||
         std::ranges::any_of(runs_, [](const auto& run) { return run.second->parked.load(); });
}

}  // namespace stator::mcp
