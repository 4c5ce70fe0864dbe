#include <set>
#include <utility>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_write.h"
#include "engine/operations.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// One write of the batch, found and checked.
struct BatchWrite {
  const Table* table;
  Usage* usage;
  std::string item_key;
  const Item* key;   // the key of a delete, the whole item of a put
  const Item* item;  // null for a delete
};

const Item& ItemOf(const WriteRequest& request) {
  const auto* put = std::get_if<PutRequest>(&request);
  return put != nullptr ? put->item : std::get<DeleteRequest>(request).key;
}

Result<void> CheckRequests(const BatchWriteItemInput& input) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& [name, requests] : input.request_items) {
    count += requests.size();
    for (const WriteRequest& request : requests) {
      TRY_VOID(value::CheckItem(ItemOf(request)));
      if (std::holds_alternative<PutRequest>(request)) {
        TRY_VOID(CheckItemSize(ItemOf(request)));
      }
      bytes += value::SizeOfItem(ItemOf(request));
    }
  }
  if (count > limits::kBatchWriteRequestsMax) {
    return Invalid("Too many items requested for the BatchWriteItem call");
  }
  if (bytes > limits::kBatchBytesMax) {
    return Invalid("Request size exceeds the limit of 16 MB for the BatchWriteItem call");
  }
  return {};
}

Result<void> FindWrites(const Table& table, const std::vector<WriteRequest>& requests, Usage& usage,
                        std::vector<BatchWrite>& writes) {
  std::set<std::string> seen;
  for (const WriteRequest& request : requests) {
    const Item& item = ItemOf(request);
    const bool is_put = std::holds_alternative<PutRequest>(request);
    TRY_VOID(is_put ? CheckItemKeys(table, item) : CheckKey(table, item));
    BatchWrite write{.table = &table,
                     .usage = &usage,
                     .item_key = ItemKeyOf(table, item),
                     .key = &item,
                     .item = is_put ? &item : nullptr};
    if (!seen.insert(write.item_key).second) {
      return Invalid("Provided list of item keys contains duplicates");
    }
    writes.push_back(std::move(write));
  }
  return {};
}

}  // namespace

// The writes of a batch are independent of each other for the caller; here they share one commit,
// so all of them are done or none.
Result<Prepared<BatchWriteItemOutput>> PrepareBatchWriteItem(Core& core,
                                                             const BatchWriteItemInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckRequests(input));
  Prepared<BatchWriteItemOutput> prepared;
  std::vector<BatchWrite> writes;
  std::map<std::string, Usage> usages;  // by table, as the request names it
  for (const auto& [name, requests] : input.request_items) {
    const TablePtr table = TRY(core.catalog.Find(name));
    Usage& usage = usages.try_emplace(name, name, Usage::Kind::kWrite).first->second;
    TRY_VOID(FindWrites(*table, requests, usage, writes));
    prepared.write.tables.push_back(table);
  }
  std::vector<std::uint64_t> hashes;
  hashes.reserve(writes.size());
  for (const BatchWrite& write : writes) {
    hashes.push_back(KeyLocks::HashOf(write.item_key));
  }
  prepared.write.locks = TRY(core.locks.Acquire(std::move(hashes), core.lock_wait_max));
  for (const BatchWrite& write : writes) {
    const std::optional<Item> before = TRY(ReadItem(core, write.item_key));
    ApplyChange(core,
                {.table = *write.table,
                 .item_key = write.item_key,
                 .before = before ? &*before : nullptr,
                 .after = write.item},
                prepared.write, *write.usage);
    if (auto metrics =
            CollectionMetrics(*write.table, *write.key, input.return_item_collection_metrics)) {
      prepared.output.item_collection_metrics[write.table->name].push_back(*std::move(metrics));
    }
  }
  for (const auto& [name, usage] : usages) {
    if (std::optional<ConsumedCapacity> report = usage.Report(input.return_consumed_capacity)) {
      prepared.output.consumed_capacity.push_back(*std::move(report));
    }
  }
  return prepared;
}

}  // namespace stator::engine
