#include "stores/sessions/renewal.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/reading.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

bool IsDue(const SessionStoreCore& core, std::int64_t until) {
  const TtlPolicy& policy = core.workflow.spec().ttl;
  return policy.rule == TtlRule::kSliding &&
         (until - core.NowSeconds()) * 100 < policy.life.count() * policy.renew_below_percent;
}

std::int64_t After(const SessionStoreCore& core, std::chrono::seconds life) {
  return patterns::Expiry::After(*core.environment.clock, life).seconds();
}

// Moves a time of the session forward; one that is later already is as good.
Result<void> MoveForward(SessionState& state, const char* attribute, std::int64_t to) {
  const SessionStoreCore& core = *state.core;
  UpdateItemInput input = patterns::MakeUpdate(
      core.options.table, core.MetaKey(state.id), Update().Set(attribute, to),
      MetaIsOurs(state) && (Attribute(attribute).NotExists() || Attribute(attribute) < to));
  input.return_values = ReturnValues::kAllNew;
  const Result<UpdateItemOutput> output = patterns::RetryTransient(
      core.options.retry, core.environment, [&] { return core.database->UpdateItem(input); });
  if (output) {
    state.LearnExpiry(ParseMeta(output->attributes.value_or(Item())));
    return {};
  }
  if (output.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(FromRead(core, output.error()));
  }
  const Item* current = patterns::FindItem(output.error());
  if (current == nullptr) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  const Meta meta = ParseMeta(*current);
  TRY_VOID(CheckMeta(state, meta));
  state.LearnExpiry(meta);
  return {};
}

// Whether an item is to be renewed together with the session.
bool LivesWithTheSession(const SessionStoreCore& core, const Meta& meta, const Item& item,
                         std::int64_t until) {
  const KindSpec* kind = core.workflow.FindKindOfKey(TextOf(item, kSortKey));
  return kind != nullptr && kind->ttl.rule == TtlRule::kUntilParent &&
         IsVisible(core, *kind, meta, item) && CountOf(item, kExpiry) < until;
}

// Brings the records to the expiry of the session. Whether all of them are there now.
bool RenewRecords(const SessionState& state, const Meta& meta, std::int64_t until) {
  const SessionStoreCore& core = *state.core;
  bool complete = true;
  const Result<void> walked = core.live.ForEach(
      core.partition, {.partition = core.PartitionOf(state.id), .attributes = {kEpoch, kBuilding}},
      [&](const Item& item) {
        if (!LivesWithTheSession(core, meta, item, until)) {
          return true;
        }
        const Result<UpdateItemOutput> renewed = core.database->UpdateItem(patterns::MakeUpdate(
            core.options.table, core.MakeKey(state.id, TextOf(item, kSortKey)),
            Update().Set(kExpiry, until),
            patterns::Present(core.layout, core.Now()) && Attribute(kExpiry) < until));
        // A failed condition: it is gone, or lives longer already.
        complete = complete && (renewed || renewed.error().code == ErrorCode::kConditionFailed);
        return true;
      });
  return complete && walked.has_value();
}

}  // namespace

Result<void> RenewIfDue(SessionState& state) {
  const SessionStoreCore& core = *state.core;
  Meta meta = state.Known();
  if (IsDue(core, meta.expires_at)) {
    TRY_VOID(MoveForward(state, kExpiry, After(core, core.workflow.spec().ttl.life)));
    meta = state.Known();
  }
  if (meta.children_until < meta.expires_at && IsDue(core, meta.children_until)) {
    // Records that could not be renewed are tried again by the next who comes along: only then is
    // it written down that they were.
    const Meta current = TRY(ReadMeta(state));
    if (RenewRecords(state, current, meta.expires_at)) {
      TRY_VOID(MoveForward(state, kChildrenUntil, meta.expires_at));
    }
  }
  return {};
}

Result<std::int64_t> ExpiryFor(SessionState& state, const KindSpec& kind,
                               std::optional<std::int64_t> current) {
  TRY_VOID(RenewIfDue(state));
  const SessionStoreCore& core = *state.core;
  const std::int64_t parent = state.Known().expires_at;
  if (kind.ttl.rule == TtlRule::kUntilParent) {
    return std::max(parent, current.value_or(0));
  }
  if (kind.ttl.rule == TtlRule::kFixed && current) {
    return *current;
  }
  // The session is renewed when it is due and at no other time. So whoever knows of an older expiry
  // notices when there is a newer one, and nobody makes a life shorter.
  return std::min(After(core, kind.ttl.life), parent);
}

Result<std::optional<std::int64_t>> ExpiryForPatch(SessionState& state, const KindSpec& kind) {
  if (kind.ttl.rule == TtlRule::kFixed) {
    return std::nullopt;
  }
  return TRY(ExpiryFor(state, kind, std::nullopt));
}

}  // namespace stator::sessions
