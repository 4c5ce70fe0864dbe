#include "engine/checkpoints.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "engine/background.h"
#include "engine/item_store.h"
#include "engine/rewind.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// As long as a request that began before is on its way.
constexpr std::chrono::seconds kWaitMax{20};
// Tables may be made while others are being closed.
constexpr int kRoundsMax = 10;

}  // namespace

CheckpointDescription Describe(const Checkpoint& checkpoint) {
  return {.checkpoint_name = checkpoint.name,
          .creation_date_time = TimeOfCommit(checkpoint.row.time),
          .table_count = static_cast<std::int64_t>(checkpoint.row.tables.size())};
}

Result<Checkpoint> FindCheckpoint(const EngineCore& core, const std::string& name) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(keyspace::CheckpointKey(name), value))) {
    return Fail(ErrorCode::kResourceNotFound, "Checkpoint not found: " + name);
  }
  return Checkpoint{.name = name, .row = TRY(keyspace::DecodeCheckpointRow(value.view()))};
}

Result<void> VisitCheckpoints(const EngineCore& core,
                              const std::function<Result<void>(const Checkpoint&)>& visit) {
  const keyspace::KeyRange range =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kCheckpoint));
  storage::Cursor cursor = core.store->NewCursor(nullptr, range.begin, range.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    TRY_VOID(base::SpendWork(WorkOfRow(cursor.value().size())));
    Checkpoint checkpoint{.name = std::string(TRY(keyspace::CheckpointOfKey(cursor.key()))),
                          .row = TRY(keyspace::DecodeCheckpointRow(cursor.value()))};
    TRY_VOID(visit(checkpoint));
  }
  return cursor.status();
}

void PinTables(EngineCore& core, const keyspace::CheckpointRow& row) {
  for (const keyspace::TableRow& table : row.tables) {
    core.history->Pin(table.settings.id, row.time);
  }
}

void UnpinTables(EngineCore& core, const keyspace::CheckpointRow& row) {
  for (const keyspace::TableRow& table : row.tables) {
    core.history->Unpin(table.settings.id, row.time);
  }
}

ClosedDatabase::~ClosedDatabase() {
  if (closed_.empty()) {
    return;
  }
  const auto lock = core_.catalog.ChangeLock();
  for (const std::uint32_t id : closed_) {
    if (const TablePtr table = core_.catalog.FindId(id)) {
      OpenTable(core_, *table);
    }
  }
}

Result<std::size_t> ClosedDatabase::CloseOpenOnes() {
  std::size_t count = 0;
  for (const TablePtr& table : core_.catalog.All()) {
    if (std::ranges::find(closed_, table->id) != closed_.end()) {
      continue;
    }
    TRY_VOID(CheckIsOpen(*table));
    TRY_VOID(CheckHasNoJob(*table));
    CloseTable(core_, *table);
    closed_.push_back(table->id);
    ++count;
  }
  return count;
}

Result<void> ClosedDatabase::AwaitWriters() const {
  for (const std::uint32_t id : closed_) {
    if (!TRY(core_.background->AwaitNewSchema(id, kWaitMax))) {
      return Fail(ErrorCode::kResourceInUse,
                  "requests that began before are still under way; try again");
    }
  }
  return {};
}

Result<void> ClosedDatabase::Close() {
  for (int round = 0; round < kRoundsMax; ++round) {
    {
      const auto lock = core_.catalog.ChangeLock();
      if (TRY(CloseOpenOnes()) == 0 && round > 0) {
        return {};
      }
    }
    TRY_VOID(AwaitWriters());
  }
  return Fail(ErrorCode::kResourceInUse, "tables are being made all the time; try again");
}

Result<void> ClosedDatabase::CheckIsWhole() const {
  for (const TablePtr& table : core_.catalog.All()) {
    if (!table->closed) {
      return Fail(ErrorCode::kResourceInUse,
                  "table " + table->name + " was made just now; try again");
    }
  }
  return {};
}

}  // namespace stator::engine
