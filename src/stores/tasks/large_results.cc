// Results that are larger than the record may be: in a store of blobs, under a key that the record
// has. The blob is written before the record that names it. So what a process that dies in between
// leaves is a blob that nothing names; those are removed by SweepResults and nowhere else, because
// two workers with the same result name the same blob.

#include <utility>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "stator/api/database.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/tasks/task_store.h"
#include "stator/stores/tasks/task_survey.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

// Of one task: no other names its blobs. Owners may be longer than a file system takes.
std::string FolderOf(const std::string& table, const RecordKey& key) {
  return table + "/" + blobs::HexDigest(ToText(key));
}

}  // namespace

Result<StoredValue> TaskStore::Encode(TaskRecord& record) {
  Result<StoredValue> value = EncodeWhole(record);
  if (value || value.error().code != ErrorCode::kTooLarge || options_.blobs == nullptr ||
      !record.result) {
    return value;
  }
  const RecordKey key{.owner = record.owner_id, .task = record.task.id};
  const std::string text = record.result->ToText();
  if (text.size() > options_.result_bytes_max) {
    return RecordTooLarge(key.task, options_.result_bytes_max, text.size());
  }
  TaskRecord without = record;
  without.result.reset();
  without.result_blob = MakeBlobKey(FolderOf(options_.table, key), text);
  value = EncodeWhole(without);  // Before the blob is written: the rest may be too large as well.
  if (!value) {
    return value;
  }
  if (const Result<void> written = options_.blobs->Write(*without.result_blob, text); !written) {
    return std::unexpected(ErrorOf(key.task, written.error()));
  }
  record.result_blob = without.result_blob;
  return value;
}

Result<void> TaskStore::FetchResult(TaskRecord& record) {
  if (!record.result_blob || record.result) {
    return {};
  }
  if (options_.blobs == nullptr) {
    return std::unexpected(
        ErrorOf(record.task.id, {.code = ErrorCode::kCorruption,
                                 .message = "the result is in a store of blobs: none was given"}));
  }
  const Result<std::string> text = options_.blobs->Read(*record.result_blob);
  if (!text) {
    const bool is_gone = text.error().code == ErrorCode::kResourceNotFound;
    return std::unexpected(
        ErrorOf(record.task.id, is_gone ? Error{.code = ErrorCode::kCorruption,
                                                .message = "the blob of the result is missing"}
                                        : text.error()));
  }
  Result<Json> result = Json::Parse(*text);
  if (!result) {
    return std::unexpected(ErrorOf(
        record.task.id, {.code = ErrorCode::kCorruption, .message = result.error().message}));
  }
  record.result = *std::move(result);
  return {};
}

Result<std::size_t> SweepResults(Database& database, const std::string& table, BlobStore& blobs,
                                 TimePoint now) {
  // Longer than anybody takes from writing a blob to storing its key.
  constexpr Duration kUnfinished = std::chrono::hours(1);
  ScanInput input{.table_name = table,
                  .filter_expression = "attribute_exists(#b)",
                  .projection_expression = "#b",
                  .expression_attribute_names = AttributeNames{{"#b", std::string(kResultBlob)}},
                  .consistent_read = true};
  std::set<std::string> used;
  do {
    ScanOutput page = TRY(database.Scan(input));
    for (const Item& item : page.items.value_or(std::vector<Item>())) {
      used.insert(TextAttribute(item, kResultBlob).value_or(""));
    }
    input.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (input.exclusive_start_key);
  TRY_VOID(blobs.RemoveUnfinished(now - kUnfinished));
  return RemoveUnusedBlobs(blobs, EncodeBlobFolder(table), used, now - kUnfinished);
}

}  // namespace stator::tasks
