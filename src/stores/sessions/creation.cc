#include "stores/sessions/creation.h"

#include <utility>

#include "base/try.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/transaction.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/renewal.h"
#include "stores/sessions/spill.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;

constexpr const char* kSessionLabel = "session";
constexpr const char* kRecordLabel = "record";

Error SessionInTheWay(const SessionState& state, const std::optional<Item>& item) {
  state.core->Forget(state.id);
  if (!item) {
    return {.code = ErrorCode::kNotFound, .message = "there is no such session"};
  }
  if (Result<void> ours = CheckMeta(state, ParseMeta(*item)); !ours) {
    return std::move(ours).error();
  }
  return {.code = ErrorCode::kStale,
          .message = "the step was invalidated since the session was claimed"};
}

Error WhyNotCreated(const SessionState& state, const KindSpec& kind, const std::string& id,
                    const Error& failure) {
  const auto* const session = patterns::FindConditionFailed(failure, kSessionLabel);
  if (session != nullptr) {
    return SessionInTheWay(state, session->item);
  }
  const auto* const record = patterns::FindConditionFailed(failure, kRecordLabel);
  if (record == nullptr) {
    return FromTransaction(*state.core, failure);
  }
  SessionFacts facts;
  // One of another epoch, or of another session under this id, is nobody's business.
  if (record->item && EpochOfItem(*record->item) == state.Known().EpochOf(kind.step)) {
    facts.current = DecodeRecord(kind, id, state.core->items.versioning().Read(*record->item));
    facts.state = facts.current->state;
  }
  return MakeError(ErrorCode::kAlreadyExists, "there is a record of that id already",
                   std::move(facts));
}

// The place is free: nothing is there, or something that has expired, or, where ids come again,
// something of an epoch that is over.
Condition PlaceIsFree(const SessionStoreCore& core, const KindSpec& kind, std::int64_t epoch) {
  Condition place_is_free = patterns::Absent(core.layout, core.Now());
  return kind.reusable_ids ? std::move(place_is_free) || EpochIsNot(Attribute(kEpoch), epoch)
                           : place_is_free;
}

}  // namespace

Result<Record> CreateRecord(SessionState& state, const KindSpec& kind, const std::string& id,
                            Item value, const Item& extra) {
  const SessionStoreCore& core = *state.core;
  TRY_VOID(CheckRecordId(id));
  Item item = TRY(MakeRecordItem(kind, std::move(value)));
  for (const auto& [name, attribute] : extra) {
    item.Set(name, attribute);
  }
  for (const auto& [name, attribute] : core.MakeKey(state.id, SortKeyOf(kind, id))) {
    item.Set(name, attribute);
  }
  item.Set(kExpiry, TRY(ExpiryFor(state, kind, std::nullopt)));
  const std::int64_t epoch = state.Known().EpochOf(kind.step);
  if (epoch != 0) {
    item.Set(kEpoch, epoch);
  }
  const Item whole = ValueOf(item);
  const Spilled spilled = TRY(Spill(core, kind, std::move(item)));
  TRY_VOID(PutAll(core, spilled.parts));

  const patterns::WriteStamp stamp{.write_id = patterns::MakeWriteId(*core.environment.random),
                                   .at = core.Now()};
  Item stored = core.items.versioning().Stamped(spilled.header, nullptr, stamp);
  const std::string step = kind.step.empty() ? kSessionEpoch : kind.step;
  patterns::Transaction transaction(*core.database, patterns::Idempotency::Token(stamp.write_id),
                                    {.retry = core.options.retry}, core.environment);
  transaction
      .Patch({.table = core.layout,
              .key = core.MetaKey(state.id),
              .update = patterns::Update().Set(Attribute(kLatest)[kind.name], id),
              .condition = MetaIsOurs(state) && EpochIs(Attribute(kEpoch)[step], epoch),
              .label = kSessionLabel})
      .Upsert({.table = core.layout,
               .item = stored,
               .condition = PlaceIsFree(core, kind, epoch),
               .label = kRecordLabel});
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    if (outcome.error().code != ErrorCode::kAmbiguous) {
      RemoveParts(core, PartKeysOf(spilled.header));
    }
    return std::unexpected(WhyNotCreated(state, kind, id, outcome.error()));
  }
  Record record = DecodeRecord(kind, id, core.items.versioning().Read(std::move(stored)));
  record.value = whole;
  return record;
}

}  // namespace stator::sessions
