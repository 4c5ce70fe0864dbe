#include "engine/repair_database.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "engine/engine.h"
#include "engine/history.h"
#include "engine/new_directory.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"
#include "engine/table_row.h"
#include "keyspace/backup_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/export_row.h"
#include "keyspace/format_version.h"
#include "keyspace/import_row.h"
#include "keyspace/keys.h"
#include "keyspace/token_row.h"
#include "storage/salvage.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator::engine {
namespace {

constexpr std::size_t kBatchBytes = 1 << 20;

// Takes rows in the order of their keys, which is: counters, tables, streams, items, the rest.
class Repair {
 public:
  Repair(storage::Store& store, RepairReport& report) : store_(store), report_(report) {}

  Result<void> Take(std::string_view key, std::string_view row) {
    using keyspace::KeyKind;
    switch (static_cast<KeyKind>(key.empty() ? '\0' : key[0])) {
      case KeyKind::kFormat:
        return TakeFormat(row);
      case KeyKind::kCounter:
        TakeCounter(key, row);
        return {};
      case KeyKind::kTable:
        TakeTable(key, row);
        return {};
      case KeyKind::kDroppedTable:
        return TakeDroppedTable(key, row);
      case KeyKind::kStream:
        TakeStream(key, row);
        return {};
      case KeyKind::kBackup:
        TakeBackup(row);
        return {};
      case KeyKind::kCheckpoint:
        LeaveOut("the checkpoint " + std::string(keyspace::CheckpointOfKey(key).value_or("")));
        return {};
      case KeyKind::kRestore:
      case KeyKind::kExportFile:
        return {};  // see TakeTable, TakeExport
      case KeyKind::kExport:
        return TakeExport(key, row);
      case KeyKind::kImport:
        return TakeImport(key, row);
      case KeyKind::kItem:
        return TakeItem(key, row);
      case KeyKind::kIndex:
      case KeyKind::kExpiry:
      case KeyKind::kTokenExpiry:
        return {};  // made anew
      case KeyKind::kStreamRecord:
        return TakeStreamRecord(key, row);
      case KeyKind::kToken:
        return TakeToken(key, row);
      case KeyKind::kUndo:
        break;  // not among these rows
    }
    ++report_.left_out;
    return {};
  }

  // To be called last: writes the catalog.
  Result<void> Finish() {
    batch_.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion());
    std::set<std::uint32_t> enabled;
    const std::uint64_t now = CommitTimeOf(SystemClock().Now());
    for (auto& [id, table] : tables_) {
      KeepHistoryFrom(now, table);
      if (table.stream && !streams_.contains(table.stream->id)) {
        table.stream.reset();
      }
      if (table.stream) {
        enabled.insert(table.stream->id);
      }
      KeepOutgoing(table, enabled);
      MakeAnew(table);
      std::string row;
      AppendTable(table, row);
      batch_.Put(keyspace::TableKey(table.name), row);
    }
    for (auto& [id, stream] : streams_) {
      if (!stream.disabled_at && !enabled.contains(id)) {
        stream.disabled_at = SystemClock().Now();
      }
      PutStream(stream, batch_);
    }
    batch_.Put(keyspace::CounterKey(keyspace::Counter::kNextTableId),
               keyspace::EncodeCounter(next_table_));
    batch_.Put(keyspace::CounterKey(keyspace::Counter::kNextStreamId),
               keyspace::EncodeCounter(next_stream_));
    batch_.Put(keyspace::CounterKey(keyspace::Counter::kCommitTime),
               keyspace::EncodeCounter(std::max(now, commit_time_)));
    return store_.Write(std::move(batch_));
  }

 private:
  // Undo rows are not taken: they would have to agree with items that may be lost.
  void KeepHistoryFrom(std::uint64_t now, Table& table) {
    table.history.reset();
    if (table.recovery) {
      const std::uint64_t since = std::max(now, commit_time_);
      table.history = keyspace::History{.since = since, .floor = since};
      table.recovery->since = since;
      report_.losses.push_back("the history of the table " + table.name +
                               "; its recovery begins anew");
    }
  }

  // A destination whose records are lost is one that was disabled.
  void KeepOutgoing(Table& table, std::set<std::uint32_t>& enabled) {
    if (table.outgoing && streams_.contains(table.outgoing->id)) {
      enabled.insert(table.outgoing->id);
      return;
    }
    table.outgoing.reset();
    for (keyspace::KinesisDestination& destination : table.kinesis) {
      if (destination.status != DestinationStatus::kEnableFailed) {
        destination.status = DestinationStatus::kDisabled;
      }
    }
  }

  void LeaveOut(const std::string& what) {
    ++report_.left_out;
    report_.losses.push_back(what);
  }

  Result<void> Put(std::string_view key, std::string_view row) {
    batch_.Put(key, row);
    ++report_.rows;
    if (batch_.bytes() < kBatchBytes) {
      return {};
    }
    return store_.Write(std::exchange(batch_, {}));
  }

  // A damaged one is made anew, a newer one is not for us.
  static Result<void> TakeFormat(std::string_view row) {
    const Result<std::uint32_t> version = keyspace::DecodeFormatVersion(row);
    return version || version.error().code == ErrorCode::kCorruption
               ? Result<void>()
               : std::unexpected(version.error());
  }

  void TakeCounter(std::string_view key, std::string_view row) {
    const Result<std::uint64_t> number = keyspace::DecodeCounter(row);
    if (number && key == keyspace::CounterKey(keyspace::Counter::kCommitTime)) {
      commit_time_ = *number;
    } else if (number && key == keyspace::CounterKey(keyspace::Counter::kNextTableId)) {
      next_table_ = std::max(next_table_, *number);
    } else if (number && key == keyspace::CounterKey(keyspace::Counter::kNextStreamId)) {
      next_stream_ = std::max(next_stream_, *number);
    }
  }

  void TakeTable(std::string_view key, std::string_view row) {
    Result<Table> table = DecodeTable(row);
    if (!table || keyspace::TableKey(table->name) != key) {
      return LeaveOut("the table " + std::string(keyspace::TableNameOfKey(key).value_or("")) +
                      " cannot be read, so its items are lost");
    }
    table->statistics->items = 0;
    table->statistics->bytes = 0;
    next_table_ = std::max<std::uint64_t>(next_table_, table->id + std::uint64_t{1});
    if (table->restore) {
      dropped_.insert(table->id);
      return LeaveOut("the table " + table->name +
                      ", which was being restored; what it is restored from is lost");
    }
    if (table->importing) {
      dropped_.insert(table->id);
      return LeaveOut("the table " + table->name + ", which was being imported: import it again");
    }
    if (std::exchange(table->rewind, std::nullopt)) {
      report_.losses.push_back("the end of a rewind of the table " + table->name +
                               ": some of its items are what they were, others are not");
    }
    ++report_.rows;
    tables_.insert_or_assign(table->id, std::move(*table));
  }

  // Records of those that have ended.
  Result<void> TakeExport(std::string_view key, std::string_view bytes) {
    const Result<keyspace::ExportRow> row = keyspace::DecodeExportRow(bytes);
    if (!row || row->description.export_status == ExportStatus::kInProgress) {
      LeaveOut(row ? "the export " + row->description.export_arn + ", which was under way"
                   : "an export that cannot be read");
      return {};
    }
    return Put(key, bytes);
  }
  Result<void> TakeImport(std::string_view key, std::string_view bytes) {
    const Result<keyspace::ImportRow> row = keyspace::DecodeImportRow(bytes);
    if (!row || row->description.import_status == ImportStatus::kInProgress) {
      LeaveOut(row ? "the import " + row->description.import_arn + ", which was under way"
                   : "an import that cannot be read");
      return {};
    }
    return Put(key, bytes);
  }

  Result<void> TakeDroppedTable(std::string_view key, std::string_view row) {
    const Result<std::uint32_t> id = keyspace::TableOfDroppedTableKey(key);
    const Result<keyspace::DroppedTableRow> dropped = keyspace::DecodeDroppedTableRow(row);
    if (!id || !dropped) {
      ++report_.left_out;
      return {};
    }
    next_table_ = std::max<std::uint64_t>(next_table_, *id + std::uint64_t{1});
    dropped_.insert(*id);
    std::string left;
    keyspace::AppendDroppedTableRow({.name = dropped->name}, left);
    return Put(key, left);
  }

  // It needs undo rows.
  void TakeBackup(std::string_view row) {
    const Result<keyspace::BackupRow> backup = keyspace::DecodeBackupRow(row);
    LeaveOut(backup ? "the backup " + backup->name + " of the table " + backup->table.settings.name
                    : "a backup that cannot be read");
  }

  void TakeStream(std::string_view key, std::string_view row) {
    Result<StreamRow> stream = keyspace::DecodeStreamRow(row);
    if (!stream || keyspace::StreamKey(stream->stream.id) != key) {
      return LeaveOut("a stream cannot be read, so its records are lost");
    }
    next_stream_ = std::max<std::uint64_t>(next_stream_, stream->stream.id + std::uint64_t{1});
    ++report_.rows;
    streams_.insert_or_assign(stream->stream.id, std::move(*stream));
  }

  Result<void> TakeItem(std::string_view key, std::string_view row) {
    const Result<keyspace::ItemKey> parts = keyspace::DecodeItemKey(key);
    const Result<Item> item = value::DecodeItem(row);
    if (!parts || !item) {
      ++report_.left_out;
      return {};
    }
    const auto table = tables_.find(parts->table);
    if (table == tables_.end()) {
      report_.left_out += dropped_.contains(parts->table) ? 0 : 1;
      return {};
    }
    table->second.statistics->items += 1;
    table->second.statistics->bytes += static_cast<std::int64_t>(value::SizeOfItem(*item));
    return Put(key, row);
  }

  Result<void> TakeStreamRecord(std::string_view key, std::string_view row) {
    const Result<keyspace::StreamRecordKey> parts = keyspace::DecodeStreamRecordKey(key);
    if (!parts || !streams_.contains(parts->stream) ||
        !DecodeStreamRecord(parts->stream, parts->sequence, row, "")) {
      ++report_.left_out;
      return {};
    }
    return Put(key, row);
  }

  Result<void> TakeToken(std::string_view key, std::string_view row) {
    const Result<std::string> token = keyspace::TokenOfKey(key);
    const Result<keyspace::TokenRow> stored = keyspace::DecodeTokenRow(row);
    if (!token || !stored) {
      ++report_.left_out;
      return {};
    }
    std::string queue_key;
    keyspace::AppendTokenExpiryKey(stored->until, *token, queue_key);
    TRY_VOID(Put(queue_key, ""));
    return Put(key, row);
  }

  // What follows from the items is left to the jobs of the engine that opens the directory.
  static void MakeAnew(Table& table) {
    for (Index& index : table.indexes) {
      index.statistics->items = 0;
      index.statistics->bytes = 0;
      if (index.status != IndexStatus::kDeleting) {
        index.status = IndexStatus::kCreating;
        index.backfilling = true;
      }
    }
    table.ttl_enabling = table.ttl_attribute.has_value();
    table.ttl_disabling.reset();
  }

  storage::Store& store_;
  RepairReport& report_;
  storage::WriteBatch batch_;
  std::map<std::uint32_t, Table> tables_;
  std::set<std::uint32_t> dropped_;
  std::map<std::uint32_t, StreamRow> streams_;
  std::uint64_t next_table_ = 1;
  std::uint64_t commit_time_ = 0;
  std::uint64_t next_stream_ = 1;
};

Result<void> FinishJobs(const storage::StoreOptions& options) {
  const std::unique_ptr<Engine> engine =
      TRY(Engine::Open({.store = options, .housekeeping_interval = std::chrono::milliseconds(0)}));
  engine->AwaitBackgroundJobs();
  return engine->Close();
}

}  // namespace

Result<RepairReport> RepairDatabase(const storage::StoreOptions& damaged, const std::string& into) {
  TRY_VOID(CheckIsFree(into));
  const std::string scratch = into + ".scratch";
  TRY_VOID(CheckIsFree(scratch));
  storage::StoreOptions reading = damaged;
  reading.format_version = keyspace::kFormatVersion;
  RepairReport report;
  storage::StoreOptions writing;
  writing.path = into;
  writing.format_version = keyspace::kFormatVersion;
  writing.durability = storage::Durability::kRelaxed;
  const auto work = [&]() -> Result<void> {
    storage::Salvaged salvaged = TRY(storage::OpenToSalvage(reading, scratch));
    report.losses = std::move(salvaged.losses);
    const std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(writing));
    Repair repair(*store, report);
    report.gaps = TRY(storage::VisitReadableRows(
        *salvaged.store,
        [&](std::string_view key, std::string_view row) { return repair.Take(key, row); }));
    TRY_VOID(repair.Finish());
    return store->Close();
  };
  const Result<void> done = work();
  std::error_code ignored;
  std::filesystem::remove_all(scratch, ignored);
  TRY_VOID(done);
  TRY_VOID(FinishJobs(writing));
  report.check = TRY(CheckDatabase(writing));
  return report;
}

}  // namespace stator::engine
