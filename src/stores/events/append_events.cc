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

}  // namespace

AppendRun::AppendRun(EventStoreCore& core, const AppendOptions& options)
    : core_(&core), options_(&options) {
  if (core.options.hooks.on_append) {
    began_ = core.environment.clock->Elapsed();
  }
}

Result<void> AppendRun::Prepare(std::vector<NewEvent> events,
                                const std::optional<ClaimedId>& claim) {
  events_ = events.size();
  TRY_VOID(CheckAppendId(options_->append_id));
  for (const AppendCondition& condition : options_->more_conditions) {
    ticket_.conditions.push_back(&condition);
  }
  if (options_->condition) {
    ticket_.conditions.push_back(&*options_->condition);
  }
  for (const AppendCondition* condition : ticket_.conditions) {
    TRY_VOID(CheckQuery(condition->fail_if_match));
  }
  const KeyBySubject keys = TRY(core_->subjects.ForAppending(events));
  ticket_.append.append_id = options_->append_id;
  if (!options_->append_id.empty()) {
    ticket_.append.fingerprint = FingerprintOf(events, keys);
  }
  ticket_.stop = options_->stop;
  TRY_VOID(PrepareAppend(*core_, std::move(events), keys, ticket_));
  if (claim) {
    ticket_.events.front().id = claim->event_id;
    ticket_.append.claim = claim->fingerprint;
  } else {
    ids_ = IdsOf(ticket_.events);
  }
  ticket_.bytes = EncodeAppend(ticket_.append, ticket_.events);
  if (ticket_.bytes.size() > kBytesPerAppendMax) {
    return Invalid("an append has at most 16 MB, besides payloads in the blob store");
  }
  return {};
}

Result<std::optional<Landed>> AppendRun::LookIntoIndex() {
  const Mark mark = core_->log.known_tags().mark();
  if (std::optional<LandedAppend> landed = TRY(FindLanded(*core_, ticket_, mark))) {
    return Landed{.append = *std::move(landed), .found = true};
  }
  ticket_.conflict = TRY(FindConflictBelow(*core_, ticket_.conditions, mark));
  ticket_.facts_slot = mark.place.slot;
  if (!ticket_.conflict && !ticket_.payloads.empty() && !ticket_.has_payloads) {
    ticket_.has_payloads = true;
    TRY_VOID(WritePayloads(*core_, ticket_.payloads));
  }
  if (!ticket_.conflict && ticket_.bytes.size() > kSlotBytesMax && !ticket_.parts) {
    ticket_.parts = TRY(WriteParts(*core_, std::string(1, kBodyVersion) + ticket_.bytes));
  }
  return std::nullopt;
}

Result<std::optional<Landed>> AppendRun::TakeOutcome() {
  switch (ticket_.outcome) {
    case Ticket::Outcome::kAppended:
    case Ticket::Outcome::kFound:
      return Landed{.append = {.slot = std::move(ticket_.slot), .append = ticket_.append_index},
                    .found = ticket_.outcome == Ticket::Outcome::kFound};
    case Ticket::Outcome::kFailed:
      return std::unexpected(ticket_.error);
    case Ticket::Outcome::kStale:
    case Ticket::Outcome::kBehind:
    case Ticket::Outcome::kNone:
      break;
  }
  return std::nullopt;
}

Result<Landed> AppendRun::CheckRepetition(Result<Landed> landed) const {
  if (!landed || !landed->found) {
    return landed;
  }
  // One that was redacted has none: nobody can tell any more.
  const std::string& fingerprint = ticket_.append.fingerprint;
  const std::string& stored = landed->append.logged().fingerprint;
  if (!fingerprint.empty() && !stored.empty() && stored != fingerprint) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "append id \"" + options_->append_id + "\" was used for other events");
  }
  if (!ids_.empty() && ids_ != IdsOf(*landed)) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "an id of the append is that of another event, or it was used for other events");
  }
  return landed;
}

Result<Landed> AppendRun::Conclude(Result<Landed> landed) {
  // Slots that are void name parts, too.
  if (ticket_.parts && !ticket_.sent) {
    RemoveParts(*core_, *ticket_.parts);
  }
  if (ticket_.has_payloads && !ticket_.sent) {
    RemovePayloads(*core_, ticket_.payloads);
  }
  if (landed && !landed->found) {
    core_->background.Notice();
  }
  landed = CheckRepetition(std::move(landed));
  if (const auto& hook = core_->options.hooks.on_append) {
    AppendMeasure measure{.events = events_};
    measure.took = core_->environment.clock->Elapsed() - began_;
    if (landed) {
      measure.repeated = landed->found;
    } else {
      measure.error = landed.error().code;
    }
    hook(measure);
  }
  return landed;
}

namespace {

// Goes through the queue, with new facts when the index got ahead of the old ones.
Result<Landed> Run(EventStoreCore& core, AppendRun& run, std::vector<NewEvent> events,
                   const std::optional<ClaimedId>& claim) {
  TRY_VOID(run.Prepare(std::move(events), claim));
  while (true) {
    if (std::optional<Landed> landed = TRY(run.LookIntoIndex())) {
      return *std::move(landed);
    }
    core.log.Run(run.ticket());
    if (std::optional<Landed> landed = TRY(run.TakeOutcome())) {
      return *std::move(landed);
    }
  }
}

}  // namespace

Result<Landed> AppendEvents(EventStoreCore& core, std::vector<NewEvent> events,
                            const AppendOptions& options, const std::optional<ClaimedId>& claim) {
  AppendRun run(core, options);
  return run.Conclude(Run(core, run, std::move(events), claim));
}

Appended MakeAnswer(const Landed& landed) {
  const LoggedAppend& append = landed.append.logged();
  Appended answer{.events = {}, .repeated = landed.found};
  answer.events.reserve(append.events);
  for (std::size_t index = append.first; index < append.first + append.events; ++index) {
    const Event& event = landed.append.slot->events[index];
    answer.events.push_back({event.id, event.sortable_id, event.position});
  }
  return answer;
}

}  // namespace stator::events
