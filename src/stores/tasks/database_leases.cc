// Leases in the table: an item of their own beside the record's, so that a heartbeat writes a
// quarter of a kilobyte whatever the record holds. Every request may be sent again: it names the
// worker, so it recognises what it has done.

#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/database_backend.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

std::string Text(std::string_view text) {
  return std::string(text);
}

}  // namespace

Result<void> DatabaseBackend::TakeLease(const RecordKey& key, const StoredLease& lease,
                                        std::int64_t now_ms) {
  TRY_VOID(CheckLease(key, lease));
  const PutItemInput input{
      .table_name = options_.table,
      .item = LeaseItemOf(key, lease),
      .condition_expression = "attribute_not_exists(#p) OR #u < :now OR #w = :w",
      .expression_attribute_names =
          AttributeNames{
              {"#p", Text(kPartitionKey)}, {"#u", Text(kLeaseUntil)}, {"#w", Text(kWorker)}},
      .expression_attribute_values = Map{{":now", now_ms}, {":w", lease.worker}}};
  const Result<PutItemOutput> taken = SendUntilKnown([&] { return database_.PutItem(input); });
  if (!taken && taken.error().code == ErrorCode::kConditionFailed) {
    return KeyExists(key);
  }
  if (!taken) {
    return std::unexpected(Failed(taken.error()));
  }
  return {};
}

Result<void> DatabaseBackend::MoveLease(const RecordKey& key, std::string_view worker,
                                        std::int64_t until_ms) {
  TRY_VOID(CheckKey(key));
  const UpdateItemInput input{.table_name = options_.table,
                              .key = LeaseKeyOf(key),
                              .update_expression = "SET #u = :u",
                              .condition_expression = "#w = :w",
                              .expression_attribute_names =
                                  AttributeNames{{"#u", Text(kLeaseUntil)}, {"#w", Text(kWorker)}},
                              .expression_attribute_values = Map{{":u", until_ms}, {":w", worker}}};
  const Result<UpdateItemOutput> moved =
      SendUntilKnown([&] { return database_.UpdateItem(input); });
  if (!moved && moved.error().code == ErrorCode::kConditionFailed) {
    return KeyNotFound(key);
  }
  if (!moved) {
    return std::unexpected(Failed(moved.error()));
  }
  return {};
}

Result<bool> DatabaseBackend::RemoveLease(const RecordKey& key,
                                          std::optional<std::int64_t> lapsed_at_ms) {
  TRY_VOID(CheckKey(key));
  DeleteItemInput input{
      .table_name = options_.table, .key = LeaseKeyOf(key), .return_values = ReturnValues::kAllOld};
  if (lapsed_at_ms) {
    input.condition_expression = "#u < :now";
    input.expression_attribute_names = AttributeNames{{"#u", Text(kLeaseUntil)}};
    input.expression_attribute_values = Map{{":now", *lapsed_at_ms}};
  }
  const Result<DeleteItemOutput> removed =
      SendUntilKnown([&] { return database_.DeleteItem(input); });
  if (!removed && removed.error().code == ErrorCode::kConditionFailed) {
    return false;
  }
  if (!removed) {
    return std::unexpected(Failed(removed.error()));
  }
  return removed->attributes && !removed->attributes->empty();
}

Result<std::vector<RecordKey>> DatabaseBackend::ListLapsed(std::string_view lease_group,
                                                           std::int64_t now_ms, std::size_t limit) {
  std::vector<RecordKey> keys;
  if (lease_group.empty() || !TRY(HasIndexes())) {
    return keys;
  }
  QueryInput input{.table_name = options_.table,
                   .index_name = Text(kByLease),
                   .key_condition_expression = "#g = :g AND #u < :now",
                   .expression_attribute_names =
                       AttributeNames{{"#g", Text(kLeaseGroup)}, {"#u", Text(kLeaseUntil)}},
                   .expression_attribute_values = Map{{":g", lease_group}, {":now", now_ms}}};
  do {
    input.limit = static_cast<std::int32_t>(limit - keys.size());
    Result<QueryOutput> page = database_.Query(input);
    if (!page) {
      return std::unexpected(Failed(page.error()));
    }
    for (const Item& item : page->items.value_or(std::vector<Item>())) {
      if (std::optional<RecordKey> key = RecordKeyOfLease(item)) {
        keys.push_back(*std::move(key));
      }
    }
    input.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (input.exclusive_start_key && keys.size() < limit);
  return keys;
}

}  // namespace stator::tasks
