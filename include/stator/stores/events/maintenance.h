// Looking after an event store: whether everything in it agrees, and moving events as lines of
// JSON.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
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

// Writes all rows of the view again, whatever became of them; none is removed. Fails with kValidation
// when the service has no view.
Result<void> RebuildView(EventStore& store);

// Removes payloads from the blob store that no event names, left behind by writers that died, and says
// how many. Those that are younger than `age` may belong to an append that is under way. Reads the
// whole log.
Result<std::size_t> SweepPayloads(EventStore& store, Duration age = std::chrono::hours(1));

// How far what is written behind the log is. What is not indexed is in the memory of every process
// that has the store open.
struct BehindStatus {
  std::uint64_t events = 0;  // in the log
  std::uint64_t slots = 0;
  std::uint64_t indexed_events = 0;
  bool has_view = true;
  std::uint64_t viewed_events = 0;
};
Result<BehindStatus> ReadBehind(EventStore& store);

// One event as a line of JSON without its end:
//   {"id":..,"metadata":{..},"payload":"..","position":..,"recordedAt":..,"sortableId":..,
//    "tags":[..],"type":..}
// A payload that is not UTF-8 is in "payloadBase64" instead. "subject" and "erased" are there if they
// say something (erasure.h); payloads are not sealed in lines.
std::string FormatEventLine(const Event& event);
// What such a line says about an event that is to be appended. Fails with kSerialization.
struct EventLine {
  std::string id = {};          // may be empty
  std::uint64_t position = 0;   // in the log that it is of; 0: not said
  SortableId sortable_id = {};  // SortableId() for none
  std::string recorded_at = {};
  NewEvent event = {};
  bool erased = false;  // it had a payload, which is gone
};
Result<EventLine> ParseEventLine(std::string_view line);

// What the last line of an export says of those before it, so that whoever has them knows that they are
// all there, and as they were:
//   {"end":{"events":..,"sha256":".."}}
struct ExportEnd {
  std::uint64_t events = 0;
  std::string sha256 = {};  // of the lines of the events, each with a "\n"; in hexadecimal digits

  friend bool operator==(const ExportEnd&, const ExportEnd&) = default;
};

// Gives `take` every event's line in order, then that of the end.
Result<ExportEnd> ExportEvents(EventStore& store,
                               const std::function<Result<void>(const std::string&)>& take);
// The end that an export would have.
Result<ExportEnd> DigestEvents(EventStore& store);

struct ImportReport {
  std::uint64_t lines = 0;     // of events
  std::uint64_t appended = 0;  // the others were there
  std::uint64_t moved = 0;     // of those that were appended: their sortable id is another now
  // What the lines ended with. Nothing: they may have broken off.
  std::optional<ExportEnd> end = std::nullopt;
  // Whether they are all events of a log, from the first on: an empty store then has the same digest.
  bool is_whole_log = true;
};

// Appends the events of lines, which `next` gives until it says that there are no more. They keep
// their ids and times, so that an empty store becomes the one that the lines were exported from. An
// event keeps its sortable id where that sorts behind everything before it, and gets the next one
// behind that otherwise. A line with an id is imported once: an import that was interrupted is
// simply repeated. Fails with kSerialization when the lines are not those that their end speaks of; some
// were imported then.
Result<ImportReport> ImportEvents(EventStore& store,
                                  const std::function<Result<bool>(std::string& line)>& next);

}  // namespace stator::events
