// CreateCheckpoint, RestoreCheckpoint, DeleteCheckpoint and ListCheckpoints; see checkpoints.h.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/checkpoints.h"
#include "engine/history.h"
#include "engine/operations.h"
#include "engine/stream_row.h"
#include "engine/table_row.h"
#include "engine/transfers.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::size_t kCheckpointsMax = 100;
// An index may be being filled.
constexpr std::chrono::seconds kJobsWaitMax{20};
constexpr std::int64_t kTokenSeconds =
    std::chrono::duration_cast<std::chrono::seconds>(limits::kClientRequestTokenValidity).count();

Result<BackgroundWork::Hold> HoldJobs(EngineCore& core) {
  std::optional<BackgroundWork::Hold> hold = core.background->TryHoldJobs(kJobsWaitMax);
  if (!hold) {
    return Fail(
        ErrorCode::kResourceInUse,
        "tables are being restored, rewound, exported, imported, indexed or cleaned up; try "
        "again when that is done");
  }
  return *std::move(hold);
}

// The tokens that are valid for as long as can be, which another one could get in this second.
Result<void> RememberTokens(EngineCore& core, keyspace::CheckpointRow& row) {
  row.tokens_until = EpochSeconds(core.clock.Now()) + kTokenSeconds;
  std::string begin;
  keyspace::AppendTokenExpiryPrefix(row.tokens_until, begin);
  const std::string end =
      keyspace::PrefixEnd(keyspace::KindPrefix(keyspace::KeyKind::kTokenExpiry));
  storage::Cursor cursor = core.store->NewCursor(nullptr, begin, end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    row.tokens.push_back(TRY(keyspace::DecodeTokenExpiryKey(cursor.key())).token);
  }
  return cursor.status();
}

// Whether it takes the place of another one.
Result<std::optional<Checkpoint>> CheckMayCreate(EngineCore& core,
                                                 const CreateCheckpointInput& input) {
  std::size_t count = 0;
  std::optional<Checkpoint> replaced;
  TRY_VOID(VisitCheckpoints(core, [&](const Checkpoint& checkpoint) -> Result<void> {
    ++count;
    if (checkpoint.name == input.checkpoint_name) {
      replaced = checkpoint;
    }
    return {};
  }));
  if (replaced && !input.replace) {
    return Fail(ErrorCode::kResourceInUse, "Checkpoint already exists: " + input.checkpoint_name +
                                               "; restore it, delete it, or ask for it to be "
                                               "replaced");
  }
  if (!replaced && count >= kCheckpointsMax) {
    return Fail(ErrorCode::kLimitExceeded, "There are " + std::to_string(kCheckpointsMax) +
                                               " checkpoints already; delete one first");
  }
  return replaced;
}

// REQUIRES: ChangeLock is held, and nobody writes.
Result<Checkpoint> WriteCheckpoint(EngineCore& core, const std::string& name)
    STATOR_REQUIRES(core.catalog.change_mutex()) {
  Checkpoint checkpoint{.name = name, .row = {.time = core.store->queue().SettledTime()}};
  keyspace::CheckpointRow& row = checkpoint.row;
  storage::WriteBatch batch;
  std::vector<Table> tables;
  for (const TablePtr& current : core.catalog.All()) {
    Table next = *current;
    next.closed = false;
    if (!next.history || next.history->since == 0) {
      next.history = keyspace::History{.since = row.time, .floor = row.time};
      core.history->SetHorizon(next.id, row.time);
    }
    row.tables.push_back(RowOf(next));
    std::string bytes;
    AppendTable(next, bytes);
    batch.Put(keyspace::TableKey(next.name), bytes);
    tables.push_back(std::move(next));
  }
  row.streams = TRY(ReadStreams(core));
  row.sequence = core.store->VisibleSequence();
  TRY_VOID(RememberTokens(core, row));
  std::string bytes;
  keyspace::AppendCheckpointRow(row, bytes);
  batch.Put(keyspace::CheckpointKey(name), bytes);
  RememberTime(batch);
  PinTables(core, row);
  if (Result<void> written = core.catalog.Replace(std::move(tables), std::move(batch)); !written) {
    UnpinTables(core, row);
    return std::unexpected(written.error());
  }
  core.parked_calls.AdmitOpened();
  return checkpoint;
}

// Its moment is of no use any more.
Result<void> ReleasePins(EngineCore& core, const Checkpoint& checkpoint) {
  for (const keyspace::TableRow& table : checkpoint.row.tables) {
    TRY_VOID(ReleaseHistory(core, table.settings.id));
  }
  return {};
}

// What an export reads would be gone under it.
Result<void> CheckNoExports(EngineCore& core) {
  return VisitTransfers(core, KeyKind::kExport, std::nullopt,
                        [](const TransferId& /*id*/, std::string_view bytes) -> Result<bool> {
                          const keyspace::ExportRow row = TRY(keyspace::DecodeExportRow(bytes));
                          if (row.description.export_status == ExportStatus::kInProgress) {
                            return Fail(ErrorCode::kResourceInUse,
                                        "export " + row.description.export_arn +
                                            " is under way; try again when it has ended");
                          }
                          return true;
                        });
}

// Tries again what was begun and could not be finished, for a lack of room perhaps.
Result<void> GoOn(EngineCore& core, const std::string& name) {
  const auto lock = core.catalog.ChangeLock();
  const Checkpoint checkpoint = TRY(FindCheckpoint(core, name));
  bool begun = true;
  TRY_VOID(GoBack(core, checkpoint, begun));
  return {};
}

}  // namespace

Result<CreateCheckpointOutput> CreateCheckpoint(EngineCore& core,
                                                const CreateCheckpointInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckMayCreate(core, input));
  const BackgroundWork::Hold hold = TRY(HoldJobs(core));
  ClosedDatabase closed(core);
  TRY_VOID(closed.Close());
  std::optional<Checkpoint> replaced;
  CreateCheckpointOutput output;
  {
    const auto lock = core.catalog.ChangeLock();
    TRY_VOID(closed.CheckIsWhole());
    replaced = TRY(CheckMayCreate(core, input));
    TRY_VOID(RaiseFormat(core));
    output.checkpoint_description = Describe(TRY(WriteCheckpoint(core, input.checkpoint_name)));
    closed.Release();
    if (replaced) {
      UnpinTables(core, replaced->row);
    }
  }
  if (replaced) {
    TRY_VOID(ReleasePins(core, *replaced));
  }
  return output;
}

Result<RestoreCheckpointOutput> RestoreCheckpoint(EngineCore& core,
                                                  const RestoreCheckpointInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(FindCheckpoint(core, input.checkpoint_name));
  const BackgroundWork::Hold hold = TRY(HoldJobs(core));
  ClosedDatabase closed(core);
  TRY_VOID(closed.Close());
  const auto lock = core.catalog.ChangeLock();
  TRY_VOID(closed.CheckIsWhole());
  TRY_VOID(CheckNoExports(core));
  const Checkpoint checkpoint = TRY(FindCheckpoint(core, input.checkpoint_name));
  bool begun = false;
  const Result<WentBack> went_back = GoBack(core, checkpoint, begun);
  if (went_back || begun) {
    closed.Release();
  }
  if (!went_back) {
    if (begun) {
      core.background->Enqueue([&core, name = input.checkpoint_name] { return GoOn(core, name); });
    }
    return std::unexpected(went_back.error());
  }
  return RestoreCheckpointOutput{.checkpoint_description = Describe(checkpoint),
                                 .items_changed = went_back->items,
                                 .tables_removed = went_back->tables_removed,
                                 .tables_returned = went_back->tables_returned};
}

Result<DeleteCheckpointOutput> DeleteCheckpoint(EngineCore& core,
                                                const DeleteCheckpointInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  Checkpoint checkpoint;
  {
    const auto lock = core.catalog.ChangeLock();
    checkpoint = TRY(FindCheckpoint(core, input.checkpoint_name));
    if (checkpoint.row.restoring) {
      return Fail(ErrorCode::kResourceInUse,
                  "Checkpoint is being restored: " + input.checkpoint_name);
    }
    storage::WriteBatch batch;
    batch.Delete(keyspace::CheckpointKey(input.checkpoint_name));
    TRY_VOID(core.store->Write(std::move(batch)));
    UnpinTables(core, checkpoint.row);
  }
  TRY_VOID(ReleasePins(core, checkpoint));
  return DeleteCheckpointOutput{.checkpoint_description = Describe(checkpoint)};
}

Result<ListCheckpointsOutput> ListCheckpoints(EngineCore& core, const ListCheckpointsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  ListCheckpointsOutput output;
  TRY_VOID(VisitCheckpoints(core, [&](const Checkpoint& checkpoint) -> Result<void> {
    output.checkpoints.push_back(Describe(checkpoint));
    return {};
  }));
  return output;
}

}  // namespace stator::engine
