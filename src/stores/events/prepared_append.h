// An append, checked and laid out, before it has sortable ids.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stator/value/attribute_value.h"
#include "stores/events/core.h"
#include "stores/events/heads.h"

namespace stator::events {

inline constexpr std::size_t kEventsPerAppendMax = 10'000;
// A publication is one transaction: these, the record of the append, and the heads of a condition
// that the append does not move.
inline constexpr std::size_t kHeadsPerAppendMax = 90;
inline constexpr std::size_t kTypeBytesMax = 256;

struct PreparedAppend {
  // Without sortable ids and positions; tags sorted, each once.
  std::vector<Event> events;
  std::string seed;         // of the ids of the events
  std::string fingerprint;  // of what they say
  // Which events move which head: the indexes of the first and the last, and how many.
  struct Span {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t events = 0;
  };
  std::map<HeadKey, Span> heads;
  std::size_t tag_rows = 0;
};

// Fails with kValidation for what cannot be appended, before anything is sent.
Result<PreparedAppend> PrepareAppend(Core& core, std::vector<NewEvent> events);

// Gives the events the ids of a seed; done again for every stage.
void AssignEventIds(const std::string& seed, PreparedAppend& append);

// Gives them sortable ids, and positions from `first_position` on unless it is 0.
void AssignPlaces(const std::vector<SortableId>& ids, std::uint64_t first_position,
                  PreparedAppend& append);

HeadMove MakeMove(const PreparedAppend& append, const PreparedAppend::Span& span);

// Entries of the registries of tags, groups and types that may not be written yet, by what
// KnownEntries calls them.
std::map<std::string, Item> FindNewEntries(const Core& core, const PreparedAppend& append);

Appended MakeAnswer(const PreparedAppend& append);

// Fails with kValidation when an event is too large to be stored.
Result<void> CheckEventSizes(const Core& core, const PreparedAppend& append);

// Of all items that an append in one transaction would write.
std::size_t MeasureAppend(const PreparedAppend& append);

}  // namespace stator::events
