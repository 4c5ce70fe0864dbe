// RewindTable: what it checks, and how a rewind begins. What is too much for one batch rewind_job.cc
// carries out.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/job_calls.h"
#include "engine/operations.h"
#include "engine/rewind.h"
#include "engine/table_description.h"
#include "keyspace/keys.h"
#include "keyspace/restore_row.h"

namespace stator::engine {
namespace {

// As long as a call that went by the table as it was is on its way.
constexpr std::chrono::seconds kCloseWaitMax{20};

// A table that is closed to writers until this is gone, or a job goes on with it.
class ClosedTable {
 public:
  static Result<ClosedTable> Close(EngineCore& core, std::uint32_t table_id) {
    {
      const auto lock = core.catalog.ChangeLock();
      const TablePtr current = TRY(FindOpen(core, table_id));
      CloseTable(core, *current);
    }
    ClosedTable closed(core, table_id);
    TRY_VOID(closed.AwaitOthers());
    return closed;
  }
  ClosedTable(ClosedTable&& other) noexcept
      : core_(std::exchange(other.core_, nullptr)), table_id_(other.table_id_) {}
  ClosedTable& operator=(ClosedTable&&) = delete;
  ~ClosedTable() {
    if (core_ == nullptr) {
      return;
    }
    const auto lock = core_->catalog.ChangeLock();
    if (const TablePtr current = core_->catalog.FindId(table_id_)) {
      OpenTable(*core_, *current);
    }
  }

  // Has readers see what is now, until it is opened.
  Result<void> FreezeForReaders() {
    {
      const auto lock = core_->catalog.ChangeLock();
      Table next = *core_->catalog.FindId(table_id_);
      next.frozen = Freeze(*core_);
      core_->catalog.Show(std::move(next));
    }
    return AwaitOthers();
  }

  void LeaveToJob() { core_ = nullptr; }

 private:
  ClosedTable(EngineCore& core, std::uint32_t table_id) : core_(&core), table_id_(table_id) {}

  static Result<TablePtr> FindOpen(EngineCore& core, std::uint32_t table_id) {
    TablePtr current = core.catalog.FindId(table_id);
    if (current == nullptr || !current->recovery) {
      return Fail(ErrorCode::kTableNotFound, "Table not found: it was dropped meanwhile");
    }
    TRY_VOID(core.transient_states.CheckArrived(current->name));
    TRY_VOID(CheckIsOpen(*current));
    TRY_VOID(CheckHasNoJob(*current));
    return current;
  }

  // Until nobody goes by the table as it was before.
  Result<void> AwaitOthers() {
    if (TRY(core_->background->AwaitNewSchema(table_id_, kCloseWaitMax))) {
      return {};
    }
    return Fail(ErrorCode::kResourceInUse,
                "Attempt to change a resource which is still in use: requests that began before "
                "are still under way; try again");
  }

  EngineCore* core_;
  const std::uint32_t table_id_;
};

struct Begun {
  std::uint64_t before = 0;  // the moment before it
  std::int64_t items = 0;    // changed
  bool in_progress = false;
};

// All of it, in one batch.
Result<Begun> RewindAtOnce(EngineCore& core, const Table& table, const ChangedItems& changed) {
  Begun done{.before = core.store->queue().SettledTime()};
  if (changed.items.empty()) {
    return done;
  }
  std::vector<std::uint64_t> hashes;
  for (const ChangedItem& item : changed.items) {
    hashes.push_back(KeyTable::HashOf(item.item_key));
  }
  JobCalls calls(core);
  calls.Begin(std::move(hashes), [&](WriterView& view, PendingWrite& write) -> Result<void> {
    done.items = 0;
    for (const ChangedItem& item : changed.items) {
      done.items += TRY(TakeBack(core, table, item, ChangeOrigin::kCaller, 0, view, write)) ? 1 : 0;
    }
    return {};
  });
  TRY_VOID(calls.Await());
  return done;
}

// From here on it is on disk that the table is being rewound.
Result<Begun> BeginJob(EngineCore& core, std::uint32_t table_id, std::uint64_t time,
                       ClosedTable& closed) {
  TRY_VOID(closed.FreezeForReaders());
  const auto lock = core.catalog.ChangeLock();
  Table next = *core.catalog.FindId(table_id);
  next.rewind = keyspace::Rewind{.time = time, .before = core.store->queue().SettledTime()};
  const Begun begun{.before = next.rewind->before, .items = 0, .in_progress = true};
  keyspace::RestoreRow progress;
  keyspace::AppendItemsPrefix(table_id, progress.next);
  std::string row;
  keyspace::AppendRestoreRow(progress, row);
  storage::WriteBatch batch;
  batch.Put(keyspace::RestoreKey(table_id), row);
  RememberTime(batch);
  core.history->Pin(table_id, time);
  if (const Result<TablePtr> published = core.catalog.Publish(std::move(next), std::move(batch));
      !published) {
    core.history->Unpin(table_id, time);
    return std::unexpected(published.error());
  }
  closed.LeaveToJob();
  core.background->Enqueue([&core, table_id] { return ContinueRewind(core, table_id); });
  return begun;
}

Result<Begun> Rewind(EngineCore& core, std::uint32_t table_id, std::uint64_t time) {
  ClosedTable closed = TRY(ClosedTable::Close(core, table_id));
  std::string prefix;
  keyspace::AppendItemsPrefix(table_id, prefix);
  const ChangedItems changed = TRY(
      ReadChangedItems(core, table_id, time, prefix, core.going_back.at_once, UndoTimes::kFirst));
  if (!changed.next.empty()) {
    return BeginJob(core, table_id, time, closed);
  }
  const TablePtr table = core.catalog.FindId(table_id);
  CHECK_THAT(table != nullptr && table->closed, "a closed table stays");
  return RewindAtOnce(core, *table, changed);
}

}  // namespace

Result<RewindTableOutput> RewindTable(EngineCore& core, const RewindTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TablePtr table = TRY(core.catalog.FindNamed(input.table_name));
  const std::uint32_t table_id = table->id;
  TRY_VOID(CheckIsOpen(*table));
  const HistoryKeeper::Lease lease =
      TRY(LeaseToRestore(core, *table, input.rewind_date_time, &LatestTime));
  table.reset();  // it is waited for everybody who has it
  const Begun begun = TRY(Rewind(core, table_id, lease.time()));
  RewindTableOutput output{.rewind_date_time = TimeOfCommit(lease.time()),
                           .undo_date_time = TimeOfCommit(begun.before),
                           .items_changed = begun.items,
                           .rewind_in_progress = begun.in_progress};
  if (const TablePtr now = core.catalog.FindId(table_id)) {
    output.table_description = Describe(*now);
  }
  return output;
}

}  // namespace stator::engine
