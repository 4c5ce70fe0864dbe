// Looking after an event store: whether everything in it agrees, and moving events as lines of
// JSON.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

struct VerifyReport {
  std::uint64_t events = 0;
  std::uint64_t tag_rows = 0;
  std::uint64_t tags = 0;
  std::uint64_t void_slots = 0;  // of writers that lost a race; no harm
  std::uint64_t problem_count = 0;
  std::vector<std::string> problems;  // the first hundred

  [[nodiscard]] bool clean() const { return problem_count == 0; }
};

// Walks the log, and compares what follows from it with what is stored: the index up to its mark,
// the rows of the view up to its own, what is said about tags. Changes nothing. While others append,
// what they append may show as a problem.
// COST: memory for every tag, reads for every event and row. REQUIRES: the store has a log.
Result<VerifyReport> VerifyEvents(EventStore& store);

// Writes the rows that the original system has, for at most so many slots of the log, if the service
// has a view. Programs that live for long need not: a thread of the store does it.
Result<void> CatchUpView(EventStore& store,
                         std::uint64_t slots_max = std::numeric_limits<std::uint64_t>::max());

// One event as a line of JSON without its end:
//   {"id":..,"metadata":{..},"payload":"..","position":..,"recordedAt":..,"sortableId":..,
//    "tags":[..],"type":..}
// A payload that is not UTF-8 is in "payloadBase64" instead.
std::string FormatEventLine(const Event& event);
// What such a line says about an event that is to be appended; id and places are not taken. Fails
// with kSerialization.
struct EventLine {
  std::string id;  // may be empty
  NewEvent event;
};
Result<EventLine> ParseEventLine(std::string_view line);

// Gives `take` every event's line in order; returns how many.
Result<std::uint64_t> ExportEvents(EventStore& store,
                                   const std::function<Result<void>(const std::string&)>& take);

// Appends the event of a line. A line with an id is appended once, however often it is imported.
Result<Appended> ImportEventLine(EventStore& store, std::string_view line);

}  // namespace stator::events
