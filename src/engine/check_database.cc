#include "engine/check_database.h"

#include <utility>

#include "base/hex.h"
#include "base/try.h"
#include "engine/check_context.h"
#include "keyspace/format_version.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::size_t kTextsMax = 100;

void CheckFormatRow(CheckContext& context) {
  storage::PinnedValue value;
  const std::optional<bool> found = context.Find(keyspace::FormatVersionKey(), value);
  if (!found) {
    return;
  }
  if (!*found) {
    return context.Problem("there is no format version");
  }
  if (const auto version = keyspace::DecodeFormatVersion(value.view()); !version) {
    context.Problem(version.error().message);
  }
}

void CheckRow(CheckContext& context, std::string_view key, std::string_view row) {
  using keyspace::KeyKind;
  switch (static_cast<KeyKind>(key.empty() ? '\0' : key[0])) {
    case KeyKind::kFormat:
      if (key != keyspace::FormatVersionKey()) {
        context.Problem("a key of the format version is damaged: " + base::HexOf(key));
      }
      return;
    case KeyKind::kCounter:
      return CheckCounterRow(context, key, row);
    case KeyKind::kTable:
      return CheckTableRow(context, key, row);
    case KeyKind::kDroppedTable:
      return CheckDroppedTableRow(context, key, row);
    case KeyKind::kStream:
      return CheckStreamRow(context, key, row);
    case KeyKind::kBackup:
      return CheckBackupRow(context, key, row);
    case KeyKind::kExport:
      return CheckExportRow(context, key, row);
    case KeyKind::kImport:
      return CheckImportRow(context, key, row);
    case KeyKind::kCheckpoint:
      return CheckCheckpointRow(context, key, row);
    case KeyKind::kRestore:
      return CheckRestoreRow(context, key, row);
    case KeyKind::kExportFile:
      return CheckExportFileRow(context, key, row);
    case KeyKind::kItem:
      return context.going_back ? void() : CheckItemRow(context, key, row);
    case KeyKind::kIndex:
      return context.going_back ? void() : CheckIndexRow(context, key, row);
    case KeyKind::kExpiry:
      return context.going_back ? void() : CheckExpiryRow(context, key, row);
    case KeyKind::kStreamRecord:
      return CheckStreamRecordRow(context, key, row);
    case KeyKind::kToken:
      return CheckTokenRow(context, key, row);
    case KeyKind::kTokenExpiry:
      return CheckTokenExpiryRow(context, key, row);
    case KeyKind::kUndo:
      break;  // not among these rows
  }
  context.Problem("a row is of no known kind: " + base::HexOf(key));
}

}  // namespace

void CheckFindings::Add(std::string text) {
  ++count;
  if (texts.size() < kTextsMax) {
    texts.push_back(std::move(text));
  }
}

Result<CheckReport> CheckDatabase(const storage::StoreOptions& options) {
  storage::StoreOptions reading = options;
  reading.format_version = keyspace::kFormatVersion;
  reading.read_only = true;
  reading.create_if_missing = false;
  const std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(reading));
  return CheckDatabase(*store);
}

CheckReport CheckDatabase(const storage::Store& store) {
  const storage::Snapshot snapshot = store.TakeSnapshot();
  CheckContext context{.store = store, .snapshot = snapshot};
  CheckFormatRow(context);
  storage::Cursor cursor = store.NewCursor(&snapshot, "", "");
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    CheckRow(context, cursor.key(), cursor.value());
  }
  if (const Result<void> read = cursor.status(); !read) {
    context.Problem("not everything could be read: " + read.error().message);
  }
  CheckHistory(context);
  CheckStreamsOfTables(context);
  CheckRestores(context);
  CheckImports(context);
  if (!context.going_back) {
    CheckFigures(context);
  }
  NoteUnfinishedJobs(context);
  return std::move(context.report);
}

}  // namespace stator::engine
