#include "stores/sessions/record_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/names.h"

namespace stator::sessions {
namespace {

constexpr std::size_t kRecordIdBytesMax = 512;

constexpr std::array<std::string_view, 18> kReserved = {
    kPartitionKey, kSortKey,  kExpiry,   kRevision, kWriteId,       kRecentWrites,
    kType,         kSchema,   kEpoch,    kLatest,   kChildrenUntil, kLeaseOwner,
    kLeaseUntil,   kBuilding, kChildren, kSpilled,  kSpillId,       kPending};

// Of the item itself, which every write makes anew.
bool IsRevision(std::string_view name) {
  return name == kRevision || name == kWriteId || name == kRecentWrites;
}

std::optional<Progress> ProgressOf(const KindSpec& kind, const Item& stored) {
  if (kind.items.list.empty() || !stored.contains(kind.items.total_attribute)) {
    return std::nullopt;
  }
  return Progress{.total = static_cast<std::size_t>(CountOf(stored, kind.items.total_attribute)),
                  .done = static_cast<std::size_t>(CountOf(stored, kind.items.done_attribute))};
}

}  // namespace

std::string SortKeyOf(const KindSpec& kind, std::string_view id) {
  return kind.prefix + std::string(id);
}

std::string ItemKeyOf(const KindSpec& kind, std::string_view id, std::string_view item) {
  return SortKeyOf(kind, id) + kItemMark + std::string(item);
}

RecordKey ParseSortKey(const KindSpec& kind, std::string_view sort_key) {
  const std::string_view behind = sort_key.substr(kind.prefix.size());
  const std::size_t mark = behind.find('#');
  if (mark == behind.npos) {
    return {.id = std::string(behind)};
  }
  const std::string_view rest = behind.substr(mark);
  const bool item = rest.starts_with(kItemMark);
  // Anything else that has a '#' is somebody's own; it is not taken for a record.
  return {
      .id = std::string(behind.substr(0, mark)),
      .role = item ? KeyRole::kItem : KeyRole::kPart,
      .rest = std::string(rest.substr(std::min(rest.size(), std::string_view(kItemMark).size())))};
}

Result<void> CheckRecordId(std::string_view id) {
  const bool plain = std::none_of(id.begin(), id.end(), [](char character) {
    return character == '#' || static_cast<unsigned char>(character) < 0x20;
  });
  if (id.empty() || id.size() > kRecordIdBytesMax || !plain) {
    return Fail(ErrorCode::kValidation, "an id has 1 to 512 bytes, no # and no control characters");
  }
  return {};
}

bool IsBookkeeping(std::string_view name) {
  return name == kResults || std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

Result<void> CheckValue(const Item& value) {
  for (const auto& [name, attribute] : value) {
    if (IsBookkeeping(name)) {
      return Fail(ErrorCode::kValidation,
                  "the attribute " + name + " is one that the store keeps for itself");
    }
  }
  return {};
}

Result<Item> MakeRecordItem(const KindSpec& kind, Item value) {
  TRY_VOID(CheckValue(value));
  if (const StateMachine& machine = kind.machine; !machine.empty()) {
    const std::string state = TextOf(value, machine.attribute);
    if (state.empty()) {
      value.Set(machine.attribute, machine.initial.front());
    } else if (std::find(machine.initial.begin(), machine.initial.end(), state) ==
               machine.initial.end()) {
      return Fail(ErrorCode::kIllegalTransition,
                  "no record of kind " + kind.name + " begins in state '" + state + "'");
    }
  }
  value.Set(kType, kind.name);
  value.Set(kSchema, kSchemaVersion);
  return value;
}

Result<Item> WithValue(const StateMachine& machine, const Item& stored, Item value) {
  TRY_VOID(CheckValue(value));
  if (!machine.empty()) {
    const std::string before = TextOf(stored, machine.attribute);
    const std::string after = TextOf(value, machine.attribute);
    if (before != after && !machine.Allows(before, after)) {
      return std::unexpected(MakeError(ErrorCode::kIllegalTransition,
                                       "there is no way from '" + before + "' to '" + after + "'",
                                       {.state = before}));
    }
  }
  for (const auto& [name, attribute] : stored) {
    if (IsBookkeeping(name) && !IsRevision(name)) {
      value.Set(name, attribute);
    }
  }
  return value;
}

Item ValueOf(const Item& stored) {
  Item value;
  for (const auto& [name, attribute] : stored) {
    if (!IsBookkeeping(name)) {
      value.Append(name, attribute);
    }
  }
  return value;
}

std::int64_t EpochOfItem(const Item& stored) {
  return CountOf(stored, kEpoch);
}

Record DecodeRecord(const KindSpec& kind, std::string_view id, patterns::VersionedItem stored) {
  Record record{.kind = kind.name, .id = std::string(id)};
  record.value = ValueOf(stored.item);
  record.state = kind.machine.empty() ? "" : TextOf(stored.item, kind.machine.attribute);
  record.epoch = EpochOfItem(stored.item);
  record.expires_at = CountOf(stored.item, kExpiry);
  if (const std::string worker = TextOf(stored.item, kLeaseOwner); !worker.empty()) {
    record.lease =
        Lease{.worker = worker,
              .until = TimePoint(std::chrono::milliseconds(CountOf(stored.item, kLeaseUntil)))};
  }
  record.progress = ProgressOf(kind, stored.item);
  record.stored = std::move(stored);
  return record;
}

Record DecodeMeta(const StateMachine& machine, std::string_view session,
                  patterns::VersionedItem stored) {
  Record record{.kind = "session", .id = std::string(session)};
  record.value = ValueOf(stored.item);
  record.state = TextOf(stored.item, machine.attribute);
  record.expires_at = CountOf(stored.item, kExpiry);
  record.stored = std::move(stored);
  return record;
}

}  // namespace stator::sessions
