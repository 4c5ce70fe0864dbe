#include "stator/stores/tasks/database_backend.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/advice.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

// For names of attributes, numbers and timestamps, beside what RecordBytes counts.
constexpr std::size_t kReservedBytes = 4 * limits::kKilobyte;

std::string Text(std::string_view text) {
  return std::string(text);
}

const Item* ItemIn(const Error& error) {
  const auto* const detail = FindDetail<ConditionFailedDetail>(error);
  return detail != nullptr && detail->item ? &*detail->item : nullptr;
}

std::uint64_t VersionOf(const Item& item) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, NumberAttribute(item, kVersion).value_or(0)));
}

}  // namespace

// What exactly the database said is for the log; it may name the key.
Error DatabaseBackend::Failed(const Error& error) const {
  const auto failure = [&](std::string message) {
    return Error{.code = error.code,
                 .message = std::move(message),
                 .detail = std::make_shared<BackendCause>(error)};
  };
  if (IsConfiguration(error.code)) {
    return failure(patterns::AdviceFor(error.code, options_.table, "tasks"));
  }
  switch (error.code) {
    case ErrorCode::kItemCollectionTooLarge:
      return failure("the tasks of this owner take more than 10 GB");
    case ErrorCode::kTooLarge:
      return failure("the record is larger than an item may be");
    default:
      return failure("the database failed: " + Text(NameOf(error.code)));
  }
}

Result<bool> DatabaseBackend::HasIndexes() {
  {
    const MutexLock lock(mutex_);
    if (has_indexes_) {
      return *has_indexes_;
    }
  }
  const Result<DescribeTableOutput> described =
      database_.DescribeTable({.table_name = options_.table});
  if (!described) {
    return std::unexpected(Failed(described.error()));
  }
  const auto& local = described->table.local_secondary_indexes;
  const auto& global = described->table.global_secondary_indexes;
  const auto named = [](const auto& indexes, std::string_view name) {
    return indexes && std::ranges::any_of(
                          *indexes, [&](const auto& index) { return index.index_name == name; });
  };
  const bool all = named(local, kByCreated) && named(local, kByTask) && named(local, kByActive) &&
                   named(global, kByLease);
  const MutexLock lock(mutex_);
  has_indexes_ = all;
  return all;
}

Result<std::optional<Item>> DatabaseBackend::ReadItem(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  Result<GetItemOutput> read =
      database_.GetItem({.table_name = options_.table, .key = KeyOf(key), .consistent_read = true});
  if (!read) {
    return std::unexpected(Failed(read.error()));
  }
  return std::move(read->item);
}

Result<VersionedRecord> DatabaseBackend::Get(const RecordKey& key) {
  const std::optional<Item> item = TRY(ReadItem(key));
  if (!item) {
    return KeyNotFound(key);
  }
  std::optional<VersionedRecord> record = RecordOf(*item);
  if (!record) {
    const bool has_data = TextAttribute(*item, kData).has_value();
    return Fail(ErrorCode::kCorruption,
                "missing or invalid " + Text(has_data ? kVersion : kData) + " attribute");
  }
  return *std::move(record);
}

Result<VersionedHead> DatabaseBackend::GetHead(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  if (TRY(HasIndexes()) && !key.task.empty()) {
    Result<QueryOutput> found = database_.Query(
        {.table_name = options_.table,
         .index_name = Text(kByTask),
         .key_condition_expression = "#p = :p AND #t = :t",
         .expression_attribute_names =
             AttributeNames{{"#p", Text(kPartitionKey)}, {"#t", Text(kTaskId)}},
         .expression_attribute_values = Map{{":p", PartitionKeyOf(key.owner)}, {":t", key.task}},
         .limit = 1,
         .consistent_read = true});
    if (!found) {
      return std::unexpected(Failed(found.error()));
    }
    if (found->items && !found->items->empty()) {
      if (std::optional<VersionedHead> head = HeadOf(found->items->front())) {
        return *std::move(head);
      }
    }
  }
  // Not in the index: not there, or written by others.
  const std::optional<Item> item = TRY(ReadItem(key));
  if (!item) {
    return KeyNotFound(key);
  }
  std::optional<VersionedHead> head = HeadOf(*item);
  if (!head) {
    return Fail(ErrorCode::kCorruption, "missing or invalid version attribute");
  }
  return *std::move(head);
}

Result<std::uint64_t> DatabaseBackend::Put(const RecordKey& key, const StoredValue& value) {
  TRY_VOID(CheckWrite(key, value));
  const Item item = ItemOf(key, value, environment_.random->Uuid());
  UpdateItemInput input{.table_name = options_.table,
                        .key = KeyOf(key),
                        .expression_attribute_names = AttributeNames{{"#v", Text(kVersion)}},
                        .expression_attribute_values = Map{{":one", 1}},
                        .return_values = ReturnValues::kUpdatedNew};
  std::string set;
  std::string remove;
  int number = 0;
  for (const std::string_view name : {kData, kHead, kOwnerId, kTaskId, kStatus, kCreatedKey,
                                      kWriteId, kActiveKey, kExpiresAt, kResultBlob}) {
    const std::string suffix = std::to_string(number++);
    (*input.expression_attribute_names)["#n" + suffix] = Text(name);
    if (const AttributeValue* const attribute = item.Find(name)) {
      set.append(set.empty() ? "SET #n" : ", #n").append(suffix).append(" = :n").append(suffix);
      input.expression_attribute_values->Set(":n" + suffix, *attribute);
    } else {
      remove.append(remove.empty() ? " REMOVE #n" : ", #n").append(suffix);
    }
  }
  input.update_expression = set + remove + " ADD #v :one";
  const Result<UpdateItemOutput> written = database_.UpdateItem(input);
  if (!written) {
    return std::unexpected(Failed(written.error()));
  }
  return written->attributes ? VersionOf(*written->attributes) : 0;
}

// Sends a conditional put, again when its answer was lost. The item that a failed condition shows
// is ours when it has our write_id.
Result<std::uint64_t> DatabaseBackend::PutWhen(const RecordKey& key, const StoredValue& value,
                                               std::uint64_t version, PutItemInput input) {
  TRY_VOID(CheckWrite(key, value));
  const std::string write_id = environment_.random->Uuid();
  input.table_name = options_.table;
  input.item = ItemOf(key, value, write_id);
  input.item.Set(Text(kVersion), version);
  input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  const Result<PutItemOutput> written = SendUntilKnown([&] { return database_.PutItem(input); });
  if (written) {
    return version;
  }
  if (written.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(Failed(written.error()));
  }
  if (const Item* const shown = ItemIn(written.error())) {
    return Overtaken(key, *shown, version, write_id);
  }
  // Some servers do not show the item.
  return Overtaken(key, TRY(ReadItem(key)), version, write_id);
}

Result<std::uint64_t> DatabaseBackend::Overtaken(const RecordKey& key,
                                                 const std::optional<Item>& there,
                                                 std::uint64_t version,
                                                 const std::string& write_id) const {
  if (!there) {
    return KeyNotFound(key);
  }
  if (TextAttribute(*there, kWriteId) == write_id) {
    return version;
  }
  return OtherVersion(key, version - 1, VersionOf(*there));
}

Result<std::uint64_t> DatabaseBackend::PutIfAbsent(const RecordKey& key, const StoredValue& value) {
  Result<std::uint64_t> written =
      PutWhen(key, value, 1,
              {.table_name = {},
               .item = {},
               .condition_expression = "attribute_not_exists(#p)",
               .expression_attribute_names = AttributeNames{{"#p", Text(kPartitionKey)}}});
  if (!written && (written.error().code == ErrorCode::kConflict ||
                   written.error().code == ErrorCode::kNotFound)) {
    const auto* const versions = FindDetail<VersionConflict>(written.error());
    return KeyExists(key, versions == nullptr ? 0 : versions->actual);
  }
  return written;
}

Result<std::uint64_t> DatabaseBackend::PutIfVersion(const RecordKey& key, const StoredValue& value,
                                                    std::uint64_t expected) {
  return PutWhen(key, value, expected + 1,
                 {.table_name = {},
                  .item = {},
                  .condition_expression = "#v = :v",
                  .expression_attribute_names = AttributeNames{{"#v", Text(kVersion)}},
                  .expression_attribute_values = Map{{":v", expected}}});
}

Result<bool> DatabaseBackend::Delete(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  const Result<DeleteItemOutput> deleted = database_.DeleteItem(
      {.table_name = options_.table, .key = KeyOf(key), .return_values = ReturnValues::kAllOld});
  if (!deleted) {
    return std::unexpected(Failed(deleted.error()));
  }
  return deleted->attributes && !deleted->attributes->empty();
}

Result<std::size_t> DatabaseBackend::CleanupExpired(std::int64_t /*now_seconds*/) {
  return 0;  // The table's TTL does it.
}

Result<BackendCapabilities> DatabaseBackend::Capabilities() {
  const bool has_indexes = TRY(HasIndexes());
  return BackendCapabilities{.record_bytes_max = limits::kItemBytesMax - kReservedBytes,
                             .removes_expired = true,
                             .pages_in_order = has_indexes,
                             .finds_lapsed_leases = has_indexes};
}

}  // namespace stator::tasks
