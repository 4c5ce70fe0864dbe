// Carries an export out: a data file at a time, in the order of the items' keys, then the two lists. What
// is in the bucket has a row (keyspace/export_row.h), so an export that was cut off goes on behind its
// last file; one whose row was not written yet is written again, under the same name.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "bulk/export_files.h"
#include "engine/as_of_cursor.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/transfers.h"
#include "keyspace/key_range.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

using keyspace::ExportRow;

// How often it is looked whether the engine stops.
constexpr std::uint64_t kItemsBetweenLooks = 1024;
// What the service bills an incremental export at least, and a small full one not at all.
constexpr std::int64_t kBilledBytesMin = 10'000'000;

bulk::ExportPlace PlaceOf(const ExportRow& row, const TransferId& id) {
  return {.prefix = row.description.s3_prefix.value_or(""),
          .id = bulk::IdText(id.created_ms, id.number),
          .incremental = row.before.has_value()};
}

// The keys of items whose hashes are of one part of all.
keyspace::KeyRange SegmentRange(std::uint32_t table, int segment) {
  std::string prefix;
  keyspace::AppendItemsPrefix(table, prefix);
  constexpr int kHashes = 1 << 16;
  const auto bound = [&](int at) {
    std::string key = prefix;
    base::AppendBigEndian(static_cast<std::uint16_t>(kHashes / bulk::kExportSegments * at), key);
    return key;
  };
  return {.begin = bound(segment),
          .end = segment + 1 == bulk::kExportSegments ? keyspace::PrefixEnd(prefix)
                                                      : bound(segment + 1)};
}

Item KeysOf(const ExportRow& row, const Item& item) {
  Item keys;
  for (const std::string* name : {&row.partition, row.sort ? &*row.sort : nullptr}) {
    if (const AttributeValue* value = name == nullptr ? nullptr : item.Find(*name)) {
      keys.Set(*name, *value);
    }
  }
  return keys;
}

// One data file while it is being filled.
class Filling {
 public:
  Filling(EngineCore& core, const ExportRow& row, const keyspace::KeyRange& range)
      : core_(core), row_(row), range_(range), next_(range.end) {}

  Result<void> Run() {
    const HistoryKeeper::Lease at = TRY(core_.history->Take(row_.table, row_.time));
    if (!row_.before) {
      return TakeItems();
    }
    const HistoryKeeper::Lease before = TRY(core_.history->Take(row_.table, *row_.before));
    return TakeChanges();
  }

  bulk::DataFile& file() { return file_; }
  // The first key that is not in the file.
  [[nodiscard]] const std::string& next() const { return next_; }

 private:
  // Whether there is room for another. `key` was the last.
  Result<bool> HasRoom(std::string_view key) {
    if (file_.items() % kItemsBetweenLooks == 0 && core_.background->stopping()) {
      return Fail(ErrorCode::kUnavailable, "the engine is stopping");
    }
    if (!file_.IsFull()) {
      return true;
    }
    next_.assign(key).push_back('\0');
    return false;
  }

  Result<void> TakeItems() {
    const storage::Snapshot snapshot = core_.store->TakeSnapshot();
    AsOfCursor cursor(*core_.store, snapshot, range_, row_.time);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      file_.AddItem(TRY(value::DecodeItem(cursor.value())));
      if (!TRY(HasRoom(cursor.key()))) {
        return {};
      }
    }
    return cursor.status();
  }

  // Items that have an undo row of the period.
  Result<void> TakeChanges() {
    const storage::Snapshot snapshot = core_.store->TakeSnapshot();
    std::string begin;
    std::string end;
    keyspace::AppendUndoPrefix(range_.begin, begin);
    keyspace::AppendUndoPrefix(range_.end, end);
    storage::Cursor undo =
        core_.store->NewCursor(&snapshot, begin, end, 0, storage::Family::kHistory);
    undo.SeekToFirst();
    while (undo.Valid()) {
      const std::string item_key = keyspace::ItemKeyOfUndo(TRY(keyspace::SplitUndoKey(undo.key())));
      const std::optional<Change> change = TRY(ReadChange(item_key, undo));
      // Rows of an item that ends before the range begins can be in the range of undo rows.
      if (!change || item_key < range_.begin) {
        continue;
      }
      TRY_VOID(AddChange(item_key, *change, snapshot));
      if (!TRY(HasRoom(item_key))) {
        return {};
      }
    }
    return undo.status();
  }

  // What undo rows tell of an item: its row before the period, the time of its last change in it, and its
  // row at the end, unless that is what it still is.
  struct Change {
    std::string before;
    std::uint64_t last = 0;
    std::optional<std::string> after = std::nullopt;
  };

  // Moves behind the undo rows of the item. Nothing when it was not changed in the period.
  Result<std::optional<Change>> ReadChange(const std::string& item_key, storage::Cursor& undo) {
    std::optional<Change> change;
    std::optional<std::string> after;
    for (; undo.Valid(); undo.Next()) {
      const keyspace::UndoKey key = TRY(keyspace::SplitUndoKey(undo.key()));
      if (key.item != keyspace::UndoItemOf(item_key)) {
        break;
      }
      if (key.time <= *row_.before) {
        continue;
      }
      if (key.time <= row_.time) {
        if (!change) {
          change = Change{.before = std::string(undo.value())};
        }
        change->last = key.time;
      } else if (!after) {
        after = undo.value();
      }
    }
    if (change) {
      change->after = std::move(after);
    }
    return change;
  }

  Result<void> AddChange(const std::string& item_key, const Change& change,
                         const storage::Snapshot& snapshot) {
    std::string after;
    if (change.after) {
      after = *change.after;
    } else {
      storage::PinnedValue value;
      if (TRY(core_.store->Get(item_key, value, &snapshot))) {
        after = value.view();
      }
    }
    if (change.before.empty() && after.empty()) {
      return {};  // made and removed
    }
    bulk::DataFile::Change line{.micros = change.last};
    if (!change.before.empty()) {
      line.before = TRY(value::DecodeItem(change.before));
    }
    if (!after.empty()) {
      line.after = TRY(value::DecodeItem(after));
    }
    line.keys = KeysOf(row_, line.after ? *line.after : *line.before);
    const auto& period = row_.description.incremental_export_specification;
    if (period->export_view_type == ExportViewType::kNewImage) {
      line.before.reset();
    }
    file_.AddChange(line);
    return {};
  }

  EngineCore& core_;
  const ExportRow& row_;
  const keyspace::KeyRange range_;
  std::string next_;
  bulk::DataFile file_;
};

// Writes the row, and says what else belongs to it.
Result<void> Save(EngineCore& core, const TransferId& id, const ExportRow& row,
                  storage::WriteBatch batch) {
  std::string bytes;
  keyspace::AppendExportRow(row, bytes);
  batch.Put(keyspace::TransferKey(KeyKind::kExport, id), bytes);
  return core.store->Write(std::move(batch));
}

// Nothing of it is needed any more but its record.
Result<void> End(EngineCore& core, const TransferId& id, ExportRow row) {
  {
    const auto lock = core.catalog.ChangeLock();
    storage::WriteBatch batch;
    for (std::uint32_t file = 0; file < row.files; ++file) {
      batch.Delete(keyspace::ExportFileKey(id, file));
    }
    row.next.clear();
    TRY_VOID(Save(core, id, row, std::move(batch)));
    core.history->Unpin(row.table, row.time);
    if (row.before) {
      core.history->Unpin(row.table, *row.before);
    }
  }
  const ExportDescription& description = row.description;
  const bool completed = description.export_status == ExportStatus::kCompleted;
  ++(completed ? core.transfers.exports_completed : core.transfers.exports_failed);
  core.Say("export " + description.export_arn +
           (completed ? " is complete: " + std::to_string(row.items) + " items in " +
                            std::to_string(row.files) + " files"
                      : " has failed: " + description.failure_message.value_or("")));
  return ReleaseHistory(core, row.table);
}

Result<void> EndFailed(EngineCore& core, const TransferId& id, ExportRow row, const Error& error) {
  row.description.export_status = ExportStatus::kFailed;
  row.description.end_time = core.clock.Now();
  row.description.failure_code = FailureCodeOf(error);
  row.description.failure_message = error.message;
  return End(core, id, std::move(row));
}

Result<std::string> ListOfFiles(EngineCore& core, const TransferId& id) {
  const keyspace::KeyRange range = keyspace::RangeOfPrefix(keyspace::ExportFilesPrefix(id));
  storage::Cursor cursor = core.store->NewCursor(nullptr, range.begin, range.end);
  std::string list;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    const keyspace::ExportFileRow file = TRY(keyspace::DecodeExportFileRow(cursor.value()));
    list += bulk::ManifestLine(
        {.key = file.key, .md5 = file.md5, .etag = file.etag, .items = file.items});
  }
  TRY_VOID(cursor.status());
  return list;
}

bulk::ExportSummary SummaryOf(const ExportRow& row, const bulk::ExportPlace& place) {
  const ExportDescription& description = row.description;
  bulk::ExportSummary summary{
      .export_arn = description.export_arn,
      .started = description.start_time,
      .ended = *description.end_time,
      .table_arn = description.table_arn,
      .table_id = description.table_id,
      .time = description.export_time.value_or(TimePoint()),
      .bucket = description.s3_bucket,
      .prefix = description.s3_prefix,
      .encryption = description.s3_sse_algorithm == S3SseAlgorithm::kKms ? "KMS" : "AES256",
      .kms_key_id = description.s3_sse_kms_key_id,
      .files_key = place.Files(),
      .billed_bytes = static_cast<std::uint64_t>(*description.billed_size_bytes),
      .items = static_cast<std::uint64_t>(row.items)};
  if (const auto& period = description.incremental_export_specification) {
    summary.time = *period->export_to_time;
    summary.from = *period->export_from_time;
    summary.view =
        period->export_view_type == ExportViewType::kNewImage ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES";
  }
  return summary;
}

Result<void> Finish(EngineCore& core, const TransferId& id, ExportRow row, bulk::Bucket& bucket) {
  const bulk::ExportPlace place = PlaceOf(row, id);
  const std::string list = TRY(ListOfFiles(core, id));
  ExportDescription& description = row.description;
  description.end_time = core.clock.Now();
  description.billed_size_bytes = row.before ? std::max(kBilledBytesMin, row.bytes)
                                  : row.bytes < kBilledBytesMin ? 0
                                                                : row.bytes;
  Result<void> put = bulk::PutManifest(bucket, place.Files(), list);
  if (put) {
    put = bulk::PutManifest(bucket, place.Summary(), bulk::SummaryText(SummaryOf(row, place)));
  }
  if (!put) {
    description.billed_size_bytes.reset();
    return EndFailed(core, id, std::move(row), put.error());
  }
  description.export_status = ExportStatus::kCompleted;
  description.export_manifest = place.Summary();
  description.item_count = row.items;
  return End(core, id, std::move(row));
}

// The part of the table that comes next; nothing when there is none.
std::optional<keyspace::KeyRange> NextRange(const ExportRow& row) {
  for (int segment = 0; segment < bulk::kExportSegments; ++segment) {
    keyspace::KeyRange range = SegmentRange(row.table, segment);
    if (row.next < range.end) {
      range.begin = std::max(range.begin, row.next);
      return range;
    }
  }
  return std::nullopt;
}

bool IsWholeSegment(const ExportRow& row, const keyspace::KeyRange& range) {
  for (int segment = 0; segment < bulk::kExportSegments; ++segment) {
    if (range.begin == SegmentRange(row.table, segment).begin) {
      return true;
    }
  }
  return false;
}

// Writes the next data file. Fails for reasons of the store only.
Result<void> WriteFile(EngineCore& core, const TransferId& id, ExportRow row, bulk::Bucket& bucket,
                       const keyspace::KeyRange& range) {
  Filling filling(core, row, range);
  if (const Result<void> filled = filling.Run(); !filled) {
    if (filled.error().code == ErrorCode::kCorruption) {
      return EndFailed(core, id, std::move(row), filled.error());
    }
    return filled;
  }
  storage::WriteBatch batch;
  row.next = filling.next();
  // Every part has a file, if an empty one.
  if (filling.file().items() > 0 || IsWholeSegment(row, range)) {
    const Result<bulk::ExportFile> put =
        filling.file().Put(bucket, PlaceOf(row, id).Data(row.name));
    if (!put) {
      return EndFailed(core, id, std::move(row), put.error());
    }
    std::string bytes;
    keyspace::AppendExportFileRow(
        {.key = put->key, .md5 = put->md5, .etag = put->etag, .items = put->items}, bytes);
    batch.Put(keyspace::ExportFileKey(id, row.files), bytes);
    ++row.files;
    row.items += static_cast<std::int64_t>(put->items);
    row.bytes += static_cast<std::int64_t>(filling.file().bytes());
    row.name = bulk::NewDataName(core.random);
    core.transfers.exported_items += put->items;
  }
  TRY_VOID(Save(core, id, row, std::move(batch)));
  core.background->EnqueueTransfer([&core, id] { return ContinueExport(core, id); });
  return {};
}

}  // namespace

Result<void> ContinueExport(EngineCore& core, const TransferId& id) {
  std::optional<ExportRow> row = TRY(FindExport(core, id));
  if (!row || row->description.export_status != ExportStatus::kInProgress) {
    return {};
  }
  const Result<std::unique_ptr<bulk::Bucket>> bucket = core.open_bucket(row->description.s3_bucket);
  if (!bucket) {
    return EndFailed(core, id, *std::move(row), bucket.error());
  }
  if (row->next.empty()) {
    if (const auto put = (*bucket)->Put(PlaceOf(*row, id).Started(), ""); !put) {
      return EndFailed(core, id, *std::move(row), put.error());
    }
  }
  const std::optional<keyspace::KeyRange> range = NextRange(*row);
  return range ? WriteFile(core, id, *std::move(row), **bucket, *range)
               : Finish(core, id, *std::move(row), **bucket);
}

}  // namespace stator::engine
