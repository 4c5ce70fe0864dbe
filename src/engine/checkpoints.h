// Checkpoints: names for moments of the whole database. A checkpoint is one row, which has the rows of
// all tables and streams as they were and pins its moment in every table (history.h); no item is copied.
//
// ONE MOMENT. To make one, and to go back to one, all tables are closed to writers for as long as it
// takes (Table::closed): what was acknowledged before is in it, what waits is not.
//
// GOING BACK is one batch, so that a crash sees all of it or nothing. What does not fit is written in
// steps, and the row says so first (restoring): nobody sees the steps, because readers have a snapshot
// from before, and after a crash Engine::Open goes on before it lets anybody in.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/engine_core.h"
#include "keyspace/checkpoint_row.h"
#include "stator/api/checkpoints.h"
#include "stator/base/result.h"

namespace stator::engine {

struct Checkpoint {
  std::string name;
  keyspace::CheckpointRow row;
};

CheckpointDescription Describe(const Checkpoint& checkpoint);

// kResourceNotFound when there is none.
Result<Checkpoint> FindCheckpoint(const EngineCore& core, const std::string& name);

Result<void> VisitCheckpoints(const EngineCore& core,
                              const std::function<Result<void>(const Checkpoint&)>& visit);

// Each table that it has, at its moment.
void PinTables(EngineCore& core, const keyspace::CheckpointRow& row);
void UnpinTables(EngineCore& core, const keyspace::CheckpointRow& row);

// All tables, closed to writers until this is gone.
class ClosedDatabase {
 public:
  explicit ClosedDatabase(EngineCore& core) : core_(core) {}
  ClosedDatabase(const ClosedDatabase&) = delete;
  ClosedDatabase& operator=(const ClosedDatabase&) = delete;
  ~ClosedDatabase();

  // Returns when nobody writes any more. kResourceInUse, with nothing closed, when a table is being
  // changed, or somebody does not come to an end. REQUIRES: ChangeLock is not held.
  Result<void> Close();
  // Whether it still holds: a table may have been made since. REQUIRES: ChangeLock is held.
  Result<void> CheckIsWhole() const;

  // They were opened, or somebody else does it.
  void Release() { closed_.clear(); }

 private:
  // Closes those that are open; how many.
  Result<std::size_t> CloseOpenOnes() STATOR_REQUIRES(core_.catalog.change_mutex());
  Result<void> AwaitWriters() const;

  EngineCore& core_;
  std::vector<std::uint32_t> closed_;
};

// What going back came to.
struct WentBack {
  std::int64_t items = 0;
  std::int64_t tables_removed = 0;
  std::int64_t tables_returned = 0;
};

// Goes back; at the end all tables are open. `begun` is set once a part of it is on disk: then nothing
// may be opened before it was called again and succeeded. REQUIRES: ChangeLock is held, nobody writes,
// no job runs.
Result<WentBack> GoBack(EngineCore& core, const Checkpoint& checkpoint, bool& begun)
    STATOR_REQUIRES(core.catalog.change_mutex());

// At the start of the engine: finishes what a crash has cut off.
Result<void> FinishGoingBack(EngineCore& core);

}  // namespace stator::engine
