// What an event server does, whatever its messages look like: positions instead of sortable ids, and
// answers instead of errors for appends that are refused.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

struct ReadRequest {
  events::EventQuery query = {};
  std::optional<std::uint64_t> from = std::nullopt;  // inclusive in both directions
  std::optional<std::uint64_t> limit = std::nullopt;
  bool backwards = false;
};

struct AppendRequest {
  std::vector<events::NewEvent> events = {};
  bool has_condition = false;
  events::EventQuery fail_if_match = {};
  std::optional<std::uint64_t> after = std::nullopt;
  std::string append_id = {};
};

struct AppendAnswer {
  std::optional<std::string> refused = std::nullopt;  // by which event, for people
  std::uint64_t position = 0;                         // of the last event, unless it was refused
  bool repeated = false;
};

// Nothing for a request that wants no events.
Result<std::optional<events::EventStream>> OpenRead(events::EventStore& store,
                                                    const ReadRequest& request);

// The id of the last event up to a position; before everything for 0.
Result<events::SortableId> IdUpTo(events::EventStore& store, std::uint64_t position);

// REQUIRES: it has events.
Result<AppendAnswer> AppendFor(events::EventStore& store, AppendRequest request);

}  // namespace stator::event_server
