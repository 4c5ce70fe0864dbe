#include "stores/events/append_events.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/events/background.h"
#include "stores/events/event_log.h"
#include "stores/events/prepared_append.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kAppendIdBytesMax = 256;

Result<void> CheckAppendId(const std::string& id) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (id.size() > kAppendIdBytesMax || !value::IsUtf8(id) ||
      std::any_of(id.begin(), id.end(), is_control)) {
    return Invalid("an append id has at most 256 bytes of UTF-8 without control characters");
  }
  return {};
}

// Those that were given; none if none was.
std::vector<std::string> IdsOf(const std::vector<Event>& events) {
  std::vector<std::string> ids;
  for (const Event& event : events) {
    if (!event.id.empty()) {
      ids.push_back(event.id);
    }
  }
  return ids;
}

std::vector<std::string> IdsOf(const Landed& landed) {
  const LoggedAppend& append = landed.append.logged();
  std::vector<std::string> ids;
  for (std::size_t index = append.first; index < append.first + append.events; ++index) {
    if (landed.append.slot->kept_ids[index]) {
      ids.push_back(landed.append.slot->events[index].id);
    }
  }
  return ids;
}

// Goes through the queue, with new facts when the index got ahead of the old ones.
Result<Landed> RunTicket(EventStoreCore& core, Ticket& ticket) {
  while (true) {
    const Mark mark = core.log.known_tags().mark();
    if (std::optional<LandedAppend> landed = TRY(FindLanded(core, ticket, mark))) {
      return Landed{.append = *std::move(landed), .found = true};
    }
    ticket.conflict = TRY(FindConflictBelow(core, ticket.conditions, mark));
    ticket.facts_slot = mark.place.slot;
    if (!ticket.conflict && !ticket.payloads.empty() && !ticket.has_payloads) {
      ticket.has_payloads = true;
      TRY_VOID(WritePayloads(core, ticket.payloads));
    }
    if (!ticket.conflict && ticket.bytes.size() > kSlotBytesMax && !ticket.parts) {
      ticket.parts = TRY(WriteParts(core, std::string(1, kBodyVersion) + ticket.bytes));
    }
    core.log.Run(ticket);
    switch (ticket.outcome) {
      case Ticket::Outcome::kAppended:
      case Ticket::Outcome::kFound:
        return Landed{.append = {.slot = ticket.slot, .append = ticket.append_index},
                      .found = ticket.outcome == Ticket::Outcome::kFound};
      case Ticket::Outcome::kFailed:
        return std::unexpected(ticket.error);
      case Ticket::Outcome::kStale:
      case Ticket::Outcome::kBehind:
      case Ticket::Outcome::kNone:
        break;
    }
  }
}

Result<Landed> Append(EventStoreCore& core, std::vector<NewEvent> events,
                      const AppendOptions& options, const std::optional<ClaimedId>& claim) {
  TRY_VOID(CheckAppendId(options.append_id));
  Ticket ticket;
  for (const AppendCondition& condition : options.more_conditions) {
    ticket.conditions.push_back(&condition);
  }
  if (options.condition) {
    ticket.conditions.push_back(&*options.condition);
  }
  for (const AppendCondition* condition : ticket.conditions) {
    TRY_VOID(CheckQuery(condition->fail_if_match));
  }
  const KeyBySubject keys = TRY(core.subjects.ForAppending(events));
  ticket.append.append_id = options.append_id;
  if (!options.append_id.empty()) {
    ticket.append.fingerprint = FingerprintOf(events, keys);
  }
  const std::string fingerprint = ticket.append.fingerprint;
  ticket.stop = options.stop;
  TRY_VOID(PrepareAppend(core, std::move(events), keys, ticket));
  if (claim) {
    ticket.events.front().id = claim->event_id;
    ticket.append.claim = claim->fingerprint;
  }
  ticket.bytes = EncodeAppend(ticket.append, ticket.events);
  if (ticket.bytes.size() > kBytesPerAppendMax) {
    return Invalid("an append has at most 16 MB, besides payloads in the blob store");
  }
  std::vector<std::string> ids;
  if (!claim) {
    ids = IdsOf(ticket.events);
  }
  Result<Landed> landed = RunTicket(core, ticket);
  // Slots that are void name parts, too.
  if (ticket.parts && !ticket.sent) {
    RemoveParts(core, *ticket.parts);
  }
  if (ticket.has_payloads && !ticket.sent) {
    RemovePayloads(core, ticket.payloads);
  }
  if (landed && !landed->found) {
    core.background.Notice();
  }
  // One that was redacted has none: nobody can tell any more.
  if (landed && landed->found && !fingerprint.empty() &&
      !landed->append.logged().fingerprint.empty() &&
      landed->append.logged().fingerprint != fingerprint) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "append id \"" + options.append_id + "\" was used for other events");
  }
  if (landed && landed->found && !ids.empty() && ids != IdsOf(*landed)) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "an id of the append is that of another event, or it was used for other events");
  }
  return landed;
}

}  // namespace

Result<Landed> AppendEvents(EventStoreCore& core, std::vector<NewEvent> events,
                            const AppendOptions& options, const std::optional<ClaimedId>& claim) {
  const auto& hook = core.options.hooks.on_append;
  if (!hook) {
    return Append(core, std::move(events), options, claim);
  }
  AppendMeasure measure{.events = events.size()};
  const Duration began = core.environment.clock->Elapsed();
  Result<Landed> landed = Append(core, std::move(events), options, claim);
  measure.took = core.environment.clock->Elapsed() - began;
  if (landed) {
    measure.repeated = landed->found;
  } else {
    measure.error = landed.error().code;
  }
  hook(measure);
  return landed;
}

}  // namespace stator::events
