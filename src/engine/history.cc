#include "engine/history.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "base/check.h"
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

// Rows of a table up to its time go.
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
    if (found == plan_.end() || undo->time > found->second) {
      return false;
    }
    keeper_.rows_removed_ += 1;
    keeper_.bytes_removed_ += key.size() + value_bytes;
    return true;
  }

 private:
  HistoryKeeper& keeper_;
  const Plan plan_;
};

HistoryKeeper::Lease::~Lease() {
  if (keeper_ != nullptr) {
    keeper_->Return(table_, time_);
  }
}

Result<HistoryKeeper::Lease> HistoryKeeper::Take(std::uint32_t table, std::uint64_t time) {
  const std::lock_guard lock(mutex_);
  if (const auto horizon = horizons_.find(table);
      horizon != horizons_.end() && time < horizon->second) {
    return Invalid("The history before " + CommitTimeText(horizon->second) + " is gone");
  }
  leases_[table].insert(time);
  return Lease(*this, table, time);
}

void HistoryKeeper::Return(std::uint32_t table, std::uint64_t time) {
  const std::lock_guard lock(mutex_);
  const auto leases = leases_.find(table);
  CHECK(leases != leases_.end());
  const auto lease = leases->second.find(time);
  CHECK(lease != leases->second.end());
  leases->second.erase(lease);
  if (leases->second.empty()) {
    leases_.erase(leases);
  }
}

void HistoryKeeper::SetHorizon(std::uint32_t table, std::uint64_t time) {
  const std::lock_guard lock(mutex_);
  std::uint64_t& horizon = horizons_[table];
  horizon = std::max(horizon, time);
}

void HistoryKeeper::Forget(std::uint32_t table) {
  const std::lock_guard lock(mutex_);
  horizons_.erase(table);
  compacted_.erase(table);
}

bool HistoryKeeper::ClaimCompaction(std::uint32_t table, const keyspace::History& history,
                                    std::uint64_t now) {
  const std::lock_guard lock(mutex_);
  std::uint64_t& removed = compacted_.try_emplace(table, history.since).first->second;
  if (3 * (history.floor - removed) <= std::max(now, history.floor) - removed) {
    return false;
  }
  removed = history.floor;
  return true;
}

std::unique_ptr<storage::RowFilter> HistoryKeeper::Make() {
  const std::lock_guard lock(mutex_);
  if (horizons_.empty()) {
    return nullptr;
  }
  Plan plan = horizons_;
  for (auto& [table, time] : plan) {
    if (const auto leases = leases_.find(table); leases != leases_.end()) {
      time = std::min(time, *leases->second.begin());
    }
  }
  return std::make_unique<Filter>(*this, std::move(plan));
}

std::uint64_t EarliestTime(const EngineCore& core, const Table& table) {
  CHECK(table.recovery && table.history);
  const std::uint64_t now = CommitTimeOf(core.clock.Now());
  const std::uint64_t period = static_cast<std::uint64_t>(table.recovery->days) * kDay;
  return std::max({table.recovery->since, table.history->floor, now > period ? now - period : 0});
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
  const std::uint64_t latest = std::max(settled, CommitTimeOf(core.clock.Now()));
  if (time < earliest || time > latest) {
    return Invalid("The moment " + CommitTimeText(time) + " must be within " +
                   CommitTimeText(earliest) + " and " + CommitTimeText(latest));
  }
  // Something that has a time up to it is on its way to the disk.
  const Duration begun = core.clock.Elapsed();
  while (settled < time) {
    TRY_VOID(base::AskToWait());
    if (core.clock.Elapsed() - begun > core.lock_wait_max || !core.background->Pause(kPoll)) {
      return Fail(ErrorCode::kUnavailable,
                  "writes from before that moment are still on their way to the disk");
    }
    settled = core.store->queue().SettledTime();
  }
  return core.history->Take(table.id, time);
}

Result<void> LoadHistory(EngineCore& core) {
  std::uint64_t last = 0;
  storage::PinnedValue value;
  if (TRY(core.store->Get(keyspace::CounterKey(keyspace::Counter::kCommitTime), value))) {
    last = TRY(keyspace::DecodeCounter(value.view()));
  }
  core.store->queue().StartTimesBehind(last);
  const auto lock = core.catalog.ChangeLock();
  for (const TablePtr& table : core.catalog.All()) {
    if (table->history && !table->recovery) {
      // Some writers kept history, perhaps not all.
      Table next = *table;
      next.history.reset();
      TRY(core.catalog.Publish(std::move(next)));
    }
    if (core.store->HasHistory()) {
      core.history->SetHorizon(table->id, table->recovery ? table->history->floor : last);
    }
  }
  return {};
}

}  // namespace stator::engine
