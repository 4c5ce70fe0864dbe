#include "stores/sessions/claim.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

// Epochs of a session that is new. They begin with the time, so they are above those of a former
// session under this id even when nothing is left of that but a few records.
Map MakeEpochs(const SessionStoreCore& core, std::int64_t above) {
  const std::int64_t now =
      std::chrono::floor<std::chrono::milliseconds>(core.Now()).time_since_epoch().count();
  const std::int64_t first = std::max(now, above + 1);
  Map epochs{{kSessionEpoch, first}};
  for (const StepSpec& step : core.workflow.spec().steps) {
    epochs.Set(step.name, first);
  }
  return epochs;
}

// Those of a session that an older system made: its records have none.
Map MakeZeroEpochs(const SessionStoreCore& core) {
  Map epochs{{kSessionEpoch, 0}};
  for (const StepSpec& step : core.workflow.spec().steps) {
    epochs.Set(step.name, 0);
  }
  return epochs;
}

std::int64_t LargestEpoch(const Meta& meta) {
  std::int64_t largest = 0;
  for (const auto& [step, epoch] : meta.epochs) {
    largest = std::max(largest, epoch);
  }
  return largest;
}

// Everything that a new session has.
Item MakeMeta(const SessionStoreCore& core, std::string_view owner, std::int64_t epochs_above) {
  const StateMachine& machine = core.workflow.spec().machine;
  const AttributeValue expiry =
      patterns::Expiry::After(*core.environment.clock, core.workflow.spec().ttl.life).ToValue();
  const std::string write_id = patterns::MakeWriteId(*core.environment.random);
  return {{machine.attribute, machine.initial.front()},
          {kCreatedAt, core.NowSeconds()},
          {kExpiry, expiry},
          {kChildrenUntil, expiry},
          {kEpoch, MakeEpochs(core, epochs_above)},
          {kLatest, Map()},
          {kType, "session"},
          {kSchema, kSchemaVersion},
          {kRevision, 1},
          {kWriteId, write_id},
          {kRecentWrites, List{write_id}},
          {kOwner, owner}};
}

// Sends an update or put until there is an answer; all of those here may be repeated.
template <class Call>
auto Repeat(const SessionStoreCore& core, Call&& call) -> decltype(call()) {
  return patterns::RetryTransient(core.options.retry, core.environment, std::forward<Call>(call));
}

// One request: makes the session, or finds that it is the owner's.
Result<Item> ClaimOrVerify(const SessionStoreCore& core, std::string_view session,
                           std::string_view owner) {
  Update update;
  for (const auto& [name, value] : MakeMeta(core, owner, 0)) {
    if (name == kOwner) {
      update.Set(name, value);
    } else {
      update.SetIfMissing(name, value);
    }
  }
  const Condition mine = Attribute(kOwner) == owner && Attribute(kEpoch).Exists() &&
                         patterns::Present(core.layout, core.Now());
  UpdateItemInput input = patterns::MakeUpdate(core.options.table, core.MetaKey(session), update,
                                               patterns::ItemNotExists(core.layout) || mine);
  input.return_values = ReturnValues::kAllNew;
  UpdateItemOutput output = TRY(Repeat(core, [&] { return core.database->UpdateItem(input); }));
  return std::move(output.attributes).value_or(Item());
}

// Most sessions are there and belong to who claims them. Reading costs less than writing, wakes no
// stream, and many requests of one session do not stand in each other's way. Nothing: claim it.
Result<std::optional<Meta>> FindOwn(const SessionStoreCore& core, std::string_view session,
                                    std::string_view owner) {
  const Result<std::optional<Item>> item = core.live.Get(core.layout, core.MetaKey(session));
  if (!item) {
    return std::unexpected(FromRead(core, item.error()));
  }
  if (!*item) {
    return std::nullopt;
  }
  Meta meta = ParseMeta(**item);
  const bool own = meta.has_epochs && meta.owner == owner && core.IsAlive(meta);
  return own ? std::optional(std::move(meta)) : std::nullopt;
}

// Gives a living session of an older system its owner, if it has none, and epochs.
Result<Item> Adopt(const SessionStoreCore& core, std::string_view session, const Meta& seen,
                   std::optional<std::string_view> owner) {
  Update update;
  update.SetIfMissing(kEpoch, MakeZeroEpochs(core))
      .SetIfMissing(kLatest, Map())
      .SetIfMissing(kChildrenUntil, seen.expires_at)
      .SetIfMissing(kType, "session")
      .SetIfMissing(kSchema, kSchemaVersion);
  Condition condition = patterns::Present(core.layout, core.Now());
  if (owner) {
    update.Set(kOwner, *owner);
    condition = std::move(condition) && (Attribute(kOwner).NotExists() || Attribute(kOwner) == "" ||
                                         Attribute(kOwner) == *owner);
  }
  UpdateItemInput input =
      patterns::MakeUpdate(core.options.table, core.MetaKey(session), update, condition);
  input.return_values = ReturnValues::kAllNew;
  UpdateItemOutput output = TRY(Repeat(core, [&] { return core.database->UpdateItem(input); }));
  return std::move(output.attributes).value_or(Item());
}

// Puts a new session in the place of a dead one that is still as it was seen.
Result<Item> TakeOver(const SessionStoreCore& core, std::string_view session,
                      std::string_view owner, const Item& dead) {
  Item item = MakeMeta(core, owner, LargestEpoch(ParseMeta(dead)));
  for (const auto& [name, value] : core.MetaKey(session)) {
    item.Set(name, value);
  }
  Condition unchanged;
  for (const char* name : {kExpiry, kOwner, kWriteId}) {
    const AttributeValue* value = dead.Find(name);
    unchanged = std::move(unchanged) &&
                (value == nullptr ? Attribute(name).NotExists() : Attribute(name) == *value);
  }
  const PutItemInput input = patterns::MakePut(core.options.table, item, unchanged);
  const Result<PutItemOutput> output = Repeat(core, [&] { return core.database->PutItem(input); });
  if (!output) {
    const Item* current = patterns::FindItem(output.error());
    // The first attempt was done, and only its answer was lost.
    if (current == nullptr || TextOf(*current, kWriteId) != TextOf(item, kWriteId)) {
      return std::unexpected(output.error());
    }
  }
  return item;
}

// What the item that was in the way of a claim means. Nothing: try again.
Result<std::optional<Item>> Resolve(const SessionStoreCore& core, std::string_view session,
                                    std::string_view owner, const Item& current) {
  const Meta meta = ParseMeta(current);
  Result<Item> taken = Fail(ErrorCode::kInternal, "");
  if (!core.IsAlive(meta)) {
    taken = TakeOver(core, session, owner, current);
  } else if (meta.owner && *meta.owner != owner) {
    return Fail(ErrorCode::kNotOwner, "the session belongs to somebody else");
  } else if (!meta.owner && core.options.legacy == LegacySessions::kDeny) {
    return Fail(ErrorCode::kNotOwner, "the session belongs to nobody");
  } else {
    taken = Adopt(core, session, meta, owner);
  }
  if (!taken && taken.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(FromRead(core, std::move(taken).error()));
  }
  return taken ? std::optional<Item>(*std::move(taken)) : std::nullopt;
}

}  // namespace

Result<Meta> ClaimMeta(const SessionStoreCore& core, std::string_view session,
                       std::string_view owner) {
  if (owner.empty()) {
    return Invalid("a session needs an owner");
  }
  if (std::optional<Meta> own = TRY(FindOwn(core, session, owner))) {
    return *std::move(own);
  }
  for (patterns::Retry retry(core.options.retry, core.environment);;) {
    const Result<Item> claimed = ClaimOrVerify(core, session, owner);
    if (claimed) {
      return ParseMeta(*claimed);
    }
    if (claimed.error().code != ErrorCode::kConditionFailed) {
      return std::unexpected(FromRead(core, claimed.error()));
    }
    if (const Item* current = patterns::FindItem(claimed.error()); current != nullptr) {
      const std::optional<Item> taken = TRY(Resolve(core, session, owner, *current));
      if (taken) {
        return ParseMeta(*taken);
      }
    }
    if (!retry.Wait()) {
      return Fail(ErrorCode::kConflict, "others claim the session at the same time");
    }
  }
}

Result<Meta> FindMeta(const SessionStoreCore& core, std::string_view session) {
  const Result<std::optional<Item>> item = core.live.Get(core.layout, core.MetaKey(session));
  if (!item) {
    return std::unexpected(FromRead(core, item.error()));
  }
  if (!*item) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  Meta meta = ParseMeta(**item);
  if (meta.has_epochs) {
    return meta;
  }
  const Result<Item> adopted = Adopt(core, session, meta, std::nullopt);
  if (!adopted) {
    return adopted.error().code == ErrorCode::kConditionFailed
               ? Fail(ErrorCode::kNotFound, "there is no such session")
               : std::unexpected(FromRead(core, adopted.error()));
  }
  return ParseMeta(*adopted);
}

}  // namespace stator::sessions
