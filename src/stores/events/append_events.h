// One append, from its events to its place in the log.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
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

// The steps of one append, each on whatever thread does it, one behind the other: Prepare, then
// LookIntoIndex, the queue of the log and TakeOutcome until there is an answer, then Conclude.
class AppendRun {
 public:
  // The options must outlive it.
  AppendRun(EventStoreCore& core, const AppendOptions& options);

  // Checks and encodes. REQUIRES: there are events.
  Result<void> Prepare(std::vector<NewEvent> events, const std::optional<ClaimedId>& claim);
  // Nothing: the ticket has to go through the queue. Reads, and writes what does not fit a slot.
  Result<std::optional<Landed>> LookIntoIndex();
  // Nothing: the index got ahead of what was looked at.
  Result<std::optional<Landed>> TakeOutcome();
  // Removes what is not needed, notes what was done, and tells the hooks. Called once.
  Result<Landed> Conclude(Result<Landed> landed);

  [[nodiscard]] Ticket& ticket() { return ticket_; }

 private:
  [[nodiscard]] Result<Landed> CheckRepetition(Result<Landed> landed) const;

  EventStoreCore* core_;
  const AppendOptions* options_;
  Ticket ticket_;
  std::vector<std::string> ids_;  // that the events were given
  std::size_t events_ = 0;
  Duration began_ = {};
};

// REQUIRES: there are events.
Result<Landed> AppendEvents(EventStoreCore& core, std::vector<NewEvent> events,
                            const AppendOptions& options,
                            const std::optional<ClaimedId>& claim = std::nullopt);

Appended MakeAnswer(const Landed& landed);

}  // namespace stator::events
