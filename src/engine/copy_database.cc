#include "engine/copy_database.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "engine/new_directory.h"
#include "keyspace/format_version.h"
#include "keyspace/keys.h"
#include "storage/store.h"

namespace stator::engine {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

Result<void> CopyFamily(const storage::Store& source, const storage::Snapshot& snapshot,
                        storage::Family family, storage::Store& target) {
  storage::Cursor cursor = source.NewCursor(&snapshot, "", "", 0, family);
  storage::WriteBatch batch;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    // The new directory has a version of its own.
    const bool is_version = cursor.key() == keyspace::FormatVersionKey();
    batch.Put(cursor.key(), is_version ? keyspace::EncodeFormatVersion() : cursor.value(), family);
    if (batch.bytes() >= kBatchBytes) {
      TRY_VOID(target.Write(std::exchange(batch, {})));
    }
  }
  TRY_VOID(cursor.status());
  return batch.empty() ? Result<void>() : target.Write(std::move(batch));
}

Result<void> CopyRows(const std::string& from, const storage::StoreOptions& writing) {
  storage::StoreOptions reading;
  reading.path = from;
  reading.read_only = true;
  reading.create_if_missing = false;
  reading.format_version = keyspace::kFormatVersion;
  const std::unique_ptr<storage::Store> source = TRY(storage::Store::Open(reading));
  const storage::Snapshot snapshot = source->TakeSnapshot();
  const std::unique_ptr<storage::Store> target = TRY(storage::Store::Open(writing));
  TRY_VOID(CopyFamily(*source, snapshot, storage::Family::kMain, *target));
  if (source->HasHistory()) {
    TRY_VOID(CopyFamily(*source, snapshot, storage::Family::kHistory, *target));
  }
  return target->Close();
}

}  // namespace

Result<CheckReport> CopyDatabase(const std::string& from, const std::string& into) {
  TRY_VOID(CheckIsFree(into));
  const std::string unfinished = into + ".unfinished";
  TRY_VOID(CheckIsFree(unfinished));
  storage::StoreOptions writing;
  writing.path = unfinished;
  writing.format_version = keyspace::kFormatVersion;
  const auto work = [&]() -> Result<CheckReport> {
    TRY_VOID(CopyRows(from, writing));
    CheckReport report = TRY(CheckDatabase(writing));
    if (!report.clean()) {
      return Fail(ErrorCode::kCorruption,
                  "the database in \"" + from + "\" is damaged, and was not copied: " +
                      report.problems.texts.front() + "; see `stator check --repair-into`");
    }
    std::error_code failed;
    std::filesystem::remove(into, failed);  // an empty directory, if it is there
    std::filesystem::rename(unfinished, into, failed);
    if (failed) {
      return Fail(ErrorCode::kIo,
                  "cannot give the copy its name \"" + into + "\": " + failed.message());
    }
    return report;
  };
  Result<CheckReport> report = work();
  if (!report) {
    std::error_code ignored;
    std::filesystem::remove_all(unfinished, ignored);
  }
  return report;
}

}  // namespace stator::engine
