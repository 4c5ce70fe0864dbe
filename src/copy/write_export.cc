// The part of table_export.h that writes.

#include <filesystem>
#include <utility>

#include "base/try.h"
#include "bulk/export_files.h"
#include "bulk/file_bucket.h"
#include "copy/table_export.h"
#include "stator/api/database.h"
#include "stator/patterns/retry.h"

namespace stator::copy {
namespace {

// One export while it is being written.
class Writing {
 public:
  Writing(const Side& from, bulk::Bucket& bucket, bulk::ExportPlace place,
          const ExportOptions& options)
      : from_(from),
        bucket_(bucket),
        place_(std::move(place)),
        options_(options),
        moment_(options.as_of) {}

  // The items of a part of the table, in a file at least.
  Result<void> WriteSegment(int segment) {
    bulk::DataFile file;
    ScanInput input{.table_name = from_.layout.table_name,
                    .segment = segment,
                    .total_segments = bulk::kExportSegments,
                    .consistent_read = true,
                    .as_of = moment_};
    do {
      const ScanOutput page =
          TRY(patterns::RetryTransient(kPatience, {}, [&] { return from_.database->Scan(input); }));
      // All pages of all files are of one moment.
      moment_ = page.as_of;
      input.as_of = page.as_of;
      for (const Item& item : page.items.value_or(std::vector<Item>())) {
        file.AddItem(item);
      }
      input.exclusive_start_key = page.last_evaluated_key;
      if (file.IsFull() && input.exclusive_start_key) {
        TRY_VOID(Put(std::exchange(file, {})));
      }
    } while (input.exclusive_start_key);
    return Put(std::move(file));
  }

  [[nodiscard]] const std::string& list() const { return list_; }
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::optional<TimePoint> moment() const { return moment_; }

 private:
  Result<void> Put(bulk::DataFile file) {
    const bulk::ExportFile put =
        TRY(file.Put(bucket_, place_.Data(bulk::NewDataName(*options_.random))));
    list_ += bulk::ManifestLine(put);
    items_ += put.items;
    return {};
  }

  const Side& from_;
  bulk::Bucket& bucket_;
  const bulk::ExportPlace place_;
  const ExportOptions& options_;
  std::optional<TimePoint> moment_;
  std::string list_;
  std::uint64_t items_ = 0;
};

}  // namespace

Result<std::string> WriteExport(const Side& from, const std::string& directory,
                                const ExportOptions& options) {
  const TimePoint begun = options.clock->Now();
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(begun.time_since_epoch()).count();
  const std::string id =
      bulk::IdText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, milliseconds)),
                   static_cast<std::uint32_t>(options.random->Next()));
  const bulk::ExportPlace place{.prefix = "", .id = id};
  bulk::FileBucket bucket{std::filesystem::path(directory)};
  TRY_VOID(bucket.Put(place.Started(), ""));
  Writing writing(from, bucket, place, options);
  for (int segment = 0; segment < bulk::kExportSegments; ++segment) {
    TRY_VOID(writing.WriteSegment(segment));
  }
  TRY_VOID(bulk::PutManifest(bucket, place.Files(), writing.list()));
  TRY_VOID(bulk::PutManifest(
      bucket, place.Summary(),
      bulk::SummaryText({.export_arn = from.table.table_arn + "/export/" + id,
                         .started = begun,
                         .ended = options.clock->Now(),
                         .table_arn = from.table.table_arn,
                         .table_id = from.table.table_id,
                         .time = writing.moment().value_or(begun),
                         .bucket = std::filesystem::path(directory).filename().string(),
                         .files_key = place.Files(),
                         .items = writing.items()})));
  return (std::filesystem::path(directory) / place.Summary()).parent_path().string();
}

}  // namespace stator::copy
