// What the parts of CheckDatabase share: where they read, what they have learnt from the rows of
// the catalog, which come first, and where they report.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check_database.h"
#include "engine/stream_row.h"
#include "engine/table.h"
#include "keyspace/keys.h"
#include "storage/store.h"

namespace stator::engine {

// Counted while walking, to compare with the figures that the table's row has.
struct CheckedFigures {
  std::int64_t items = 0;
  std::int64_t bytes = 0;

  void Add(std::size_t size) {
    ++items;
    bytes += static_cast<std::int64_t>(size);
  }
};

struct CheckedTable {
  Table table;
  CheckedFigures figures = {};
  std::map<std::uint32_t, CheckedFigures> index_figures = {};  // by index id
  bool has_progress = false;  // a row says how far its restore or rewind has come

  [[nodiscard]] const Index* FindIndex(std::uint32_t id) const;
};

struct DroppedTable {
  std::string name;
  bool kept_history = false;
  bool only_items = false;
  std::uint64_t rows = 0;
};

struct CheckContext {
  const storage::Store& store;
  const storage::Snapshot& snapshot;
  CheckReport report = {};

  std::uint64_t next_table_id = 1;
  std::uint64_t next_stream_id = 1;
  std::uint64_t commit_time = 0;
  std::map<std::uint32_t, CheckedTable> tables = {};
  std::map<std::uint32_t, DroppedTable> dropped = {};
  std::map<std::uint32_t, StreamRow> streams = {};
  std::set<keyspace::TransferId> exports = {};  // under way
  std::set<std::uint32_t> importing = {};       // tables of imports under way
  std::set<std::uint32_t> pinned = {};          // tables that somebody may restore, or is restoring
  // The database is on its way back to a checkpoint: until it is there, what hangs on items does not
  // have to fit the tables.
  bool going_back = false;

  void Problem(std::string text) { report.problems.Add(std::move(text)); }

  // Whether there is such a row; a row that cannot be read is a problem, and nothing is known.
  std::optional<bool> Find(std::string_view key, storage::PinnedValue& value);

  // The table that rows with this id belong to. Null when it was dropped, which is counted, or when
  // it is not known, which is a problem; `what` says what kind of row it is.
  CheckedTable* TableOfRow(std::uint32_t id, std::string_view what);
};

// One row each, by its kind. Rows of the catalog have to be checked before all others, in the order
// of their keys.
void CheckCounterRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckTableRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckDroppedTableRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckStreamRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckBackupRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckCheckpointRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckExportRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckImportRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckExportFileRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckRestoreRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckItemRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckIndexRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckExpiryRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckStreamRecordRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckTokenRow(CheckContext& context, std::string_view key, std::string_view row);
void CheckTokenExpiryRow(CheckContext& context, std::string_view key, std::string_view row);

// A moment of a table is of use only while every change behind it has an undo row.
void CheckMoment(CheckContext& context, const std::string& name, std::uint32_t table_id,
                 std::uint64_t time);

// All undo rows, after all others.
void CheckHistory(CheckContext& context);

// What an item row, or an undo row of the item, must hold; nothing after a problem.
std::optional<Item> CheckStoredRow(CheckContext& context, const Table& table,
                                   const std::string& name, std::string_view item_key,
                                   std::string_view row);
std::string NameOfItem(const Table& table, const keyspace::ItemKey& key);

// What can be said only after the last row.
void CheckStreamsOfTables(CheckContext& context);
void CheckRestores(CheckContext& context);
void CheckImports(CheckContext& context);
void CheckFigures(CheckContext& context);
void NoteUnfinishedJobs(CheckContext& context);

}  // namespace stator::engine
