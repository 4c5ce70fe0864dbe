// Heads: how far the events of a tag, of a type, or all of them have come. Every append moves those
// of its events in the transaction that writes them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/update.h"
#include "stator/stores/events/sortable_id.h"
#include "stator/value/attribute_value.h"
#include "stores/events/keys.h"

namespace stator::events {

struct Core;

struct Head {
  SortableId last;
  std::string last_event_id;
  SortableId first;
  std::uint64_t events = 0;
};

// Heads as they were read; nothing where there is none yet.
using Heads = std::map<HeadKey, std::optional<Head>>;

Result<Head> DecodeHead(const Item& item);

// With strong reads; not all of one moment.
Result<Heads> ReadHeads(Core& core, const std::vector<HeadKey>& keys);

// By how much an append moves a head.
struct HeadMove {
  SortableId first;
  SortableId last;
  std::string last_event_id;
  std::uint64_t events = 0;
};

patterns::Update MakeHeadUpdate(const HeadKey& key, const HeadMove& move);

// The head is where it was seen.
patterns::Condition IsStill(const std::optional<Head>& seen);
// The head is below `first`, wherever.
patterns::Condition IsBelow(SortableId first);

}  // namespace stator::events
