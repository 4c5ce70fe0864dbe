// One append, from its events to its place in the log.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/append_facts.h"

namespace stator::events {

// The event of a claim has an id of its own and says by which operation it was written.
struct ClaimedId {
  std::string event_id;
  std::string fingerprint;
};

struct Landed {
  LandedAppend append;
  bool found = false;  // it was there before
};

// REQUIRES: there are events.
Result<Landed> AppendEvents(EventStoreCore& core, std::vector<NewEvent> events,
                            const AppendOptions& options,
                            const std::optional<ClaimedId>& claim = std::nullopt);

}  // namespace stator::events
