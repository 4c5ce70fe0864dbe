// The part of table_export.h that reads.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "copy/gzip_file.h"
#include "copy/table_export.h"
#include "stator/patterns/batch.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::copy {
namespace {

constexpr std::size_t kItemsPerWrite = 500;

Result<std::string> ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kIo, path.string() + " cannot be read");
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A list with its checksum beside it.
Result<std::string> ReadChecked(const std::filesystem::path& path) {
  std::string text = TRY(ReadText(path));
  std::filesystem::path sum = path;
  const std::string wanted = TRY(ReadText(sum.replace_extension(".md5")));
  if (base::EncodeBase64(base::Md5(text)) != wanted) {
    return Fail(ErrorCode::kCorruption, path.string() + " does not have the checksum of " +
                                            sum.string() + ": fetch the export again");
  }
  return text;
}

Result<Map> ObjectIn(std::string_view json, const std::filesystem::path& path) {
  const Result<AttributeValue> value = value::ValueFromPlainJson(json);
  if (!value || value->If<Map>() == nullptr) {
    return Fail(ErrorCode::kCorruption, path.string() + " is not the JSON of an export");
  }
  return *value->If<Map>();
}

template <class T>
Result<T> MemberOf(const Map& object, std::string_view name, const std::filesystem::path& path) {
  const AttributeValue* member = object.Find(name);
  if (member == nullptr || member->If<T>() == nullptr) {
    return Fail(ErrorCode::kCorruption,
                path.string() + " lacks " + std::string(name) + ": this is no export");
  }
  return *member->If<T>();
}

Result<std::uint64_t> CountIn(const Map& object, const std::filesystem::path& path) {
  const Number number = TRY(MemberOf<Number>(object, "itemCount", path));
  const Result<std::int64_t> count = number.ToInt64();
  if (!count || *count < 0) {
    return Fail(ErrorCode::kCorruption, path.string() + " has an itemCount that is none");
  }
  return static_cast<std::uint64_t>(*count);
}

// Keys in the lists are those of the bucket; the name is what a copy of it keeps.
Result<std::string> PlaceOf(const std::filesystem::path& directory, const std::string& key) {
  const std::filesystem::path name = std::filesystem::path(key).filename();
  for (const std::filesystem::path& folder : {directory / "data", directory / ".." / "data"}) {
    if (std::filesystem::is_regular_file(folder / name)) {
      return (folder / name).lexically_normal().string();
    }
  }
  return Fail(ErrorCode::kIo, "the data file " + name.string() + " is neither in " +
                                  (directory / "data").string() +
                                  " nor in the folder data beside it: fetch it, too");
}

// Writes in the order of the files; of one item there is one record.
class Importing {
 public:
  Importing(const TableExport& from, const Side& to) : from_(from), to_(to) {}

  Result<void> Take(std::string_view line) {
    std::map<std::string, Item> record = TRY(value::ParseDynamoDbItems(line));
    const auto image = record.find(from_.incremental ? "NewImage" : "Item");
    if (image != record.end()) {
      TRY(KeyOn(to_, image->second));
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

Result<TableExport> ReadExport(const std::string& directory) {
  const std::filesystem::path root = directory;
  const std::filesystem::path summary_path = root / "manifest-summary.json";
  if (!std::filesystem::exists(summary_path)) {
    return Fail(ErrorCode::kIo,
                "there is no manifest-summary.json in \"" + directory +
                    "\": give the directory of one export, as AWSDynamoDB/01768385930622-efd1a093 "
                    "is; aws s3 sync fetches it from a bucket");
  }
  const std::string summary_text = TRY(ReadChecked(summary_path));
  const Map summary = TRY(ObjectIn(summary_text, summary_path));
  const std::string format = TRY(MemberOf<std::string>(summary, "outputFormat", summary_path));
  if (format != "DYNAMODB_JSON") {
    return Fail(ErrorCode::kValidation,
                "this export is of the format " + format + "; only DYNAMODB_JSON can be read");
  }
  TableExport result;
  result.table_arn = TRY(MemberOf<std::string>(summary, "tableArn", summary_path));
  result.items = TRY(CountIn(summary, summary_path));
  const AttributeValue* type = summary.Find("exportType");
  result.incremental = type != nullptr && *type == AttributeValue("INCREMENTAL_EXPORT");
  const std::filesystem::path list_path = root / "manifest-files.json";
  const std::string list = TRY(ReadChecked(list_path));
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find('\n', at), list.size());
    const Map entry = TRY(ObjectIn(std::string_view(list).substr(at, end - at), list_path));
    const std::string key = TRY(MemberOf<std::string>(entry, "dataFileS3Key", list_path));
    const std::string md5 = TRY(MemberOf<std::string>(entry, "md5Checksum", list_path));
    ExportFile file;
    file.path = TRY(PlaceOf(root, key));
    file.md5 = base::DecodeBase64(md5).value_or("");
    file.items = TRY(CountIn(entry, list_path));
    result.files.push_back(std::move(file));
    at = end + 1;
  }
  return result;
}

Result<ImportCounts> ImportExport(const TableExport& from, const Side& to,
                                  const std::function<void(const ExportFile&)>& on_file) {
  Importing importing(from, to);
  for (const ExportFile& file : from.files) {
    const Result<std::string> md5 =
        VisitLines(file.path, [&](std::string_view line) { return importing.Take(line); });
    if (!md5) {
      return Fail(md5.error().code, file.path + ": " + md5.error().message);
    }
    const std::uint64_t items = importing.TakeItems();
    if (*md5 != file.md5 || items != file.items) {
      return Fail(ErrorCode::kCorruption,
                  file.path + " is not the file that the export lists (" + std::to_string(items) +
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
