// Carries an import out: reads the objects in the order of their keys and writes the items of each, a
// batch at a time, with the number of records that were taken; so one that was cut off goes on behind
// them, and nothing is counted twice. At the end the indexes are filled, and the table is there.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "bulk/packing.h"
#include "engine/background.h"
#include "engine/imported_records.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/transfers.h"
#include "value/item_codec.h"
#include "value/json_text.h"
#include "value/size.h"

namespace stator::engine {
namespace {

using keyspace::ImportRow;

// What is read before other transfers have their turn.
constexpr std::uint64_t kTurnBytes = std::uint64_t{64} << 20;
constexpr std::size_t kObjectsMax = 50'000;  // of the service
constexpr std::int64_t kErrorsLoggedMax = 10'000;
constexpr std::int64_t kWhole = -1;  // ImportRow::records of an object that was read to its end

bulk::Packing PackingOf(InputCompressionType type) {
  switch (type) {
    case InputCompressionType::kGzip:
      return bulk::Packing::kGzip;
    case InputCompressionType::kZstd:
      return bulk::Packing::kZstd;
    case InputCompressionType::kNone:
      return bulk::Packing::kNone;
  }
  std::unreachable();
}

Result<void> CheckImported(const Table& table, const Item& item) {
  TRY_VOID(CheckItemKeys(table, item));
  if (value::SizeOfItem(item) > limits::kItemBytesMax) {
    return Invalid("Item size has exceeded the maximum allowed size");
  }
  return {};
}

void AppendTo(const ImportRow& row, const TransferId& id, storage::WriteBatch& batch) {
  std::string bytes;
  keyspace::AppendImportRow(row, bytes);
  batch.Put(keyspace::TransferKey(KeyKind::kImport, id), bytes);
}

// An import while it reads objects.
class Importing {
 public:
  Importing(EngineCore& core, const TransferId& id, ImportRow& row, const Table& table)
      : core_(core), id_(id), row_(row), table_(table) {
    Show();
  }

  // What of it is no item is counted. Fails for reasons of the bucket, or of the store, which
  // store_failed tells apart.
  Result<void> TakeObject(bulk::Bucket& bucket, const bulk::Object& object) {
    if (row_.object != object.key) {
      row_.object = object.key;
      row_.records = 0;
    }
    passed_ = 0;
    const std::unique_ptr<RecordReader> reader =
        RecordReader::Make(row_.description, table_,
                           [this](Result<Item> item) { return TakeRecord(std::move(item)); });
    ended_ = false;
    Result<std::string> read =
        bulk::UnpackObject(bucket, object.key, PackingOf(row_.description.input_compression_type),
                           [&](std::string_view bytes) { return reader->Add(bytes); });
    if (read) {
      if (const Result<void> finished = reader->Finish(); !finished) {
        read = std::unexpected(finished.error());
      }
    }
    if (!read && !ended_) {
      // What is packed in another way, or a line without an end, is a record that is no item.
      if (read.error().code != ErrorCode::kCorruption || store_failed_) {
        return std::unexpected(read.error());
      }
      NoteError(read.error());
      ++row_.description.processed_item_count;
    }
    row_.records = kWhole;
    row_.description.processed_size_bytes += static_cast<std::int64_t>(object.bytes);
    return Flush();
  }

  [[nodiscard]] bool store_failed() const { return store_failed_; }

 private:
  Result<void> TakeRecord(Result<Item> item) {
    if (passed_ < row_.records) {
      ++passed_;
      // What ended the object before ends it again.
      return item || item.error().code != ErrorCode::kSerialization ? Result<void>() : EndObject();
    }
    ImportTableDescription& import = row_.description;
    ++passed_;
    ++row_.records;
    ++import.processed_item_count;
    const Result<void> good =
        item ? CheckImported(table_, *item) : Result<void>(std::unexpected(item.error()));
    if (!good) {
      NoteError(good.error());
      return good.error().code == ErrorCode::kSerialization ? EndObject() : Result<void>();
    }
    ++import.imported_item_count;
    ++core_.transfers.imported_items;
    TRY_VOID(Put(*item));
    return batch_.bytes() < core_.walks.copied_bytes ? Result<void>() : Flush();
  }

  Result<void> EndObject() {
    ended_ = true;
    return Fail(ErrorCode::kSerialization, "nothing behind this record can be read");
  }

  Result<void> Put(const Item& item) {
    const std::string key = ItemKeyOf(table_, item);
    const auto bytes = static_cast<std::int64_t>(value::SizeOfItem(item));
    std::int64_t bytes_before = 0;
    bool is_new = true;
    if (const auto waiting = waiting_.find(key); waiting != waiting_.end()) {
      is_new = false;
      bytes_before = waiting->second;
    } else if (const std::optional<Item> before = TRY(ReadBefore(key))) {
      is_new = false;
      bytes_before = static_cast<std::int64_t>(value::SizeOfItem(*before));
    }
    row_.figures.items += is_new ? 1 : 0;
    row_.figures.bytes += bytes - bytes_before;
    std::string row;
    value::AppendItem(item, row);
    batch_.Put(key, row);
    waiting_.insert_or_assign(key, bytes);
    return {};
  }

  Result<std::optional<Item>> ReadBefore(const std::string& key) {
    Result<std::optional<Item>> before = ReadItem(core_, key);
    store_failed_ = !before;
    return before;
  }

  Result<void> Flush() {
    AppendTo(row_, id_, batch_);
    waiting_.clear();
    const Result<void> written = core_.store->Write(std::exchange(batch_, {}));
    store_failed_ = !written;
    TRY_VOID(written);
    Show();
    if (core_.background->stopping()) {
      store_failed_ = true;
      return Fail(ErrorCode::kUnavailable, "the engine is stopping");
    }
    return {};
  }

  void Show() const {
    table_.statistics->items = row_.figures.items;
    table_.statistics->bytes = row_.figures.bytes;
  }

  // As the service's log has it.
  void NoteError(const Error& error) {
    ImportTableDescription& import = row_.description;
    ++import.error_count;
    ++core_.transfers.import_errors;
    const std::int64_t index = std::max<std::int64_t>(0, row_.records - 1);
    if (row_.first_error.empty()) {
      row_.first_error = row_.object + ", record " + std::to_string(index) + ": " + error.message;
    }
    if (import.error_count > kErrorsLoggedMax) {
      return;
    }
    std::string line = R"({"itemS3Pointer":{"bucket":)";
    value::AppendJsonString(import.s3_bucket_source.s3_bucket, line);
    line += R"(,"key":)";
    value::AppendJsonString(row_.object, line);
    line += R"(,"itemIndex":)" + std::to_string(index) + R"(},"importArn":)";
    value::AppendJsonString(import.import_arn, line);
    line += R"(,"errorMessages":[)";
    value::AppendJsonString(error.message, line);
    line += "]}";
    core_.Say(line);
  }

  EngineCore& core_;
  const TransferId id_;
  ImportRow& row_;
  const Table& table_;
  storage::WriteBatch batch_;
  std::unordered_map<std::string, std::int64_t> waiting_;  // bytes of the items in the batch
  std::int64_t passed_ = 0;                                // records of this object
  bool ended_ = false;                                     // by a record that cannot be read
  bool store_failed_ = false;
};

void Report(EngineCore& core, const ImportTableDescription& import) {
  const bool completed = import.import_status == ImportStatus::kCompleted;
  ++(completed ? core.transfers.imports_completed : core.transfers.imports_failed);
  core.Say("import " + import.import_arn + (completed ? " is complete: " : " has failed: ") +
           std::to_string(import.imported_item_count) + " items imported, " +
           std::to_string(import.error_count) + " errors" +
           (completed ? "" : ": " + import.failure_message.value_or("")));
}

void SetOutcome(EngineCore& core, ImportRow& row, const std::optional<Error>& failure) {
  ImportTableDescription& import = row.description;
  import.end_time = core.clock.Now();
  import.import_status = ImportStatus::kCompleted;
  if (failure) {
    import.import_status = ImportStatus::kFailed;
    import.failure_code = FailureCodeOf(*failure);
    import.failure_message = failure->message;
  } else if (import.error_count > 0) {
    import.import_status = ImportStatus::kFailed;
    import.failure_code = "ItemValidationError";
    import.failure_message =
        "Some of the items failed validation checks and were not imported. Please check CloudWatch "
        "error logs for more details. The first: " +
        row.first_error;
  }
}

// Before anything was read: there will be no table.
Result<void> GiveUp(EngineCore& core, const TransferId& id, ImportRow row, const Error& failure) {
  SetOutcome(core, row, failure);
  {
    const auto lock = core.catalog.ChangeLock();
    const TablePtr table = core.catalog.FindId(row.table.settings.id);
    CHECK_THAT(table != nullptr && table->importing, "a table that is being imported stays");
    storage::WriteBatch batch;
    AppendTo(row, id, batch);
    TRY_VOID(core.catalog.Remove(*table, std::move(batch)));
  }
  Report(core, row.description);
  return {};
}

Result<void> Finish(EngineCore& core, const TransferId& id, ImportRow row,
                    const std::optional<Error>& failure) {
  const std::uint32_t table_id = row.table.settings.id;
  std::vector<std::uint32_t> indexes;
  for (const Index& index : core.catalog.FindId(table_id)->indexes) {
    indexes.push_back(index.id);
  }
  for (const std::uint32_t index_id : indexes) {
    TRY_VOID(BackfillIndex(core, table_id, index_id));
  }
  SetOutcome(core, row, failure);
  {
    const auto lock = core.catalog.ChangeLock();
    const TablePtr current = core.catalog.FindId(table_id);
    CHECK_THAT(current != nullptr && current->importing, "a table that is being imported stays");
    Table next = *current;
    next.importing = false;
    storage::WriteBatch batch;
    AppendTo(row, id, batch);
    TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  }
  Report(core, row.description);
  return {};
}

bool WasRead(const ImportRow& row, const bulk::Object& object) {
  return object.key < row.object || (object.key == row.object && row.records == kWhole);
}

}  // namespace

Result<void> ContinueImport(EngineCore& core, const TransferId& id) {
  std::optional<ImportRow> row = TRY(FindImport(core, id));
  if (!row || row->description.import_status != ImportStatus::kInProgress) {
    return {};
  }
  const S3BucketSource& source = row->description.s3_bucket_source;
  Result<std::unique_ptr<bulk::Bucket>> bucket = core.open_bucket(source.s3_bucket);
  Result<std::vector<bulk::Object>> objects =
      bucket ? (*bucket)->List(source.s3_key_prefix.value_or(""), kObjectsMax)
             : std::unexpected(bucket.error());
  if (!objects) {
    const Error failure = objects.error();
    return row->object.empty() ? GiveUp(core, id, *std::move(row), failure)
                               : Finish(core, id, *std::move(row), failure);
  }
  const TablePtr table = core.catalog.FindId(row->table.settings.id);
  CHECK_THAT(table != nullptr && table->importing, "a table that is being imported stays");
  Importing importing(core, id, *row, *table);
  std::uint64_t bytes = 0;
  for (const bulk::Object& object : *objects) {
    if (WasRead(*row, object)) {
      continue;
    }
    if (bytes >= kTurnBytes) {
      core.background->EnqueueTransfer([&core, id] { return ContinueImport(core, id); });
      return {};
    }
    if (const Result<void> taken = importing.TakeObject(**bucket, object); !taken) {
      if (importing.store_failed()) {
        return taken;
      }
      return Finish(core, id, *std::move(row), taken.error());
    }
    bytes += object.bytes;
  }
  return Finish(core, id, *std::move(row), std::nullopt);
}

}  // namespace stator::engine
