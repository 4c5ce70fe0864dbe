#include "stores/sessions/session_store_core.h"

#include <algorithm>

#include "base/try.h"
#include "stator/patterns/expiry.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;

constexpr std::size_t kSessionIdBytesMax = 512;

bool IsUuid4(std::string_view id) {
  if (id.size() != 36 || id[14] != '4' || !std::string_view("89ab").contains(id[19])) {
    return false;
  }
  for (std::size_t at = 0; at < id.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    const bool fits = dash ? id[at] == '-' : std::string_view("0123456789abcdef").contains(id[at]);
    if (!fits) {
      return false;
    }
  }
  return true;
}

}  // namespace

Meta ParseMeta(const Item& item) {
  Meta meta;
  if (const std::string owner = TextOf(item, kOwner); !owner.empty()) {
    meta.owner = owner;
  }
  if (const Map* epochs = FindMap(item, kEpoch); epochs != nullptr) {
    meta.has_epochs = true;
    for (const auto& [step, epoch] : *epochs) {
      meta.epochs[step] = CountOf(*epochs, step);
    }
  }
  meta.expires_at = CountOf(item, kExpiry);
  meta.children_until =
      item.contains(kChildrenUntil) ? CountOf(item, kChildrenUntil) : meta.expires_at;
  return meta;
}

SessionStoreCore::SessionStoreCore(Database& database_used, SessionStoreOptions options_used,
                                   patterns::Environment environment_used)
    : database(&database_used),
      options(std::move(options_used)),
      workflow(options.workflow),
      environment(environment_used),
      layout{.table_name = options.table,
             .key_attributes = {kPartitionKey, kSortKey},
             .expiry_attribute = kExpiry,
             .versioned = true},
      partition{.name = "a session",
                .table = layout,
                .partition_key = kPartitionKey,
                .sort_key = kSortKey},
      items(database_used, layout, {.retry = options.retry}, environment),
      live(database_used, {.retry = options.retry}, environment),
      reader(database_used, {.parallelism = 1}, environment) {}

std::string SessionStoreCore::PartitionOf(std::string_view session) const {
  return workflow.spec().partition_prefix + std::string(session);
}

Item SessionStoreCore::MakeKey(std::string_view session, std::string_view sort_key) const {
  return {{kPartitionKey, PartitionOf(session)}, {kSortKey, sort_key}};
}

Item SessionStoreCore::MetaKey(std::string_view session) const {
  return MakeKey(session, kMetaKey);
}

Result<void> SessionStoreCore::CheckSessionId(std::string_view session) const {
  if (session.empty() || session.size() > kSessionIdBytesMax ||
      (workflow.spec().uuid_sessions && !IsUuid4(session))) {
    return Invalid("this is no id of a session");
  }
  return {};
}

Result<const KindSpec*> SessionStoreCore::Kind(std::string_view name) const {
  const KindSpec* kind = workflow.FindKind(name);
  if (kind == nullptr) {
    return Fail(ErrorCode::kValidation,
                "the workflow has no records of kind '" + std::string(name) + "'");
  }
  return kind;
}

void SessionStoreCore::Forget(const std::string& session) const {
  const MutexLock lock(cache_mutex);
  std::erase_if(cache, [&](const auto& entry) { return entry.first.first == session; });
}

Condition EpochIs(const Attribute& place, std::int64_t epoch) {
  return epoch == 0 ? place.NotExists() || place == 0 : place == epoch;
}

Condition EpochIsNot(const Attribute& place, std::int64_t epoch) {
  return epoch == 0 ? place.Exists() && place != 0 : place.NotExists() || place != epoch;
}

Result<void> CheckMeta(const SessionState& state, const Meta& meta) {
  if (!state.core->IsAlive(meta)) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  if (state.owner && meta.owner != state.owner) {
    return Fail(ErrorCode::kNotOwner, "the session belongs to somebody else");
  }
  if (meta.incarnation() != state.Known().incarnation()) {
    return Fail(ErrorCode::kStale, "the session has ended, and another one began");
  }
  return {};
}

Condition MetaIsOurs(const SessionState& state) {
  Condition ours = patterns::Present(state.core->layout, state.core->Now()) &&
                   EpochIs(Attribute(kEpoch)[kSessionEpoch], state.Known().incarnation());
  if (state.owner) {
    ours = std::move(ours) && Attribute(kOwner) == *state.owner;
  }
  return ours;
}

Result<Meta> ReadMeta(const SessionState& state) {
  const SessionStoreCore& core = *state.core;
  const Result<std::optional<Item>> item = core.live.Get(core.layout, core.MetaKey(state.id));
  if (!item) {
    return std::unexpected(FromRead(core, item.error()));
  }
  if (!*item) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  Meta meta = ParseMeta(**item);
  TRY_VOID(CheckMeta(state, meta));
  return meta;
}

}  // namespace stator::sessions
