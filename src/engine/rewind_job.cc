// Carries a rewind out that is too much for one batch: a step at a time, each with how far it has come;
// then opens the table. See rewind.h and background.h.

#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/job_calls.h"
#include "engine/job_progress.h"
#include "engine/rewind.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/restore_row.h"

namespace stator::engine {
namespace {

// What is done before other jobs have their turn.
constexpr std::int64_t kTurnBytes = std::int64_t{64} << 20;

// Takes back the next items, with how far that is, in one batch.
Result<void> TakeStep(EngineCore& core, const Table& table, const ChangedItems& changed,
                      keyspace::RestoreRow& progress) {
  keyspace::RestoreRow reached = progress;
  const std::string key = keyspace::RestoreKey(table.id);
  std::vector<std::uint64_t> hashes = {KeyTable::HashOf(key)};
  for (const ChangedItem& item : changed.items) {
    hashes.push_back(KeyTable::HashOf(item.item_key));
  }
  JobCalls calls(core);
  calls.Begin(std::move(hashes), [&](WriterView& view, PendingWrite& write) -> Result<void> {
    reached = progress;
    for (const ChangedItem& item : changed.items) {
      reached.figures.items += TRY(TakeBack(core, table, item, ChangeOrigin::kCaller,
                                            table.rewind->before + 1, view, write))
                                   ? 1
                                   : 0;
    }
    reached.figures.bytes += static_cast<std::int64_t>(write.batch.bytes());
    if (changed.next.empty()) {
      std::string prefix;
      keyspace::AppendItemsPrefix(table.id, prefix);
      reached.next = keyspace::PrefixEnd(prefix);
    } else {
      reached.next = changed.next;
    }
    std::string row;
    keyspace::AppendRestoreRow(reached, row);
    write.batch.Put(key, row);
    return {};
  });
  TRY_VOID(calls.Await());
  progress = std::move(reached);
  return {};
}

// Goes on from where the last turn ended. Whether these were all.
Result<bool> TakeTurn(EngineCore& core, const Table& table, JobProgress& told,
                      std::int64_t& items) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(keyspace::RestoreKey(table.id), value))) {
    return Fail(ErrorCode::kCorruption,
                "table " + table.name + " is being rewound, and how far is not known");
  }
  keyspace::RestoreRow progress = TRY(keyspace::DecodeRestoreRow(value.view()));
  std::string prefix;
  keyspace::AppendItemsPrefix(table.id, prefix);
  const std::int64_t begun_at = progress.figures.bytes;
  told.Tell(core, table, progress.figures.items);
  while (progress.next != keyspace::PrefixEnd(prefix)) {
    if (core.background->stopping()) {
      return Fail(ErrorCode::kUnavailable, "the engine is stopping");
    }
    if (progress.figures.bytes - begun_at >= kTurnBytes) {
      return false;
    }
    const ChangedItems changed =
        TRY(ReadChangedItems(core, table.id, table.rewind->time, progress.next,
                             core.going_back.per_step, UndoTimes::kFirst));
    TRY_VOID(TakeStep(core, table, changed, progress));
    told.Tell(core, table, progress.figures.items);
  }
  items = progress.figures.items;
  return true;
}

Result<void> FinishRewind(EngineCore& core, std::uint32_t table_id) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = core.catalog.FindId(table_id);
  CHECK_THAT(current != nullptr && current->rewind, "a table that is being rewound stays");
  Table next = *current;
  const keyspace::Rewind rewind = *std::exchange(next.rewind, std::nullopt);
  next.closed = false;
  next.frozen.reset();
  storage::WriteBatch batch;
  batch.Delete(keyspace::RestoreKey(table_id));
  TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  core.history->Unpin(table_id, rewind.time);
  core.parked_calls.AdmitOpened();
  return {};
}

Result<void> TakeTurn(EngineCore& core, std::uint32_t table_id, JobProgress told) {
  std::string whole;
  {
    const TablePtr table = core.catalog.FindId(table_id);
    if (table == nullptr || !table->rewind) {
      return {};
    }
    std::int64_t items = 0;
    if (!TRY(TakeTurn(core, *table, told, items))) {
      core.background->Enqueue([&core, table_id, told] { return TakeTurn(core, table_id, told); });
      return {};
    }
    whole = "table " + table->name + " is rewound: " + std::to_string(items) + " items changed";
  }
  TRY_VOID(FinishRewind(core, table_id));
  core.Say(whole);
  return {};
}

}  // namespace

Result<void> ContinueRewind(EngineCore& core, std::uint32_t table_id) {
  return TakeTurn(core, table_id, JobProgress("being rewound"));
}

}  // namespace stator::engine
