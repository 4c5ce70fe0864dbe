// The part of table_export.h that reads.

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/digest.h"
#include "base/try.h"
#include "bulk/file_bucket.h"
#include "bulk/packing.h"
#include "copy/table_export.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::copy {
namespace {

constexpr std::size_t kItemsPerWrite = 500;

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

Result<std::string> ReadText(bulk::Bucket& bucket, const std::string& key) {
  std::string text;
  while (true) {
    const std::string part = TRY(bucket.Read(key, text.size(), kReadBytes));
    if (part.empty()) {
      return text;
    }
    text += part;
  }
}

// A list with its checksum beside it.
Result<std::string> ReadChecked(bulk::Bucket& bucket, const std::string& key) {
  std::string text = TRY(ReadText(bucket, key));
  const std::string sum = std::filesystem::path(key).replace_extension(".md5").string();
  const std::string wanted = TRY(ReadText(bucket, sum));
  if (base::EncodeBase64(base::Md5(text)) != wanted) {
    return Fail(ErrorCode::kCorruption,
                key + " does not have the checksum of " + sum + ": fetch the export again");
  }
  return text;
}

Result<Map> ObjectIn(std::string_view json, const std::string& path) {
  const Result<AttributeValue> value = value::ValueFromPlainJson(json);
  if (!value || value->If<Map>() == nullptr) {
    return Fail(ErrorCode::kCorruption, path + " is not the JSON of an export");
  }
  return *value->If<Map>();
}

template <class T>
Result<T> MemberOf(const Map& object, std::string_view name, const std::string& path) {
  const AttributeValue* member = object.Find(name);
  if (member == nullptr || member->If<T>() == nullptr) {
    return Fail(ErrorCode::kCorruption,
                path + " lacks " + std::string(name) + ": this is no export");
  }
  return *member->If<T>();
}

Result<std::uint64_t> CountIn(const Map& object, const std::string& path) {
  const Number number = TRY(MemberOf<Number>(object, "itemCount", path));
  const Result<std::int64_t> count = number.ToInt64();
  if (!count || *count < 0) {
    return Fail(ErrorCode::kCorruption, path + " has an itemCount that is none");
  }
  return static_cast<std::uint64_t>(*count);
}

// The key of what is beside or below a folder; keys have no empty parts.
std::string KeyIn(const std::filesystem::path& folder, std::string_view name) {
  return (folder / name).lexically_normal().generic_string();
}

// Keys in the lists are those of the bucket that the export was made in; the name is what a copy of it
// keeps.
Result<std::string> PlaceOf(bulk::Bucket& bucket, const std::filesystem::path& folder,
                            const std::string& listed) {
  const std::filesystem::path name = std::filesystem::path(listed).filename();
  for (const std::filesystem::path& place : {folder / "data", folder / ".." / "data"}) {
    std::string key = KeyIn(place, name.string());
    if (bucket.Read(key, 0, 1)) {
      return key;
    }
  }
  return Fail(ErrorCode::kIo, "the data file " + name.string() + " is neither in " +
                                  KeyIn(folder, "data") + " nor in " +
                                  KeyIn(folder / "..", "data") + ": fetch it, too");
}

// Writes in the order of the files; of one item there is one record.
class Importing {
 public:
  Importing(const TableExport& from, const Side& to) : from_(from), to_(to) {}

  Result<void> Take(std::string_view line) {
    std::map<std::string, Item> record = TRY(value::ParseDynamoDbItems(line));
    const auto image = record.find(from_.incremental ? "NewImage" : "Item");
    if (image != record.end()) {
      TRY_VOID(KeyOn(to_, image->second));
      writes_.emplace_back(PutRequest{std::move(image->second)});
      ++counts_.put;
    } else if (const auto keys = record.find("Keys"); from_.incremental && keys != record.end()) {
      const Item key = TRY(KeyOn(to_, keys->second));
      writes_.emplace_back(DeleteRequest{key});
      ++counts_.deleted;
    } else {
      return Fail(ErrorCode::kCorruption, "a line is neither an item nor a change of one");
    }
    ++items_;
    return writes_.size() < kItemsPerWrite ? Result<void>() : Flush();
  }

  Result<void> Flush() {
    if (writes_.empty()) {
      return {};
    }
    const patterns::BatchWriter writer(*to_.database,
                                       {.duplicates = patterns::Duplicates::kLastWins,
                                        .retry = kPatience,
                                        .allow_versioned = true});
    const patterns::BatchWriteOutcome outcome =
        writer.Write({{.table = to_.layout, .writes = std::exchange(writes_, {})}});
    if (outcome.complete()) {
      return {};
    }
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kIncomplete, .message = "the import was interrupted"}));
  }

  // Lines since it was asked last.
  std::uint64_t TakeItems() { return std::exchange(items_, 0); }
  [[nodiscard]] const ImportCounts& counts() const { return counts_; }

 private:
  const TableExport& from_;
  const Side& to_;
  std::vector<WriteRequest> writes_;
  std::uint64_t items_ = 0;
  ImportCounts counts_;
};

}  // namespace

Result<TableExport> ReadExport(std::shared_ptr<bulk::Bucket> bucket, const std::string& folder) {
  const std::string summary_key = KeyIn(folder, "manifest-summary.json");
  if (const auto seen = bucket->Read(summary_key, 0, 1);
      !seen && seen.error().code == ErrorCode::kResourceNotFound) {
    return Fail(ErrorCode::kIo,
                "there is no manifest-summary.json in \"" + folder +
                    "\": give the folder of one export, as AWSDynamoDB/01768385930622-efd1a093 is");
  }
  const std::string summary_text = TRY(ReadChecked(*bucket, summary_key));
  const Map summary = TRY(ObjectIn(summary_text, summary_key));
  const std::string format = TRY(MemberOf<std::string>(summary, "outputFormat", summary_key));
  if (format != "DYNAMODB_JSON") {
    return Fail(ErrorCode::kValidation,
                "this export is of the format " + format + "; only DYNAMODB_JSON can be read");
  }
  TableExport result;
  result.table_arn = TRY(MemberOf<std::string>(summary, "tableArn", summary_key));
  result.items = TRY(CountIn(summary, summary_key));
  const AttributeValue* type = summary.Find("exportType");
  result.incremental = type != nullptr && *type == AttributeValue("INCREMENTAL_EXPORT");
  const std::string list_key = KeyIn(folder, "manifest-files.json");
  const std::string list = TRY(ReadChecked(*bucket, list_key));
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find('\n', at), list.size());
    const Map entry = TRY(ObjectIn(std::string_view(list).substr(at, end - at), list_key));
    const std::string listed = TRY(MemberOf<std::string>(entry, "dataFileS3Key", list_key));
    const std::string md5 = TRY(MemberOf<std::string>(entry, "md5Checksum", list_key));
    ListedFile file;
    file.key = TRY(PlaceOf(*bucket, folder, listed));
    file.md5 = base::DecodeBase64(md5).value_or("");
    file.items = TRY(CountIn(entry, list_key));
    result.files.push_back(std::move(file));
    at = end + 1;
  }
  result.bucket = std::move(bucket);
  return result;
}

Result<TableExport> ReadExport(const std::string& directory) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(directory, error).lexically_normal();
  if (!place.has_filename()) {
    place = place.parent_path();
  }
  // The folder data may be beside it.
  return ReadExport(std::make_shared<bulk::FileBucket>(place.parent_path()),
                    place.filename().string());
}

Result<ImportCounts> ImportExport(const TableExport& from, const Side& to,
                                  const std::function<void(const ListedFile&)>& on_file) {
  Importing importing(from, to);
  for (const ListedFile& file : from.files) {
    bulk::LineSplitter lines([&](std::string_view line) { return importing.Take(line); });
    Result<std::string> md5 =
        bulk::UnpackObject(*from.bucket, file.key, bulk::Packing::kGzip,
                           [&](std::string_view bytes) { return lines.Add(bytes); });
    if (md5) {
      if (const Result<void> finished = lines.Finish(); !finished) {
        md5 = std::unexpected(finished.error());
      }
    }
    if (!md5) {
      return Fail(md5.error().code, file.key + ": " + md5.error().message);
    }
    const std::uint64_t items = importing.TakeItems();
    if (*md5 != file.md5 || items != file.items) {
      return Fail(ErrorCode::kCorruption,
                  file.key + " is not the file that the export lists (" + std::to_string(items) +
                      " items, " + std::to_string(file.items) +
                      " are listed); what was read of it is imported: fetch it again");
    }
    if (on_file) {
      on_file(file);
    }
  }
  TRY_VOID(importing.Flush());
  return importing.counts();
}

}  // namespace stator::copy
