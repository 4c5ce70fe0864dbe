// Records to items of the table and back, and the keys of both.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/patterns/versioning.h"
#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

enum class KeyRole : std::uint8_t { kRecord, kItem, kPart };

// A sort key taken apart: ENHANCE#job#I#photo is of record job, role kItem, rest photo.
struct RecordKey {
  std::string id;
  KeyRole role = KeyRole::kRecord;
  std::string rest = {};
};

std::string SortKeyOf(const KindSpec& kind, std::string_view id);
std::string ItemKeyOf(const KindSpec& kind, std::string_view id, std::string_view item);
// REQUIRES: the key begins with the prefix of the kind.
RecordKey ParseSortKey(const KindSpec& kind, std::string_view sort_key);

// An id that can be part of a key: not empty, not long, no '#', no control characters.
Result<void> CheckRecordId(std::string_view id);

// Whether the store keeps this attribute for itself.
bool IsBookkeeping(std::string_view name);
// Fails with kValidation when a value has such an attribute, or begins in a state where it may not.
Result<void> CheckValue(const Item& value);

// The item of a new record, without key, epoch and expiry. The state is set where it is missing.
Result<Item> MakeRecordItem(const KindSpec& kind, Item value);

// `stored` with another value; the bookkeeping stays. Fails with kIllegalTransition.
Result<Item> WithValue(const StateMachine& machine, const Item& stored, Item value);

Record DecodeRecord(const KindSpec& kind, std::string_view id, patterns::VersionedItem stored);
Record DecodeMeta(const StateMachine& machine, std::string_view session,
                  patterns::VersionedItem stored);

// Without keys and bookkeeping.
Item ValueOf(const Item& stored);

std::int64_t EpochOfItem(const Item& stored);

}  // namespace stator::sessions
