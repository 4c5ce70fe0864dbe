#include "stores/tasks/task_items.h"

#include <utility>

#include "base/limits.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

constexpr std::string_view kOwnerPrefix = "OWNER#";
constexpr std::string_view kTaskPrefix = "TASK#";
constexpr std::string_view kLeasePrefix = "WORK#";  // no longer than the other, for the longest ids

std::optional<std::string> WithoutPrefix(const Item& item, std::string_view name,
                                         std::string_view prefix) {
  std::optional<std::string> text = TextAttribute(item, name);
  if (!text || !text->starts_with(prefix)) {
    return std::nullopt;
  }
  return text->substr(prefix.size());
}

std::optional<RecordKey> KeyBehind(const Item& item, std::string_view prefix) {
  std::optional<std::string> owner = WithoutPrefix(item, kPartitionKey, kOwnerPrefix);
  std::optional<std::string> task = WithoutPrefix(item, kSortKey, prefix);
  if (!owner || !task) {
    return std::nullopt;
  }
  return RecordKey{.owner = *std::move(owner), .task = *std::move(task)};
}

// The beginning of the created_key, or what the head says.
std::string CreatedAtOf(const Item& item, const std::string& head) {
  if (const std::optional<std::string> key = TextAttribute(item, kCreatedKey)) {
    return key->substr(0, key->find('#'));
  }
  const Result<Head> decoded = DecodeHead(head);
  return decoded ? ToMillisecondText(decoded->task.created_at) : "";
}

}  // namespace

std::string PartitionKeyOf(std::string_view owner) {
  return std::string(kOwnerPrefix).append(owner);
}

std::string SortKeyOf(std::string_view task) {
  return std::string(kTaskPrefix).append(task);
}

Item KeyOf(const RecordKey& key) {
  return {{std::string(kPartitionKey), PartitionKeyOf(key.owner)},
          {std::string(kSortKey), SortKeyOf(key.task)}};
}

std::string CreatedKeyOf(std::string_view created_at, std::string_view task) {
  std::string key = std::string(created_at).append("#").append(task);
  // Ids so long are not made here. Cut between characters, they still sort by creation.
  if (key.size() > limits::kSortKeyBytesMax) {
    std::size_t size = limits::kSortKeyBytesMax;
    while ((static_cast<unsigned char>(key[size]) & 0xC0U) == 0x80U) {
      --size;
    }
    key.resize(size);
  }
  return key;
}

Item ItemOf(const RecordKey& key, const StoredValue& value, std::string write_id) {
  const RecordAttributes& attributes = value.attributes;
  Item item = KeyOf(key);
  const auto set = [&item](std::string_view name, AttributeValue attribute) {
    item.Set(std::string(name), std::move(attribute));
  };
  set(kData, value.data);
  set(kHead, attributes.head);
  set(kOwnerId, key.owner);
  set(kTaskId, key.task);
  set(kStatus, attributes.status);
  set(kCreatedKey, CreatedKeyOf(attributes.created_at, key.task));
  set(kWriteId, std::move(write_id));
  if (attributes.is_active) {
    set(kActiveKey, CreatedKeyOf(attributes.created_at, key.task));
  }
  if (attributes.expires_at_seconds) {
    set(kExpiresAt, *attributes.expires_at_seconds);
  }
  if (attributes.result_blob) {
    set(kResultBlob, *attributes.result_blob);
  }
  // A text that is the key of an index cannot be empty.
  if (key.task.empty()) {
    item.Erase(kTaskId);
  }
  return item;
}

std::optional<std::string> TextAttribute(const Item& item, std::string_view name) {
  const AttributeValue* const value = item.Find(name);
  const auto* const text = value == nullptr ? nullptr : value->If<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> NumberAttribute(const Item& item, std::string_view name) {
  const AttributeValue* const value = item.Find(name);
  const auto* const number = value == nullptr ? nullptr : value->If<Number>();
  if (number == nullptr) {
    return std::nullopt;
  }
  const Result<std::int64_t> whole = number->ToInt64();
  return whole ? std::optional(*whole) : std::nullopt;
}

std::optional<RecordKey> RecordKeyOf(const Item& item) {
  return KeyBehind(item, kTaskPrefix);
}

Item LeaseKeyOf(const RecordKey& key) {
  return {{std::string(kPartitionKey), PartitionKeyOf(key.owner)},
          {std::string(kSortKey), std::string(kLeasePrefix).append(key.task)}};
}

Item LeaseItemOf(const RecordKey& key, const StoredLease& lease) {
  Item item = LeaseKeyOf(key);
  item.Set(std::string(kWorker), lease.worker);
  item.Set(std::string(kLeaseUntil), lease.until_ms);
  // A text that is the key of an index cannot be empty.
  if (!lease.group.empty()) {
    item.Set(std::string(kLeaseGroup), lease.group);
  }
  if (lease.expires_at_seconds) {
    item.Set(std::string(kExpiresAt), *lease.expires_at_seconds);
  }
  return item;
}

std::optional<RecordKey> RecordKeyOfLease(const Item& item) {
  return KeyBehind(item, kLeasePrefix);
}

std::optional<VersionedRecord> RecordOf(const Item& item) {
  std::optional<std::string> data = TextAttribute(item, kData);
  const std::optional<std::int64_t> version = NumberAttribute(item, kVersion);
  if (!data || !version || *version < 0) {
    return std::nullopt;
  }
  return VersionedRecord{.data = *std::move(data), .version = static_cast<std::uint64_t>(*version)};
}

std::optional<VersionedHead> HeadOf(const Item& item) {
  std::optional<RecordKey> key = RecordKeyOf(item);
  const std::optional<std::int64_t> version = NumberAttribute(item, kVersion);
  if (!key || !version || *version < 0) {
    return std::nullopt;
  }
  std::optional<std::string> head = TextAttribute(item, kHead);
  if (!head) {
    Result<std::string> from_data = HeadOfData(TextAttribute(item, kData).value_or(""), key->owner);
    head = from_data ? *std::move(from_data) : "";
  }
  std::string created_at = CreatedAtOf(item, *head);
  return VersionedHead{.key = *std::move(key),
                       .head = *std::move(head),
                       .created_at = std::move(created_at),
                       .version = static_cast<std::uint64_t>(*version)};
}

}  // namespace stator::tasks
