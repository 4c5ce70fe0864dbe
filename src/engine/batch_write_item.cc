#include <algorithm>
#include <map>
#include <utility>

#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_write.h"
#include "engine/seen_keys.h"
#include "engine/write_operations.h"
#include "request/checks.h"

namespace stator::engine {
namespace {

const Item& ItemOf(const WriteRequest& request) {
  const auto* put = std::get_if<PutRequest>(&request);
  return put != nullptr ? put->item : std::get<DeleteRequest>(request).key;
}

Result<void> FindWrites(const std::string& name, const Table& table,
                        const std::vector<WriteRequest>& requests,
                        std::vector<BatchWrite>& writes) {
  SeenKeys seen;
  writes.reserve(writes.size() + requests.size());
  for (const WriteRequest& request : requests) {
    const Item& item = ItemOf(request);
    const bool is_put = std::holds_alternative<PutRequest>(request);
    TRY_VOID(is_put ? CheckBatchedItemKeys(table, item) : CheckKey(table, item));
    BatchWrite write{.table_name = &name,
                     .table = &table,
                     .item_key = ItemKeyOf(table, item),
                     .key = &item,
                     .item = is_put ? &item : nullptr};
    if (!seen.Add(write.item_key)) {
      return Invalid("Provided list of item keys contains duplicates");
    }
    writes.push_back(std::move(write));
  }
  return {};
}

}  // namespace

Result<BatchPlan> PlanBatchWriteItem(EngineCore& core, const BatchWriteItemInput& input) {
  BatchPlan plan;
  plan.item_bytes = TRY(request::Check(input, core.expressions));
  std::size_t indexes = 0;
  for (const auto& [name, requests] : input.request_items) {
    const TablePtr table = TRY(core.catalog.Find(name));
    TRY_VOID(FindWrites(name, *table, requests, plan.writes));
    indexes = std::max(indexes, table->indexes.size());
    plan.tables.push_back(table);
  }
  plan.is_heavy = IsHeavy(plan.item_bytes, indexes);
  return plan;
}

// The writes of a batch are independent of each other for the caller; here they share one commit,
// so all of them are done or none.
Result<BatchWriteItemOutput> DecideBatchWriteItem(EngineCore& core,
                                                  const BatchWriteItemInput& input,
                                                  const BatchPlan& plan, WriterView& view,
                                                  PendingWrite& write) {
  BatchWriteItemOutput output;
  std::map<std::string, Usage> usages;  // by table, as the request names it
  for (const auto& [name, requests] : input.request_items) {
    usages.try_emplace(name, name, Usage::Kind::kWrite);
  }
  write.Reserve(plan.writes.size(), plan.item_bytes);
  for (const BatchWrite& each : plan.writes) {
    const std::optional<Item> before = TRY(view.ReadItem(*each.table, each.item_key));
    ApplyChange(core,
                {.table = *each.table,
                 .item_key = each.item_key,
                 .before = before ? &*before : nullptr,
                 .after = each.item},
                view, write, usages.at(*each.table_name));
    if (auto metrics =
            CollectionMetrics(*each.table, *each.key, input.return_item_collection_metrics)) {
      output.item_collection_metrics[each.table->name].push_back(*std::move(metrics));
    }
  }
  for (const auto& [name, usage] : usages) {
    if (std::optional<ConsumedCapacity> report = usage.Report(input.return_consumed_capacity)) {
      output.consumed_capacity.push_back(*std::move(report));
    }
  }
  return output;
}

}  // namespace stator::engine
