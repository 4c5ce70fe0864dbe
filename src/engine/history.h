// What tables were: who may read it, and what of it may go.
//
// Changes of a table that keeps history leave undo rows (keyspace/keys.h, item_change.h): the item as
// it was before the change. The state at a time T is the present, overlaid with the first undo row
// behind T of each item; as_of_cursor.h reads it so.
//
// Undo rows up to a table's horizon are removed when RocksDB compacts them, without regard to
// snapshots, but for those that a kept moment needs. Moments are kept by PINS, for what is on disk (a
// backup, a restore under way), and by LEASES, for who is reading.
//
// INVARIANTS
//
//   (1) A horizon is a commit time that has passed, and never moves back. It is that of the table's
//       row (History::floor), which is durable first, or, of a table without history, a time at
//       which it had none.
//   (2) The undo row of a change at c says what the item was from the change before, at b, up to c. It
//       is removed only when c is at or before the horizon and no moment from b on and before c is kept.
//   (3) A lease or a pin is at or behind the horizon when it is taken, or at a pin that is there.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/table.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "storage/row_filter.h"
#include "storage/write_batch.h"

namespace stator::engine {

struct EngineCore;

// Commit times are microseconds since 1970.
inline std::uint64_t CommitTimeOf(TimePoint time) {
  const auto micros = time.time_since_epoch().count();
  return micros < 0 ? 0 : static_cast<std::uint64_t>(micros);
}
inline TimePoint TimeOfCommit(std::uint64_t time) {
  return TimePoint(Duration(static_cast<std::int64_t>(time)));
}

// ISO 8601, to the microsecond.
std::string CommitTimeText(std::uint64_t time);

// THREADS: all methods from any thread.
class HistoryKeeper final : public storage::RowFilterMaker {
 public:
  // What of a table may go: rows up to the horizon that none of the moments needs.
  struct Limits {
    std::uint64_t horizon = 0;
    std::vector<std::uint64_t> kept;  // in their order
  };
  using Plan = std::map<std::uint32_t, Limits>;

  // Nobody's rows that a read at its time needs are removed while it is there.
  class Lease {
   public:
    Lease(HistoryKeeper& keeper, std::uint32_t table, std::uint64_t time)
        : keeper_(&keeper), table_(table), time_(time) {}
    Lease(Lease&& other) noexcept
        : keeper_(std::exchange(other.keeper_, nullptr)),
          table_(other.table_),
          time_(other.time_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    [[nodiscard]] std::uint64_t time() const { return time_; }

   private:
    HistoryKeeper* keeper_;
    std::uint32_t table_;
    std::uint64_t time_;
  };

  // Fails when rows that it needs may be gone: before the horizon, and at no pin.
  Result<Lease> Take(std::uint32_t table, std::uint64_t time);

  // A moment that something on disk refers to, from before that is written until after it is removed.
  // Several may refer to one.
  void Pin(std::uint32_t table, std::uint64_t time);
  void Unpin(std::uint32_t table, std::uint64_t time);
  bool IsPinned(std::uint32_t table);

  // From now on rows up to `time` may go, and nobody gets a lease below it.
  void SetHorizon(std::uint32_t table, std::uint64_t time);
  // The table is gone, and so are its rows.
  void Forget(std::uint32_t table);

  std::unique_ptr<storage::RowFilter> Make() override;

  // Whether the rows below `floor` are worth a compaction: more than a third of all, if changes came at
  // an even pace. If so it counts as done.
  bool ClaimCompaction(std::uint32_t table, const keyspace::History& history, std::uint64_t now);

  // How many rows filters have removed, and their bytes.
  [[nodiscard]] std::uint64_t rows_removed() const { return rows_removed_; }
  [[nodiscard]] std::uint64_t bytes_removed() const { return bytes_removed_; }

 private:
  class Filter;

  using Moments = std::map<std::uint32_t, std::multiset<std::uint64_t>>;

  void Return(std::uint32_t table, std::uint64_t time);
  static void Remove(Moments& moments, std::uint32_t table, std::uint64_t time);

  Mutex mutex_;
  std::map<std::uint32_t, std::uint64_t> horizons_ STATOR_GUARDED_BY(mutex_);
  Moments leases_ STATOR_GUARDED_BY(mutex_);
  Moments pins_ STATOR_GUARDED_BY(mutex_);
  // Up to when rows were removed last.
  std::map<std::uint32_t, std::uint64_t> compacted_ STATOR_GUARDED_BY(mutex_);

  std::atomic<std::uint64_t> rows_removed_ = 0;
  std::atomic<std::uint64_t> bytes_removed_ = 0;
};

// The first moment of the table that can be read. REQUIRES: its recovery is on.
std::uint64_t EarliestTime(const EngineCore& core, const Table& table);

// The last one: now, unless the table is being rewound.
std::uint64_t LatestTime(const EngineCore& core, const Table& table);

// The last one that restores and exports reach: that, or earlier by EngineOptions::restorable_after, but not
// before recovery began. REQUIRES: its recovery is on.
std::uint64_t RestorableTime(const EngineCore& core, const Table& table);

// The moment that a read asks for, leased: fails when the table has no recovery or the moment is not
// within it. Waits, where it may, until everything up to the moment is visible.
Result<HistoryKeeper::Lease> LeaseMoment(EngineCore& core, const Table& table, TimePoint as_of);

// The same for who goes back to the moment, in the words of the service: kRecoveryUnavailable,
// kInvalidRestoreTime. At the latest it is the time that `latest` tells, LatestTime or RestorableTime.
using TellsLatest = std::uint64_t (*)(const EngineCore& core, const Table& table);
Result<HistoryKeeper::Lease> LeaseToRestore(EngineCore& core, const Table& table, TimePoint wanted,
                                            TellsLatest latest);

// What is to be written when a table keeps history: gets the table as it is and a moment from which on
// every change has an undo row; changes the table, and adds to the batch.
using HistoryUse =
    std::function<Result<void>(std::uint64_t settled, Table& table, storage::WriteBatch& batch)>;

// Carries the directory over to the version that has history, if it is of an older one. REQUIRES:
// ChangeLock is held.
Result<void> RaiseFormat(EngineCore& core);

// Has the table keep history, if it does not, and then carries out the use in one published step.
// Waits until nobody writes without making undo rows.
Result<void> UseHistory(EngineCore& core, const std::string& table_name, const HistoryUse& use);

// Nothing pins the table there any more: it keeps no history for that, and one that was dropped is
// cleaned up. REQUIRES: ChangeLock is not held.
Result<void> ReleaseHistory(EngineCore& core, std::uint32_t table_id);

// Point-in-time recovery of a table, on and off.
Result<void> SwitchRecovery(EngineCore& core, const std::string& table_name, bool enabled,
                            std::optional<std::int64_t> days);

// Writers of a batch that refers to a moment: no commit may get that time again, not even after the
// clock was set back.
void RememberTime(storage::WriteBatch& batch);

// At the start of the engine: where times go on, the pins and the horizons of all tables, and what a
// crash left of switching on.
Result<void> LoadHistory(EngineCore& core);
// Housekeeping: moves the floors of tables on, and has rows removed when there are many below.
Result<void> TrimHistory(EngineCore& core);

}  // namespace stator::engine
