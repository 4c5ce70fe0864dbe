// The item of a subscription.
//
// FORMAT (on disk): options as named in subscription.h, `query` a list of maps with types and tags,
// `last`, `lastId` and `lastPosition` of the last event that was dealt out, and `out`, a list with a
// map for each event that is not acknowledged: p position, i id, a how often it was dealt out, u until
// when (milliseconds) it is leased, or before when it is not dealt out again, l the lease, c whose it
// is (none: nobody's), and r why it is parked, until it has a row of its own.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/events/subscription.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

struct OutEntry {
  std::uint64_t position = 0;
  std::string event_id = {};
  int attempts = 0;
  std::int64_t until_ms = 0;
  std::string lease = {};
  std::string consumer = {};
  std::optional<std::string> parked = std::nullopt;  // why

  friend bool operator==(const OutEntry&, const OutEntry&) = default;
};

struct SubscriptionState {
  SubscriptionOptions options;
  std::optional<Cursor> cursor;
  std::vector<OutEntry> out;
};

void EncodeState(const SubscriptionState& state, Item& item);
Result<SubscriptionState> DecodeState(const Item& item);

patterns::VersionedItems StatesOf(EventStore& store);

// Fails with kNotFound.
Result<SubscriptionState> ReadState(EventStore& store, const std::string& name);

// Reads, changes and writes until nobody was faster. `change` returns Result<bool>, whether there is
// anything to write.
Result<SubscriptionState> ChangeState(
    EventStore& store, const std::string& name,
    const std::function<Result<bool>(SubscriptionState&)>& change);

// Gives entries that are to be parked a row of their own. Whoever comes by does it.
Result<void> ParkMarked(EventStore& store, const std::string& name, const SubscriptionState& state);

std::int64_t NowMs(const EventStore& store);

}  // namespace stator::events
