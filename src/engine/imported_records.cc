#include "engine/imported_records.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/try.h"
#include "bulk/csv.h"
#include "bulk/packing.h"
#include "value/dynamodb_json.h"

namespace stator::engine {
namespace {

// {"Item":{...}}
class JsonLines final : public RecordReader {
 public:
  explicit JsonLines(RecordVisitor visit)
      : lines_([visit = std::move(visit)](std::string_view line) {
          const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
          return is_blank ? Result<void>() : visit(ItemOf(line));
        }) {}

  Result<void> Add(std::string_view bytes) override { return lines_.Add(bytes); }
  Result<void> Finish() override { return lines_.Finish(); }

 private:
  static Result<Item> ItemOf(std::string_view line) {
    std::map<std::string, Item> record = TRY(value::ParseDynamoDbItems(line));
    const auto item = record.find("Item");
    if (item == record.end()) {
      return Fail(ErrorCode::kSerialization, "the line has no member \"Item\"");
    }
    return std::move(item->second);
  }

  bulk::LineSplitter lines_;
};

class CsvRecords final : public RecordReader {
 public:
  CsvRecords(const CsvOptions& options, const Table& table, RecordVisitor visit)
      : visit_(std::move(visit)),
        header_(options.header_list),
        csv_(options.delimiter.value_or(",").front(),
             [this](const std::vector<std::string>& fields) { return Take(fields); }) {
    for (const AttributeDefinition& definition : table.attribute_definitions) {
      types_.emplace(definition.attribute_name, definition.attribute_type);
    }
  }

  Result<void> Add(std::string_view bytes) override { return Told(csv_.Add(bytes)); }
  Result<void> Finish() override { return Told(csv_.Finish()); }

 private:
  // What is no record is told as one that is no item; what the visitor says is passed on.
  Result<void> Told(Result<void> read) {
    if (read || refused_ || read.error().code != ErrorCode::kSerialization) {
      return read;
    }
    return Visit(std::unexpected(read.error()));
  }
  Result<void> Visit(Result<Item> item) {
    Result<void> visited = visit_(std::move(item));
    refused_ = !visited;
    return visited;
  }

  Result<void> Take(const std::vector<std::string>& fields) {
    if (header_) {
      return Visit(ItemOf(fields));
    }
    const std::set<std::string> names(fields.begin(), fields.end());
    if (names.size() != fields.size() || names.contains("")) {
      return Visit(
          Fail(ErrorCode::kSerialization, "the header has a name twice, or a column without one"));
    }
    header_ = fields;
    return {};
  }

  Result<Item> ItemOf(const std::vector<std::string>& fields) const {
    if (fields.size() > header_->size()) {
      return Invalid("The record has " + std::to_string(fields.size()) + " fields, the header " +
                     std::to_string(header_->size()));
    }
    Item item;
    for (std::size_t at = 0; at < fields.size(); ++at) {
      if (!fields[at].empty()) {
        item.Set((*header_)[at], TRY(ValueOf((*header_)[at], fields[at])));
      }
    }
    return item;
  }

  Result<AttributeValue> ValueOf(const std::string& name, const std::string& text) const {
    const auto type = types_.find(name);
    if (type == types_.end() || type->second == ScalarAttributeType::kString) {
      return AttributeValue(text);
    }
    if (type->second == ScalarAttributeType::kNumber) {
      return AttributeValue(TRY(Number::Parse(text)));
    }
    std::optional<std::string> bytes = base::DecodeBase64(text);
    if (!bytes) {
      return Invalid("The value of " + name + " is not base64");
    }
    return AttributeValue(Binary{*std::move(bytes)});
  }

  const RecordVisitor visit_;
  std::optional<std::vector<std::string>> header_;  // nothing: the next record is it
  std::map<std::string, ScalarAttributeType> types_;
  bulk::CsvSplitter csv_;
  bool refused_ = false;
};

}  // namespace

std::unique_ptr<RecordReader> RecordReader::Make(const ImportTableDescription& import,
                                                 const Table& table, RecordVisitor visit) {
  if (import.input_format != InputFormat::kCsv) {
    return std::make_unique<JsonLines>(std::move(visit));
  }
  const bool has_options = import.input_format_options && import.input_format_options->csv;
  return std::make_unique<CsvRecords>(
      has_options ? *import.input_format_options->csv : CsvOptions(), table, std::move(visit));
}

}  // namespace stator::engine
