// The part of CheckDatabase that looks at backups, and at restores and rewinds under way. The rows of tables come
// before.

#include <string>

#include "engine/check_context.h"
#include "keyspace/backup_row.h"
#include "keyspace/checkpoint_row.h"
#include "keyspace/keys.h"
#include "keyspace/restore_row.h"

namespace stator::engine {

void CheckMoment(CheckContext& context, const std::string& name, std::uint32_t table_id,
                 std::uint64_t time) {
  if (time == 0 || time > context.commit_time) {
    context.Problem(name + ": its moment was not given yet");
  }
  context.pinned.insert(table_id);
  if (const auto found = context.tables.find(table_id); found != context.tables.end()) {
    const std::optional<keyspace::History>& history = found->second.table.history;
    if (!history || history->since == 0 || history->since > time) {
      context.Problem(name + ": its table keeps no history since then");
    }
    return;
  }
  const auto dropped = context.dropped.find(table_id);
  if (dropped == context.dropped.end() || !dropped->second.kept_history) {
    context.Problem(name + ": its table is not there, and was not kept");
  }
}

void CheckBackupRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.backups;
  const Result<keyspace::BackupId> id = keyspace::BackupOfKey(key);
  const Result<keyspace::BackupRow> backup = keyspace::DecodeBackupRow(row);
  if (!id || !backup) {
    return context.Problem("a backup cannot be read: " +
                           (id ? backup.error().message : id.error().message));
  }
  const std::string name =
      "backup " + backup->name + " of the table " + backup->table.settings.name;
  if ((backup->type == BackupType::kSystem) != backup->expires.has_value()) {
    context.Problem(name + ": only system backups expire");
  }
  CheckMoment(context, name, backup->table.settings.id, backup->time);
}

void CheckCheckpointRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.checkpoints;
  const Result<std::string_view> name = keyspace::CheckpointOfKey(key);
  const Result<keyspace::CheckpointRow> checkpoint = keyspace::DecodeCheckpointRow(row);
  if (!name || !checkpoint) {
    return context.Problem("a checkpoint cannot be read: " +
                           (name ? checkpoint.error().message : name.error().message));
  }
  const std::string text = "checkpoint " + std::string(*name);
  if (checkpoint->tables.empty() &&
      (checkpoint->time == 0 || checkpoint->time > context.commit_time)) {
    context.Problem(text + ": its moment was not given yet");
  }
  for (const keyspace::TableRow& table : checkpoint->tables) {
    CheckMoment(context, text + ", table " + table.settings.name, table.settings.id,
                checkpoint->time);
  }
  if (checkpoint->restoring) {
    context.going_back = true;
    context.report.notes.Add("everything is being taken back to the " + text);
  }
}

void CheckRestoreRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::TableId> id = keyspace::TableOfRestoreKey(key);
  const Result<keyspace::RestoreRow> progress = keyspace::DecodeRestoreRow(row);
  if (!id || !progress) {
    return context.Problem("the progress of a restore or rewind cannot be read: " +
                           (id ? progress.error().message : id.error().message));
  }
  const auto found = context.tables.find(*id);
  if (found == context.tables.end() ||
      !(found->second.table.restore || found->second.table.rewind)) {
    return context.Problem("a table with the id " + std::to_string(*id) +
                           " is said to be restored or rewound, and is not");
  }
  found->second.has_progress = true;
}

void CheckRestores(CheckContext& context) {
  for (const auto& [id, checked] : context.tables) {
    if (const auto& restore = checked.table.restore) {
      CheckMoment(context, "table " + checked.table.name + ", which is being restored",
                  restore->source, restore->time);
    }
    if (const auto& rewind = checked.table.rewind) {
      const std::string name = "table " + checked.table.name + ", which is being rewound";
      CheckMoment(context, name, id, rewind->time);
      if (rewind->before < rewind->time || rewind->before >= context.commit_time) {
        context.Problem(name + ": the moment before was not given yet");
      }
      if (!checked.has_progress) {
        context.Problem(name + ": how far is not known");
      }
    }
  }
}

}  // namespace stator::engine
