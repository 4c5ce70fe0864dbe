#include "stator/stores/tasks/database_backend.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

// For names of attributes, numbers and timestamps, beside what RecordBytes counts.
constexpr std::size_t kReservedBytes = 4 * limits::kKilobyte;
// A write whose answer was lost is sent so often in all.
constexpr int kSendsMax = 3;

std::string Text(std::string_view text) {
  return std::string(text);
}

std::unexpected<StorageError> NotFound(const RecordKey& key) {
  return std::unexpected(StorageError{.kind = StorageError::Kind::kNotFound, .key = key});
}

const Item* ItemIn(const Error& error) {
  const auto* const detail = dynamic_cast<const ConditionFailedDetail*>(error.detail.get());
  return detail != nullptr && detail->item ? &*detail->item : nullptr;
}

std::uint64_t VersionOf(const Item& item) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, NumberAttribute(item, kVersion).value_or(0)));
}

}  // namespace

StorageError DatabaseBackend::Failed(const RecordKey& key, const Error& error) const {
  StorageError failure{.kind = StorageError::Kind::kBackend, .key = key, .cause = error};
  switch (error.code) {
    case ErrorCode::kTableNotFound:
    case ErrorCode::kResourceNotFound:
      failure.message = "table " + options_.table + " not found; `stator tasks init` makes it";
      break;
    case ErrorCode::kItemCollectionTooLarge:
      failure.kind = StorageError::Kind::kCapacityExceeded;
      failure.message = "the tasks of this owner take more than 10 GB";
      failure.cause.reset();
      break;
    case ErrorCode::kAccessDenied:
    case ErrorCode::kUnrecognizedClient:
    case ErrorCode::kInvalidSignature:
    case ErrorCode::kIncompleteSignature:
    case ErrorCode::kMissingAuthenticationToken:
    case ErrorCode::kExpiredToken:
      failure.message = "the credentials do not allow access to table " + options_.table;
      break;
    default:
      if (error.code == ErrorCode::kValidation && error.message.contains("size")) {
        failure.kind = StorageError::Kind::kCapacityExceeded;
        failure.message = "the record is larger than an item may be";
        failure.cause.reset();
        break;
      }
      // What exactly the database said is for the log; it may name the key.
      failure.message = "the database failed: " + Text(NameOf(error.code));
  }
  return failure;
}

StorageResult<bool> DatabaseBackend::HasIndexes() {
  {
    const std::scoped_lock lock(mutex_);
    if (has_indexes_) {
      return *has_indexes_;
    }
  }
  const Result<DescribeTableOutput> described =
      database_.DescribeTable({.table_name = options_.table});
  if (!described) {
    return std::unexpected(Failed({}, described.error()));
  }
  const auto& local = described->table.local_secondary_indexes;
  const auto& global = described->table.global_secondary_indexes;
  const auto named = [](const auto& indexes, std::string_view name) {
    return indexes && std::ranges::any_of(
                          *indexes, [&](const auto& index) { return index.index_name == name; });
  };
  const bool all = named(local, kByCreated) && named(local, kByTask) && named(local, kByActive) &&
                   named(global, kByLease);
  const std::scoped_lock lock(mutex_);
  has_indexes_ = all;
  return all;
}

StorageResult<std::optional<Item>> DatabaseBackend::ReadItem(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  Result<GetItemOutput> read =
      database_.GetItem({.table_name = options_.table, .key = KeyOf(key), .consistent_read = true});
  if (!read) {
    return std::unexpected(Failed(key, read.error()));
  }
  return std::move(read->item);
}

StorageResult<VersionedRecord> DatabaseBackend::Get(const RecordKey& key) {
  const std::optional<Item> item = TRY(ReadItem(key));
  if (!item) {
    return NotFound(key);
  }
  std::optional<VersionedRecord> record = RecordOf(*item);
  if (!record) {
    const bool has_data = TextAttribute(*item, kData).has_value();
    return BackendFailure(key,
                          "missing or invalid " + Text(has_data ? kVersion : kData) + " attribute");
  }
  return *std::move(record);
}

StorageResult<VersionedHead> DatabaseBackend::GetHead(const RecordKey& key) {
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
      return std::unexpected(Failed(key, found.error()));
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
    return NotFound(key);
  }
  std::optional<VersionedHead> head = HeadOf(*item);
  if (!head) {
    return BackendFailure(key, "missing or invalid version attribute");
  }
  return *std::move(head);
}

StorageResult<std::uint64_t> DatabaseBackend::Put(const RecordKey& key, const StoredValue& value) {
  TRY_VOID(CheckWrite(key, value));
  const Item item = ItemOf(key, value, options_.random->Uuid());
  UpdateItemInput input{.table_name = options_.table,
                        .key = KeyOf(key),
                        .expression_attribute_names = AttributeNames{{"#v", Text(kVersion)}},
                        .expression_attribute_values = Map{{":one", 1}},
                        .return_values = ReturnValues::kUpdatedNew};
  std::string set;
  std::string remove;
  int number = 0;
  for (const std::string_view name :
       {kData, kHead, kOwnerId, kTaskId, kStatus, kCreatedKey, kWriteId, kActiveKey, kExpiresAt}) {
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
    return std::unexpected(Failed(key, written.error()));
  }
  return written->attributes ? VersionOf(*written->attributes) : 0;
}

// Sends a conditional put, again when its answer was lost. The item that a failed condition shows
// is ours when it has our write_id.
StorageResult<std::uint64_t> DatabaseBackend::PutWhen(const RecordKey& key,
                                                      const StoredValue& value,
                                                      std::uint64_t version, PutItemInput input) {
  TRY_VOID(CheckWrite(key, value));
  const std::string write_id = options_.random->Uuid();
  input.table_name = options_.table;
  input.item = ItemOf(key, value, write_id);
  input.item.Set(Text(kVersion), version);
  input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  Result<PutItemOutput> written = database_.PutItem(input);
  for (int sends = 1;
       !written && written.error().code == ErrorCode::kAmbiguous && sends < kSendsMax; ++sends) {
    written = database_.PutItem(input);
  }
  if (written) {
    return version;
  }
  if (written.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(Failed(key, written.error()));
  }
  // Some servers do not show the item.
  std::optional<Item> there;
  if (const Item* const shown = ItemIn(written.error())) {
    there = *shown;
  } else {
    there = TRY(ReadItem(key));
  }
  if (!there) {
    return NotFound(key);
  }
  if (TextAttribute(*there, kWriteId) == write_id) {
    return version;
  }
  return std::unexpected(StorageError{.kind = StorageError::Kind::kVersionConflict,
                                      .key = key,
                                      .expected = version - 1,
                                      .actual = VersionOf(*there)});
}

StorageResult<std::uint64_t> DatabaseBackend::PutIfAbsent(const RecordKey& key,
                                                          const StoredValue& value) {
  StorageResult<std::uint64_t> written =
      PutWhen(key, value, 1,
              {.table_name = {},
               .item = {},
               .condition_expression = "attribute_not_exists(#p)",
               .expression_attribute_names = AttributeNames{{"#p", Text(kPartitionKey)}}});
  if (!written && (written.error().kind == StorageError::Kind::kVersionConflict ||
                   written.error().kind == StorageError::Kind::kNotFound)) {
    written.error().kind = StorageError::Kind::kAlreadyExists;
  }
  return written;
}

StorageResult<std::uint64_t> DatabaseBackend::PutIfVersion(const RecordKey& key,
                                                           const StoredValue& value,
                                                           std::uint64_t expected) {
  return PutWhen(key, value, expected + 1,
                 {.table_name = {},
                  .item = {},
                  .condition_expression = "#v = :v",
                  .expression_attribute_names = AttributeNames{{"#v", Text(kVersion)}},
                  .expression_attribute_values = Map{{":v", expected}}});
}

StorageResult<bool> DatabaseBackend::Delete(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  const Result<DeleteItemOutput> deleted = database_.DeleteItem(
      {.table_name = options_.table, .key = KeyOf(key), .return_values = ReturnValues::kAllOld});
  if (!deleted) {
    return std::unexpected(Failed(key, deleted.error()));
  }
  return deleted->attributes && !deleted->attributes->empty();
}

StorageResult<std::size_t> DatabaseBackend::CleanupExpired(std::int64_t /*now_seconds*/) {
  return 0;  // The table's TTL does it.
}

StorageResult<BackendCapabilities> DatabaseBackend::Capabilities() {
  const bool has_indexes = TRY(HasIndexes());
  return BackendCapabilities{.record_bytes_max = limits::kItemBytesMax - kReservedBytes,
                             .removes_expired = true,
                             .pages_in_order = has_indexes,
                             .finds_lapsed_leases = has_indexes};
}

}  // namespace stator::tasks
