#include "engine/history.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/background.h"
#include "engine/engine_core.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::uint64_t kSecond = 1'000'000;
constexpr std::uint64_t kMinute = 60 * kSecond;
constexpr std::uint64_t kDay = 24 * 60 * kMinute;
constexpr std::chrono::milliseconds kPoll{1};

// '2026-10-06T23:16:32Z'
std::string QuotedSecond(std::uint64_t time) {
  return "'" + CommitTimeText(time).substr(0, 19) + "Z'";
}

}  // namespace

std::string CommitTimeText(std::uint64_t time) {
  const TimePoint point = TimeOfCommit(time);
  const auto days = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(point - days);
  char text[40];
  const int size = std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02lld:%02lld:%02lld.%06lldZ",
                                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                                 static_cast<unsigned>(date.day()),
                                 static_cast<long long>(clock.hours().count()),
                                 static_cast<long long>(clock.minutes().count()),
                                 static_cast<long long>(clock.seconds().count()),
                                 static_cast<long long>(clock.subseconds().count()));
  CHECK(size > 0 && static_cast<std::size_t>(size) < sizeof(text));
  return {text, static_cast<std::size_t>(size)};
}

// Sees the undo rows of an item one behind the other, or some of them: a file need not have all.
class HistoryKeeper::Filter final : public storage::RowFilter {
 public:
  Filter(HistoryKeeper& keeper, Plan plan) : keeper_(keeper), plan_(std::move(plan)) {}

  bool Removes(std::string_view key, std::size_t value_bytes) override {
    const Result<keyspace::TableId> table = keyspace::TableOfUndoKey(key);
    const Result<keyspace::UndoKey> undo = keyspace::SplitUndoKey(key);
    if (!table || !undo) {
      return false;  // `stator check` tells of it
    }
    const auto found = plan_.find(*table);
    if (found == plan_.end()) {
      return false;
    }
    const Limits& limits = found->second;
    // The change before was then or later, if it was of this item; the row need not be there any more.
    const std::uint64_t before = item_ == undo->item ? std::exchange(time_, undo->time) : 0;
    if (before == 0 && !limits.kept.empty()) {
      item_ = undo->item;
      time_ = undo->time;
    }
    if (undo->time > limits.horizon || IsNeeded(limits, before, undo->time)) {
      return false;
    }
    PROBE("a compaction removes a row of the past");
    keeper_.rows_removed_ += 1;
    keeper_.bytes_removed_ += key.size() + value_bytes;
    return true;
  }

 private:
  // Whether a moment that is kept may lie between the change before and this one.
  static bool IsNeeded(const Limits& limits, std::uint64_t before, std::uint64_t time) {
    const auto behind = std::ranges::lower_bound(limits.kept, time);
    DCHECK(before <= time);
    return behind != limits.kept.begin() && before <= *std::prev(behind);
  }

  HistoryKeeper& keeper_;
  const Plan plan_;
  std::string item_;        // of the last row of a table with moments
  std::uint64_t time_ = 0;  // and its time
};

HistoryKeeper::Lease::~Lease() {
  if (keeper_ != nullptr) {
    keeper_->Return(table_, time_);
  }
}

Result<HistoryKeeper::Lease> HistoryKeeper::Take(std::uint32_t table, std::uint64_t time) {
  const MutexLock lock(mutex_);
  const auto pins = pins_.find(table);
  const bool pinned = pins != pins_.end() && pins->second.contains(time);
  if (const auto horizon = horizons_.find(table);
      !pinned && horizon != horizons_.end() && time < horizon->second) {
    return Invalid("The history before " + CommitTimeText(horizon->second) + " is gone");
  }
  leases_[table].insert(time);
  return Lease(*this, table, time);
}

void HistoryKeeper::Return(std::uint32_t table, std::uint64_t time) {
  const MutexLock lock(mutex_);
  Remove(leases_, table, time);
}

void HistoryKeeper::Remove(Moments& moments, std::uint32_t table, std::uint64_t time) {
  const auto of_table = moments.find(table);
  CHECK(of_table != moments.end());
  const auto moment = of_table->second.find(time);
  CHECK(moment != of_table->second.end());
  of_table->second.erase(moment);
  if (of_table->second.empty()) {
    moments.erase(of_table);
  }
}

void HistoryKeeper::Pin(std::uint32_t table, std::uint64_t time) {
  const MutexLock lock(mutex_);
  pins_[table].insert(time);
}

void HistoryKeeper::Unpin(std::uint32_t table, std::uint64_t time) {
  const MutexLock lock(mutex_);
  Remove(pins_, table, time);
}

bool HistoryKeeper::IsPinned(std::uint32_t table) {
  const MutexLock lock(mutex_);
  return pins_.contains(table);
}

void HistoryKeeper::SetHorizon(std::uint32_t table, std::uint64_t time) {
  const MutexLock lock(mutex_);
  std::uint64_t& horizon = horizons_[table];
  horizon = std::max(horizon, time);
}

void HistoryKeeper::Forget(std::uint32_t table) {
  const MutexLock lock(mutex_);
  horizons_.erase(table);
  compacted_.erase(table);
}

bool HistoryKeeper::ClaimCompaction(std::uint32_t table, const keyspace::History& history,
                                    std::uint64_t now) {
  const MutexLock lock(mutex_);
  std::uint64_t& removed = compacted_.try_emplace(table, history.since).first->second;
  CHECK_THAT(removed <= history.floor, "the floor of a history only rises");
  if (3 * (history.floor - removed) <= std::max(now, history.floor) - removed) {
    return false;
  }
  removed = history.floor;
  return true;
}

std::unique_ptr<storage::RowFilter> HistoryKeeper::Make() {
  const MutexLock lock(mutex_);
  if (horizons_.empty()) {
    return nullptr;
  }
  Plan plan;
  for (const auto& [table, horizon] : horizons_) {
    Limits& limits = plan[table];
    limits.horizon = horizon;
    for (const Moments* moments : {&leases_, &pins_}) {
      if (const auto kept = moments->find(table); kept != moments->end()) {
        limits.kept.insert(limits.kept.end(), kept->second.begin(), kept->second.end());
      }
    }
    std::ranges::sort(limits.kept);
  }
  return std::make_unique<Filter>(*this, std::move(plan));
}

std::uint64_t EarliestTime(const EngineCore& core, const Table& table) {
  CHECK(table.recovery && table.history);
  const std::uint64_t now = CommitTimeOf(core.clock.Now());
  const std::uint64_t period = static_cast<std::uint64_t>(table.recovery->days) * kDay;
  return std::max({table.recovery->since, table.history->floor, now > period ? now - period : 0});
}

std::uint64_t LatestTime(const EngineCore& core, const Table& table) {
  if (table.frozen != nullptr) {
    return table.frozen->time;
  }
  return std::max(core.store->queue().SettledTime(), CommitTimeOf(core.clock.Now()));
}

std::uint64_t RestorableTime(const EngineCore& core, const Table& table) {
  const std::uint64_t latest = LatestTime(core, table);
  const auto after =
      static_cast<std::uint64_t>(std::chrono::microseconds(core.restorable_after).count());
  return after == 0 ? latest
                    : std::max(latest - std::min(latest, after), EarliestTime(core, table));
}

Result<HistoryKeeper::Lease> LeaseMoment(EngineCore& core, const Table& table, TimePoint as_of) {
  if (!table.recovery) {
    return Invalid("Point in time recovery is not enabled for table '" + table.name +
                   "': what it was is not known");
  }
  std::uint64_t settled = core.store->queue().SettledTime();
  const std::uint64_t earliest = EarliestTime(core, table);
  std::uint64_t time = as_of == TimePoint::max() ? settled : CommitTimeOf(as_of);
  // Whole seconds are what DescribeContinuousBackups tells.
  if (time < earliest && time >= earliest - earliest % kSecond) {
    time = earliest;
  }
  const std::uint64_t latest = LatestTime(core, table);
  if (time > latest && as_of == TimePoint::max()) {
    time = latest;
  }
  if (time < earliest || time > latest) {
    return Invalid("The moment " + CommitTimeText(time) + " must be within " +
                   CommitTimeText(earliest) + " and " + CommitTimeText(latest));
  }
  // Something that has a time up to it is on its way to the disk.
  const Duration begun = core.clock.Elapsed();
  while (settled < time) {
    TRY_VOID(base::AskToWait());
    PROBE("a read of the past waits for a write");
    if (core.clock.Elapsed() - begun > core.lock_wait_max || !core.background->Pause(kPoll)) {
      return Fail(ErrorCode::kUnavailable,
                  "writes from before that moment are still on their way to the disk");
    }
    settled = core.store->queue().SettledTime();
  }
  CHECK(time <= settled);
  return core.history->Take(table.id, time);
}

Result<HistoryKeeper::Lease> LeaseToRestore(EngineCore& core, const Table& table, TimePoint wanted,
                                            TellsLatest latest_of) {
  if (!table.recovery) {
    return Fail(ErrorCode::kRecoveryUnavailable,
                "Point in time recovery is not enabled for table '" + table.name + "'");
  }
  const std::uint64_t earliest = EarliestTime(core, table);
  const std::uint64_t latest = latest_of(core, table);
  const std::uint64_t time = CommitTimeOf(wanted);
  if (wanted != TimePoint::max() && (time < earliest - earliest % kSecond || time > latest)) {
    return Fail(ErrorCode::kInvalidRestoreTime,
                "RestoreDateTime " + QuotedSecond(time) +
                    " must be within EarliestRestorableDateTime " + QuotedSecond(earliest) +
                    " and LatestRestorableDateTime " + QuotedSecond(latest));
  }
  const bool is_now = latest_of == &LatestTime || core.restorable_after.count() == 0;
  return LeaseMoment(core, table,
                     wanted == TimePoint::max() && !is_now ? TimeOfCommit(latest) : wanted);
}

}  // namespace stator::engine
