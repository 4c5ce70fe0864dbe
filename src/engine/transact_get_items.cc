#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "engine/cancellation.h"
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

struct Read {
  TablePtr table;
  std::string item_key;
  std::optional<expression::Projection> projection;
};

// Finds tables and rows; a key that does not fit its table cancels the transaction.
Result<std::vector<Read>> FindReads(EngineCore& core, const TransactGetItemsInput& input) {
  std::vector<Read> reads;
  reads.reserve(input.transact_items.size());
  request::Projections projections = TRY(request::Check(input, core.expressions));
  for (std::optional<expression::Projection>& projection : projections) {
    reads.push_back({.table = nullptr, .item_key = "", .projection = std::move(projection)});
  }
  Cancellation cancellation(input.transact_items.size());
  std::set<std::string> seen;
  for (std::size_t at = 0; at < reads.size(); ++at) {
    const TransactGet& get = input.transact_items[at];
    reads[at].table = TRY(core.catalog.Find(get.table_name));
    TRY_VOID(CheckKeyNotEmpty(*reads[at].table, get.key));
    if (Result<void> fits = CheckKey(*reads[at].table, get.key); !fits) {
      cancellation.Add(at, fits.error());
      continue;
    }
    if (reads[at].projection) {
      TRY_VOID(CheckKeyPaths(*reads[at].table, *reads[at].projection));
    }
    reads[at].item_key = ItemKeyOf(*reads[at].table, get.key);
    if (!seen.insert(reads[at].item_key).second) {
      return Invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  TRY_VOID(cancellation.ToResult());
  return reads;
}

}  // namespace

Result<TransactGetItemsOutput> TransactGetItems(EngineCore& core,
                                                const TransactGetItemsInput& input) {
  const std::vector<Read> reads = TRY(FindReads(core, input));
  const storage::Snapshot snapshot = core.store->TakeSnapshot();
  TransactGetItemsOutput output;
  std::optional<MomentReader> reader;
  if (input.as_of) {
    std::vector<TablePtr> tables;
    for (const Read& read : reads) {
      tables.push_back(read.table);
    }
    reader.emplace(TRY(MomentReader::Open(core, tables, *input.as_of)));
    output.as_of = reader->moment();
  }
  std::map<std::string, Usage> usages;
  std::size_t bytes_total = 0;
  for (std::size_t at = 0; at < reads.size(); ++at) {
    std::optional<Item> item =
        reader ? TRY(reader->Fetch(reads[at].item_key))
               : TRY(FetchItem(core, reads[at].item_key, MomentOf(*reads[at].table, &snapshot)));
    const std::size_t bytes = item ? value::SizeOfItem(*item) : 0;
    bytes_total += bytes;
    if (bytes_total > limits::kTransactionBytesMax) {
      return Invalid("The aggregated size of all items in a transaction cannot exceed 4 MB");
    }
    const std::string& name = input.transact_items[at].table_name;
    usages.try_emplace(name, name, Usage::Kind::kRead)
        .first->second.AddTable(ReadUnits(bytes, true));
    if (reads[at].table->contributors) {
      reads[at].table->contributors->CountItem(reads[at].item_key, 2 * ReadUnits(bytes, true));
    }
    if (item && reads[at].projection) {
      item = reads[at].projection->Apply(*item);
      if (item->empty()) {
        item.reset();
      }
    }
    output.responses.push_back(std::move(item));
  }
  for (const auto& [name, usage] : usages) {
    if (auto report = usage.ReportTransaction(input.return_consumed_capacity)) {
      output.consumed_capacity.push_back(*std::move(report));
    }
  }
  return output;
}

}  // namespace stator::engine
