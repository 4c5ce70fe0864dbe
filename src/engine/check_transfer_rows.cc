// The part of CheckDatabase that looks at exports and imports. The rows of tables come before.

#include <string>

#include "engine/check_context.h"
#include "keyspace/export_row.h"
#include "keyspace/import_row.h"
#include "keyspace/keys.h"

namespace stator::engine {

using keyspace::KeyKind;

void CheckExportRow(CheckContext& context, std::string_view key, std::string_view bytes) {
  ++context.report.exports;
  const Result<keyspace::TransferId> id = keyspace::TransferOfKey(KeyKind::kExport, key);
  const Result<keyspace::ExportRow> row = keyspace::DecodeExportRow(bytes);
  if (!id || !row) {
    return context.Problem("an export cannot be read: " +
                           (id ? row.error().message : id.error().message));
  }
  if (row->description.export_status != ExportStatus::kInProgress) {
    return;
  }
  const std::string name = "export " + row->description.export_arn;
  context.exports.insert(*id);
  CheckMoment(context, name, row->table, row->time);
  if (row->before) {
    CheckMoment(context, name, row->table, *row->before);
  }
  context.report.notes.Add(name + " is under way");
}

void CheckExportFileRow(CheckContext& context, std::string_view key, std::string_view bytes) {
  const Result<keyspace::TransferId> id = keyspace::ExportOfFileKey(key);
  const Result<keyspace::ExportFileRow> row = keyspace::DecodeExportFileRow(bytes);
  if (!id || !row) {
    return context.Problem("a file of an export cannot be read: " +
                           (id ? row.error().message : id.error().message));
  }
  if (!context.exports.contains(*id)) {
    context.Problem("the file " + row->key + " is of no export that is under way");
  }
}

void CheckImportRow(CheckContext& context, std::string_view key, std::string_view bytes) {
  ++context.report.imports;
  const Result<keyspace::TransferId> id = keyspace::TransferOfKey(KeyKind::kImport, key);
  const Result<keyspace::ImportRow> row = keyspace::DecodeImportRow(bytes);
  if (!id || !row) {
    return context.Problem("an import cannot be read: " +
                           (id ? row.error().message : id.error().message));
  }
  if (row->description.import_status != ImportStatus::kInProgress) {
    return;
  }
  const auto found = context.tables.find(row->table.settings.id);
  if (found == context.tables.end() || !found->second.table.importing) {
    return context.Problem("import " + row->description.import_arn +
                           " is under way, and its table is not");
  }
  context.importing.insert(found->first);
  context.report.notes.Add("import " + row->description.import_arn + " is under way");
}

void CheckImports(CheckContext& context) {
  for (const auto& [id, checked] : context.tables) {
    if (checked.table.importing && !context.importing.contains(id)) {
      context.Problem("table " + checked.table.name + " is said to be imported, and is not");
    }
  }
}

}  // namespace stator::engine
