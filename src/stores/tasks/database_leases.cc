// Leases in the table: an item of their own beside the record's, so that a heartbeat writes a
// quarter of a kilobyte whatever the record holds. Every request may be sent again: it names the
// worker, so it recognises what it has done.

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/transaction.h"
#include "stator/stores/tasks/database_backend.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

constexpr std::string_view kRecord = "record";
constexpr std::string_view kMade = "made";

std::string Text(std::string_view text) {
  return std::string(text);
}

patterns::TableLayout LayoutOf(const std::string& table) {
  return {.table_name = table, .key_attributes = {Text(kPartitionKey), Text(kSortKey)}};
}

}  // namespace

Result<std::uint64_t> DatabaseBackend::PutWithLease(const RecordKey& key, const StoredValue& value,
                                                    std::uint64_t expected,
                                                    const std::optional<StoredLease>& lease) {
  return PutTogether(key, value, expected, lease, nullptr);
}

Result<std::uint64_t> DatabaseBackend::PutWithNew(const RecordKey& key, const StoredValue& value,
                                                  std::uint64_t expected, const StoredLease& lease,
                                                  const NewRecord& made) {
  TRY_VOID(CheckWrite(made.key, made.value));
  TRY_VOID(CheckLease(made.key, made.lease));
  return PutTogether(key, value, expected, lease, &made);
}

Result<std::uint64_t> DatabaseBackend::PutTogether(const RecordKey& key, const StoredValue& value,
                                                   std::uint64_t expected,
                                                   const std::optional<StoredLease>& lease,
                                                   const NewRecord* made) {
  TRY_VOID(CheckWrite(key, value));
  if (lease) {
    TRY_VOID(CheckLease(key, *lease));
  }
  const std::string write_id = environment_.random->Uuid();
  Item item = ItemOf(key, value, write_id);
  item.Set(Text(kVersion), expected + 1);
  const patterns::TableLayout layout = LayoutOf(options_.table);
  patterns::Transaction transaction(database_, patterns::Idempotency::Token(write_id),
                                    {.retry = options_.retry}, environment_);
  transaction.Upsert({.table = layout,
                      .item = std::move(item),
                      .condition = patterns::Attribute(Text(kVersion)) == expected,
                      .label = Text(kRecord)});
  if (lease) {
    transaction.Upsert({.table = layout, .item = LeaseItemOf(key, *lease)});
  } else {
    transaction.Remove({.table = layout, .key = LeaseKeyOf(key)});
  }
  if (made != nullptr) {
    Item first = ItemOf(made->key, made->value, write_id);
    first.Set(Text(kVersion), 1);
    transaction.Insert({.table = layout, .item = std::move(first), .label = Text(kMade)});
    transaction.Upsert({.table = layout, .item = LeaseItemOf(made->key, made->lease)});
  }
  const Result<patterns::Committed> written = transaction.Commit();
  if (written) {
    return expected + 1;
  }
  const patterns::ConditionFailed* const failed =
      patterns::FindConditionFailed(written.error(), kRecord);
  if (failed == nullptr && patterns::FindConditionFailed(written.error(), kMade) != nullptr) {
    return KeyExists(made->key);
  }
  if (failed == nullptr) {
    return std::unexpected(Failed(written.error()));
  }
  // Some servers do not show the item.
  return Overtaken(key, failed->item ? failed->item : TRY(ReadItem(key)), expected + 1, write_id);
}

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

Result<std::vector<bool>> DatabaseBackend::MoveLeases(const std::vector<LeaseHolder>& leases,
                                                      std::int64_t until_ms) {
  std::vector<bool> held;
  const std::span all(leases);
  for (std::size_t first = 0; first < all.size(); first += limits::kTransactionActionsMax) {
    const auto some =
        all.subspan(first, std::min(limits::kTransactionActionsMax, all.size() - first));
    std::vector<bool> these(some.size(), true);
    // Each round finds one more that is not held, at least.
    while (TRY(MoveTogether(some, until_ms, these))) {
    }
    held.insert(held.end(), these.begin(), these.end());
  }
  return held;
}

Result<bool> DatabaseBackend::MoveTogether(std::span<const LeaseHolder> leases,
                                           std::int64_t until_ms, std::vector<bool>& held) {
  patterns::Transaction transaction(database_,
                                    patterns::Idempotency::Token(environment_.random->Uuid()),
                                    {.retry = options_.retry}, environment_);
  for (std::size_t at = 0; at < leases.size(); ++at) {
    TRY_VOID(CheckKey(leases[at].key));
    if (held[at]) {
      transaction.Patch({.table = LayoutOf(options_.table),
                         .key = LeaseKeyOf(leases[at].key),
                         .update = patterns::Update().Set(Text(kLeaseUntil), until_ms),
                         .condition = patterns::Attribute(Text(kWorker)) == leases[at].worker,
                         .label = std::to_string(at)});
    }
  }
  if (transaction.size() == 0) {
    return false;
  }
  const Result<patterns::Committed> moved = transaction.Commit();
  if (moved) {
    return false;
  }
  bool in_the_way = false;
  for (std::size_t at = 0; at < leases.size(); ++at) {
    if (held[at] && patterns::FindConditionFailed(moved.error(), std::to_string(at)) != nullptr) {
      held[at] = false;
      in_the_way = true;
    }
  }
  if (!in_the_way) {
    return std::unexpected(Failed(moved.error()));
  }
  return true;
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
