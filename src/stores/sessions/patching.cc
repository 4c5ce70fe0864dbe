#include "stores/sessions/patching.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/renewal.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

std::int64_t Milliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

std::vector<AttributeValue> ToValues(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace

Error StaleRecord() {
  return {.code = ErrorCode::kStale,
          .message = "the record is gone: invalidated, expired, removed, or never there"};
}

Error IllegalTransition(const Record& current, const std::string& wanted) {
  return MakeError(ErrorCode::kIllegalTransition,
                   "the record is in state '" + current.state +
                       "', from where there is no way to '" + wanted + "'",
                   {.state = current.state, .current = current});
}

Result<std::vector<std::string>> LegalOrigins(const StateMachine& machine,
                                              const std::vector<std::string>& from,
                                              const std::string& to) {
  const std::vector<std::string> before = machine.Before(to);
  if (before.empty()) {
    return Fail(ErrorCode::kIllegalTransition, "no way leads to the state '" + to + "'");
  }
  for (const std::string& state : from) {
    if (std::find(before.begin(), before.end(), state) == before.end()) {
      return Fail(ErrorCode::kIllegalTransition,
                  "there is no way from '" + state + "' to '" + to + "'");
    }
  }
  return from.empty() ? before : from;
}

Result<Record> PatchRecord(SessionState& state, const KindSpec& kind, std::string_view id,
                           Update update, const Condition& condition, bool repeatable,
                           const Explain& explain) {
  const SessionStoreCore& core = *state.core;
  TRY_VOID(CheckRecordId(id));
  if (const std::optional<std::int64_t> expiry = TRY(ExpiryForPatch(state, kind)); expiry) {
    update.Set(kExpiry, *expiry);
  }
  const std::int64_t epoch = state.Known().EpochOf(kind.step);
  Result<patterns::VersionedItem> written = core.items.Patch(
      core.MakeKey(state.id, SortKeyOf(kind, id)), update,
      EpochIs(Attribute(kEpoch), epoch) && Attribute(kBuilding).NotExists() && condition,
      {.repeatable = repeatable});
  if (written) {
    return DecodeRecord(kind, id, *std::move(written));
  }
  const Error& error = written.error();
  if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kExpired) {
    return std::unexpected(StaleRecord());
  }
  const std::optional<patterns::VersionedItem>& found = patterns::FactsOf(error).current;
  if (error.code != ErrorCode::kRefused || !found) {
    return std::unexpected(FromWrite(core, error));
  }
  const Record current = DecodeRecord(kind, id, *found);
  if (current.epoch != epoch || current.stored.item.contains(kBuilding)) {
    return std::unexpected(StaleRecord());
  }
  return std::unexpected(explain(current));
}

Condition HoldsLease(const SessionStoreCore& core, const std::string& worker) {
  return Attribute(kLeaseOwner) == worker && Attribute(kLeaseUntil) > Milliseconds(core.Now());
}

Condition MayTakeLease(const SessionStoreCore& core, const std::string& worker) {
  return Attribute(kLeaseOwner).NotExists() || Attribute(kLeaseOwner) == worker ||
         Attribute(kLeaseUntil) <= Milliseconds(core.Now());
}

void SetLease(const SessionStoreCore& core, const std::string& worker, Duration length,
              Update& update) {
  update.Set(kLeaseOwner, worker).Set(kLeaseUntil, Milliseconds(core.Now() + length));
}

bool IsLeaseHeldBy(const SessionStoreCore& core, const Record& record, const std::string& worker) {
  return record.lease && record.lease->worker == worker && record.lease->until > core.Now();
}

Result<Record> ChangeState(SessionState& state, const KindSpec& kind, std::string_view id,
                           const StateUpdate& change) {
  const SessionStoreCore& core = *state.core;
  Update update = change.update;
  update.Set(kind.machine.attribute, change.to);
  Condition condition =
      Attribute(kind.machine.attribute).In(ToValues(change.from)) && change.condition;
  if (change.lease) {
    SetLease(core, *change.worker, *change.lease, update);
    condition = std::move(condition) && MayTakeLease(core, *change.worker);
  } else {
    // Whoever worked on it has done its part.
    update.Remove(kLeaseOwner).Remove(kLeaseUntil);
    if (change.worker) {
      condition = std::move(condition) && HoldsLease(core, *change.worker);
    }
  }
  // Repeated, it finds itself in the state where it wanted to go; unless that is one of those that
  // it may start from, the condition refuses.
  const bool repeatable =
      std::find(change.from.begin(), change.from.end(), change.to) == change.from.end();
  return PatchRecord(
      state, kind, id, std::move(update), condition, repeatable, [&](const Record& current) {
        const bool fits =
            std::find(change.from.begin(), change.from.end(), current.state) != change.from.end();
        if (fits && change.worker && !IsLeaseHeldBy(core, current, *change.worker)) {
          return MakeError(change.lease ? ErrorCode::kLeaseHeld : ErrorCode::kLeaseLost,
                           "the lease is another worker's",
                           {.state = current.state, .lease = current.lease});
        }
        return IllegalTransition(current, change.to);
      });
}

}  // namespace stator::sessions
