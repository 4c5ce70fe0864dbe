#include <set>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "engine/capacity.h"
#include "engine/contributors.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/key_paths.h"
#include "engine/moment_reader.h"
#include "engine/operations.h"
#include "request/checks.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// One table's part of the request, checked.
struct TableReads {
  TablePtr table;
  const KeysAndAttributes* request;
  std::optional<expression::Projection> projection;
};

Result<void> CheckKeys(const TableReads& reads) {
  std::set<std::string> seen;
  for (const Item& key : reads.request->keys) {
    TRY_VOID(CheckKey(*reads.table, key));
    if (!seen.insert(ItemKeyOf(*reads.table, key)).second) {
      return Invalid("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

// Reads what fits; the rest is left for the caller to ask for again.
// With a reader, as they were.
Result<void> ReadTable(EngineCore& core, const std::optional<MomentReader>& reader,
                       const std::string& name, const TableReads& reads,
                       ReturnConsumedCapacity wanted, std::size_t& bytes_left,
                       BatchGetItemOutput& output) {
  Usage usage(name, Usage::Kind::kRead);
  std::vector<Item>& found = output.responses[name];
  std::vector<Item> unprocessed;
  for (const Item& key : reads.request->keys) {
    std::optional<Item> item;
    std::string item_key;
    if (bytes_left > 0) {
      item_key = ItemKeyOf(*reads.table, key);
      item = reader ? TRY(reader->Fetch(item_key))
                    : TRY(FetchItem(core, item_key, MomentOf(*reads.table)));
    } else {
      unprocessed.push_back(key);
      continue;
    }
    const std::size_t bytes = item ? value::SizeOfItem(*item) : 0;
    if (bytes > bytes_left) {
      bytes_left = 0;
      unprocessed.push_back(key);
      continue;
    }
    bytes_left -= bytes;
    const double units = ReadUnits(bytes, reads.request->consistent_read);
    usage.AddTable(units);
    if (reads.table->contributors) {
      reads.table->contributors->CountItem(item_key, units);
    }
    if (item) {
      found.push_back(reads.projection ? reads.projection->Apply(*item) : std::move(*item));
    }
  }
  if (!unprocessed.empty()) {
    KeysAndAttributes rest = *reads.request;
    rest.keys = std::move(unprocessed);
    output.unprocessed_keys.emplace(name, std::move(rest));
  }
  if (std::optional<ConsumedCapacity> report = usage.Report(wanted)) {
    output.consumed_capacity.push_back(*std::move(report));
  }
  return {};
}

}  // namespace

Result<BatchGetItemOutput> BatchGetItem(EngineCore& core, const BatchGetItemInput& input) {
  request::Projections projections = TRY(request::Check(input, core.expressions));
  std::map<std::string, TableReads> tables;
  auto projection = projections.begin();
  for (const auto& [name, request] : input.request_items) {
    tables[name] = {.table = nullptr, .request = &request, .projection = std::move(*projection++)};
  }
  for (auto& [name, reads] : tables) {
    reads.table = TRY(core.catalog.Find(name));
    TRY_VOID(CheckKeys(reads));
    if (reads.projection) {
      TRY_VOID(CheckKeyPaths(*reads.table, *reads.projection));
    }
  }
  BatchGetItemOutput output;
  std::optional<MomentReader> reader;
  if (input.as_of) {
    std::vector<TablePtr> all;
    for (const auto& [name, reads] : tables) {
      all.push_back(reads.table);
    }
    reader.emplace(TRY(MomentReader::Open(core, all, *input.as_of)));
    output.as_of = reader->moment();
  }
  std::size_t bytes_left = limits::kBatchBytesMax;
  for (const auto& [name, reads] : tables) {
    TRY_VOID(
        ReadTable(core, reader, name, reads, input.return_consumed_capacity, bytes_left, output));
  }
  return output;
}

}  // namespace stator::engine
