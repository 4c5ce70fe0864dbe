#include <utility>

#include "base/try.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/idempotency.h"
#include "stator/stores/sessions/session.h"
#include "stores/sessions/core.h"
#include "stores/sessions/creation.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/items.h"
#include "stores/sessions/patching.h"
#include "stores/sessions/reading.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/renewal.h"
#include "stores/sessions/spill.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

// Writes a new value over a record that was seen. Fails with kConflict when it is another by now.
SessionResult<Record> WriteOver(SessionState& state, const KindSpec& kind, const Record& seen,
                                Item value) {
  const Core& core = *state.core;
  Item item = TRY(WithValue(kind.machine, seen.stored.item, std::move(value)));
  item.Set(kExpiry, TRY(ExpiryFor(state, kind, seen.expires_at)));
  const Item whole = ValueOf(item);
  const Spilled spilled = TRY(Spill(core, kind, std::move(item)));
  TRY_VOID(PutAll(core, spilled.parts));
  patterns::WriteResult<patterns::VersionedItem> written =
      core.items.Replace(seen.stored, spilled.header);
  if (!written) {
    if (written.error().kind != patterns::WriteFailureKind::kAmbiguous) {
      RemoveParts(core, PartKeysOf(spilled.header));
    }
    return std::unexpected(FromWriteFailure(std::move(written).error()));
  }
  RemoveParts(core, PartKeysOf(seen.stored.item));
  Record record = DecodeRecord(kind, seen.id, *std::move(written));
  record.value = whole;
  return record;
}

}  // namespace

SessionResult<Record> Session::PutNew(std::string_view kind, std::string_view id,
                                      Item value) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const std::string record = id.empty() ? NewRecordId(*state_->core, kind) : std::string(id);
  return CreateRecord(*state_, *spec, record, std::move(value), {});
}

SessionResult<Record> Session::Replace(const Record& seen, Item value) const {
  const KindSpec* kind = TRY(state_->core->Kind(seen.kind));
  // A record of another session, or of another epoch than this one works in.
  if (TextOf(seen.stored.item, kPartitionKey) != state_->core->PartitionOf(state_->id) ||
      seen.epoch != state_->Known().EpochOf(kind->step)) {
    return std::unexpected(StaleRecord());
  }
  SessionResult<Record> written = WriteOver(*state_, *kind, seen, std::move(value));
  if (!written && written.error().kind == SessionErrorKind::kConflict) {
    // What is in the way may be of another epoch: then the record that was seen is gone.
    SessionResult<Record> current = ReadRecord(*state_, *kind, seen.id);
    if (!current && current.error().kind == SessionErrorKind::kNotFound) {
      return std::unexpected(std::move(current).error());
    }
    if (current) {
      written.error().state = current->state;
      written.error().current = *std::move(current);
    }
  }
  return written;
}

SessionResult<Record> Session::Modify(std::string_view kind, std::string_view id,
                                      const patterns::ItemChange& change) const {
  const Core& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  for (int attempt = 1;; ++attempt) {
    Record seen = TRY(ReadRecord(*state_, *spec, id));
    Item value = seen.value;
    const Result<patterns::Verdict> verdict = change(value);
    if (!verdict) {
      SessionError error{.kind = SessionErrorKind::kInvalid, .message = verdict.error().message};
      error.current = std::move(seen);
      return std::unexpected(std::move(error));
    }
    if (*verdict == patterns::Verdict::kLeave || value == seen.value) {
      return seen;
    }
    SessionResult<Record> written = WriteOver(*state_, *spec, seen, std::move(value));
    if (written || written.error().kind != SessionErrorKind::kConflict ||
        attempt >= core.options.attempts) {
      return written;
    }
    core.environment.clock->SleepFor(patterns::Backoff{.base = std::chrono::milliseconds(5),
                                                       .cap = std::chrono::milliseconds(200)}
                                         .Jitter(attempt - 1, *core.environment.random));
  }
}

SessionResult<Record> Session::ModifyMeta(const patterns::ItemChange& change) const {
  const Core& core = *state_->core;
  const StateMachine& machine = core.workflow.spec().machine;
  std::optional<SessionError> refusal;
  // The patterns' own Modify: who owns the session is looked at on what it reads each time.
  patterns::WriteResult<patterns::VersionedItem> written =
      core.items.Modify(core.MetaKey(state_->id), [&](Item& item) -> Result<patterns::Verdict> {
        const auto refuse = [&](SessionError error) {
          refusal = std::move(error);
          return Invalid(refusal->message);
        };
        refusal.reset();
        if (SessionResult<void> ours = CheckMeta(*state_, ParseMeta(item)); !ours) {
          return refuse(std::move(ours).error());
        }
        Item value = ValueOf(item);
        const AttributeValue owner = item.at(kOwner);
        Result<patterns::Verdict> verdict = change(value);
        if (!verdict || *verdict == patterns::Verdict::kLeave) {
          return verdict;
        }
        value.Set(kOwner, owner);
        SessionResult<Item> after = WithValue(machine, item, std::move(value));
        if (!after) {
          return refuse(std::move(after).error());
        }
        item = *std::move(after);
        return patterns::Verdict::kWrite;
      });
  if (refusal) {
    return std::unexpected(*std::move(refusal));
  }
  if (!written) {
    return std::unexpected(FromWriteFailure(std::move(written).error()));
  }
  return DecodeMeta(machine, state_->id, *std::move(written));
}

SessionResult<Record> Session::Transition(std::string_view kind, std::string_view id,
                                          const TransitionInput& input) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const std::vector<std::string> from = TRY(LegalOrigins(spec->machine, input.from, input.to));
  TRY_VOID(CheckValue(input.set));
  Update update;
  for (const auto& [name, value] : input.set) {
    if (name == spec->machine.attribute) {
      return Refuse(SessionErrorKind::kInvalid, "the state is set by the transition itself");
    }
    update.Set(name, value);
  }
  for (const std::string& name : input.remove) {
    if (IsBookkeeping(name) || name == spec->machine.attribute) {
      return Refuse(SessionErrorKind::kInvalid, "the attribute " + name + " cannot be removed");
    }
    update.Remove(name);
  }
  if (input.lease && !input.worker) {
    return Refuse(SessionErrorKind::kInvalid, "a lease is some worker's: say whose");
  }
  return ChangeState(*state_, *spec, id,
                     {.from = from,
                      .to = input.to,
                      .update = std::move(update),
                      .worker = input.worker,
                      .lease = input.lease});
}

SessionResult<Record> Session::FailRecord(std::string_view kind, std::string_view id,
                                          std::string message,
                                          std::optional<std::string> worker) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  if (spec->machine.failed.empty()) {
    return Refuse(SessionErrorKind::kInvalid, "records of kind " + spec->name + " do not fail");
  }
  return Transition(kind, id,
                    {.to = spec->machine.failed,
                     .set = {{spec->error_attribute, std::move(message)}},
                     .worker = std::move(worker)});
}

SessionResult<bool> Session::Remove(std::string_view kind, std::string_view id) const {
  const Core& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  const std::optional<Record> record = TRY(FindRecord(*state_, *spec, id, /*whole=*/false));
  if (!record) {
    return false;
  }
  const patterns::WriteResult<void> removed = core.items.Remove(record->stored);
  if (!removed) {
    return removed.error().kind == patterns::WriteFailureKind::kNotFound
               ? SessionResult<bool>(false)
               : std::unexpected(FromWriteFailure(removed.error()));
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
