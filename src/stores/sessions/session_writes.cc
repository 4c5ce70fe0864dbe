#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/idempotency.h"
#include "stator/stores/sessions/session.h"
#include "stores/sessions/creation.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/items.h"
#include "stores/sessions/patching.h"
#include "stores/sessions/reading.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/renewal.h"
#include "stores/sessions/session_store_core.h"
#include "stores/sessions/spill.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

// Writes a new value over a record that was seen. Fails with kConflict when it is another by now.
Result<Record> WriteOver(SessionState& state, const KindSpec& kind, const Record& seen,
                         Item value) {
  const SessionStoreCore& core = *state.core;
  Item item = TRY(WithValue(kind.machine, seen.stored.item, std::move(value)));
  item.Set(kExpiry, TRY(ExpiryFor(state, kind, seen.expires_at)));
  const Item whole = ValueOf(item);
  const Spilled spilled = TRY(Spill(core, kind, std::move(item)));
  TRY_VOID(PutAll(core, spilled.parts));
  Result<patterns::VersionedItem> written = core.items.Replace(seen.stored, spilled.header);
  if (!written) {
    if (written.error().code != ErrorCode::kAmbiguous) {
      RemoveParts(core, PartKeysOf(spilled.header));
    }
    return std::unexpected(FromWrite(core, std::move(written).error()));
  }
  RemoveParts(core, PartKeysOf(seen.stored.item));
  Record record = DecodeRecord(kind, seen.id, *std::move(written));
  record.value = whole;
  return record;
}

// What a transition writes beside the state.
Result<Update> UpdateOf(const StateMachine& machine, const TransitionInput& input) {
  TRY_VOID(CheckValue(input.set));
  Update update;
  for (const auto& [name, value] : input.set) {
    if (name == machine.attribute) {
      return Invalid("the state is set by the transition itself");
    }
    update.Set(name, value);
  }
  for (const std::string& name : input.remove) {
    if (IsBookkeeping(name) || name == machine.attribute) {
      return Invalid("the attribute " + name + " cannot be removed");
    }
    update.Remove(name);
  }
  return update;
}

// One round of a Modify.
struct Round {
  Record seen;
  Item next = {};
};

}  // namespace

Result<Record> Session::PutNew(std::string_view kind, std::string_view id, Item value) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const std::string record = id.empty() ? NewRecordId(*state_->core, kind) : std::string(id);
  return CreateRecord(*state_, *spec, record, std::move(value), {});
}

Result<Record> Session::Replace(const Record& seen, Item value) const {
  const KindSpec* kind = TRY(state_->core->Kind(seen.kind));
  // A record of another session, or of another epoch than this one works in.
  if (TextOf(seen.stored.item, kPartitionKey) != state_->core->PartitionOf(state_->id) ||
      seen.epoch != state_->Known().EpochOf(kind->step)) {
    return std::unexpected(StaleRecord());
  }
  Result<Record> written = WriteOver(*state_, *kind, seen, std::move(value));
  if (!written && written.error().code == ErrorCode::kConflict) {
    // What is in the way may be of another epoch: then the record that was seen is gone.
    Result<Record> current = ReadRecord(*state_, *kind, seen.id);
    if (!current && current.error().code == ErrorCode::kNotFound) {
      return std::unexpected(std::move(current).error());
    }
    if (current) {
      const std::string now = current->state;
      return std::unexpected(MakeError(
          ErrorCode::kConflict, written.error().message,
          {.state = now, .current = *std::move(current), .cause = FactsOf(written.error()).cause}));
    }
  }
  return written;
}

Result<Record> Session::Modify(std::string_view kind, std::string_view id,
                               const patterns::ItemChange& change) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  const auto read = [&](const Error* /*overtaken*/) -> Result<Round> {
    return Round{.seen = TRY(ReadRecord(*state_, *spec, id))};
  };
  const auto apply = [&](Round& round) -> Result<std::optional<Record>> {
    round.next = round.seen.value;
    const Result<patterns::Verdict> verdict = change(round.next);
    if (!verdict) {
      return std::unexpected(MakeError(
          ErrorCode::kRefused, verdict.error().message,
          {.state = round.seen.state, .current = std::move(round.seen), .cause = verdict.error()}));
    }
    const bool same = *verdict == patterns::Verdict::kLeave || round.next == round.seen.value;
    return same ? std::optional(std::move(round.seen)) : std::nullopt;
  };
  const auto write = [&](Round& round) {
    return WriteOver(*state_, *spec, round.seen, std::move(round.next));
  };
  return patterns::ReadModifyWrite(core.options.retry, core.environment, read, apply, write);
}

Result<Record> Session::ModifyMeta(const patterns::ItemChange& change) const {
  const SessionStoreCore& core = *state_->core;
  const StateMachine& machine = core.workflow.spec().machine;
  // What the store itself refuses, rather than the caller's function.
  std::optional<Error> refusal;
  // The patterns' own Modify: who owns the session is looked at on what it reads each time.
  Result<patterns::VersionedItem> written =
      core.items.Modify(core.MetaKey(state_->id),
                        [&](Item& item) -> Result<patterns::Verdict> {
                          const auto refuse = [&](Error error) {
                            refusal = std::move(error);
                            return std::unexpected(*refusal);
                          };
                          refusal.reset();
                          if (Result<void> ours = CheckMeta(*state_, ParseMeta(item)); !ours) {
                            return refuse(std::move(ours).error());
                          }
                          Item value = ValueOf(item);
                          const AttributeValue owner = item.at(kOwner);
                          Result<patterns::Verdict> verdict = change(value);
                          if (!verdict || *verdict == patterns::Verdict::kLeave) {
                            return verdict;
                          }
                          value.Set(kOwner, owner);
                          Result<Item> after = WithValue(machine, item, std::move(value));
                          if (!after) {
                            return refuse(std::move(after).error());
                          }
                          item = *std::move(after);
                          return patterns::Verdict::kWrite;
                        },
                        {.retry = core.options.retry});
  if (refusal) {
    return std::unexpected(*std::move(refusal));
  }
  if (!written && written.error().code == ErrorCode::kRefused) {
    return std::unexpected(MakeError(ErrorCode::kRefused, written.error().message,
                                     {.cause = patterns::FactsOf(written.error()).cause}));
  }
  if (!written) {
    return std::unexpected(FromWrite(core, std::move(written).error()));
  }
  return DecodeMeta(machine, state_->id, *std::move(written));
}

Result<Record> Session::Transition(std::string_view kind, std::string_view id,
                                   const TransitionInput& input) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const std::vector<std::string> from = TRY(LegalOrigins(spec->machine, input.from, input.to));
  Update update = TRY(UpdateOf(spec->machine, input));
  if (input.lease && !input.worker) {
    return Invalid("a lease is some worker's: say whose");
  }
  return ChangeState(*state_, *spec, id,
                     {.from = from,
                      .to = input.to,
                      .update = std::move(update),
                      .worker = input.worker,
                      .lease = input.lease});
}

Result<Record> Session::TransitionMeta(const TransitionInput& input) const {
  const SessionStoreCore& core = *state_->core;
  const StateMachine& machine = core.workflow.spec().machine;
  const std::vector<std::string> from = TRY(LegalOrigins(machine, input.from, input.to));
  Update update = TRY(UpdateOf(machine, input));
  if (input.worker || input.lease) {
    return Invalid("a session has no lease");
  }
  if (input.set.contains(kOwner) || std::ranges::find(input.remove, kOwner) != input.remove.end()) {
    return Invalid("a session keeps its owner");
  }
  update.Set(machine.attribute, input.to);
  const std::vector<AttributeValue> origins(from.begin(), from.end());
  // Repeated, it finds itself in the state where it wanted to go.
  const bool repeatable = std::ranges::find(from, input.to) == from.end();
  Result<patterns::VersionedItem> written = core.items.Patch(
      core.MetaKey(state_->id), update,
      MetaIsOurs(*state_) && Attribute(machine.attribute).In(origins), {.repeatable = repeatable});
  if (written) {
    return DecodeMeta(machine, state_->id, *std::move(written));
  }
  const Error& error = written.error();
  if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kExpired) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  const std::optional<patterns::VersionedItem>& found = patterns::FactsOf(error).current;
  if (error.code != ErrorCode::kRefused || !found) {
    return std::unexpected(FromWrite(core, error));
  }
  TRY_VOID(CheckMeta(*state_, ParseMeta(found->item)));
  return std::unexpected(IllegalTransition(DecodeMeta(machine, state_->id, *found), input.to));
}

Result<Record> Session::FailRecord(std::string_view kind, std::string_view id, std::string message,
                                   std::optional<std::string> worker) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  if (spec->machine.failed.empty()) {
    return Invalid("records of kind " + spec->name + " do not fail");
  }
  return Transition(kind, id,
                    {.to = spec->machine.failed,
                     .set = {{spec->error_attribute, std::move(message)}},
                     .worker = std::move(worker)});
}

Result<bool> Session::Remove(std::string_view kind, std::string_view id) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  const std::optional<Record> record = TRY(FindRecord(*state_, *spec, id, /*whole=*/false));
  if (!record) {
    return false;
  }
  const Result<void> removed = core.items.Remove(record->stored);
  if (!removed) {
    return removed.error().code == ErrorCode::kNotFound
               ? Result<bool>(false)
               : std::unexpected(FromWrite(core, removed.error()));
  }
  RemoveParts(core, PartKeysOf(record->stored.item));
  if (record->stored.item.contains(kChildren)) {
    std::vector<Item> keys;
    for (const ItemState& item : TRY(ReadChildren(*state_, *spec, *record))) {
      keys.push_back(core.MakeKey(state_->id, ItemKeyOf(*spec, id, item.id)));
    }
    RemoveParts(core, keys);
  }
  return true;
}

}  // namespace stator::sessions
