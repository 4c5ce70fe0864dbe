// What Append takes and gives.

#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"

namespace stator::events {

// The condition of the DCB specification: the append fails when an event matches the query and
// sorts behind `after`. Without `after`, when any event matches.
//
// `after` says what was read: everything up to it.
struct AppendCondition {
  EventQuery fail_if_match;
  std::optional<SortableId> after = std::nullopt;
};

struct AppendOptions {
  std::optional<AppendCondition> condition = std::nullopt;
  // All of which must hold, too.
  std::vector<AppendCondition> more_conditions = {};
  // Names the append: whoever repeats it, now or in a year, in this process or another, gets the
  // answer of the first. 1 to 256 bytes of UTF-8 without control characters. The same id with other
  // events fails with kIdempotentParameterMismatch.
  std::string append_id = {};
  std::stop_token stop = {};
};

struct AppendedEvent {
  std::string id;
  SortableId sortable_id;
  std::uint64_t position = 0;

  friend bool operator==(const AppendedEvent&, const AppendedEvent&) = default;
};

struct Appended {
  std::vector<AppendedEvent> events;  // in the order in which they were given
  bool repeated = false;              // by the append id: this is the answer of an earlier call

  [[nodiscard]] SortableId last() const { return events.back().sortable_id; }
};

// Of the kConditionFailed with which a conditional append fails: the first event that matches.
struct AppendConflict : ErrorDetail {
  std::string event_id;
  SortableId sortable_id;
};

// The detail of such an error; null for every other error.
const AppendConflict* FindConflict(const Error& error);

// A claim: exactly one host records this fact.
struct Claim {
  // Trimmed and brought into Unicode's form NFC, its case kept; then 1 to 512 bytes of UTF-8.
  std::string key;
  NewEvent event;
  // What the type is called in the fingerprint; the event's type when empty.
  std::string type_identity = {};
};

enum class ClaimOutcome : std::uint8_t {
  kAppended,          // by this call
  kAlreadyCommitted,  // the same operation was recorded before; nothing was written
};

struct Claimed {
  ClaimOutcome outcome;
  AppendedEvent event;  // the one that is stored
  std::string fingerprint;
};

// Of the kIdempotentParameterMismatch with which a claim fails when another operation has the key.
struct ClaimConflict : ErrorDetail {
  std::string event_id;
  std::string stored_fingerprint;  // empty when the event was not written by a claim
  std::string fingerprint;
};

// For programs that compute them elsewhere.
Result<std::string> NormalizeClaimKey(std::string_view key);
// The UUID of the event that holds the key.
std::string MakeClaimEventId(std::string_view service_id, std::string_view normalized_key);
// 64 hexadecimal digits. `canonical_payload` is MakeCanonicalJson's.
std::string MakeClaimFingerprint(std::string_view service_id, std::string_view normalized_key,
                                 std::string_view type_identity, std::string_view canonical_payload,
                                 std::vector<std::string> tags);
// An object with the names of every object sorted, without blanks, numbers and order of arrays
// kept. Fails with kValidation for anything but one JSON object; the message does not show the
// text.
Result<std::string> MakeCanonicalJson(std::string_view json);

}  // namespace stator::events
