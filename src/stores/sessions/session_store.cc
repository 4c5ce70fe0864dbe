#include "stator/stores/sessions/session_store.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/api/pages.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "stores/sessions/claim.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/renewal.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {
namespace {

constexpr std::chrono::seconds kCacheMax{60};

void AppendHex(std::uint64_t number, int digits, std::string& out) {
  for (int digit = digits - 1; digit >= 0; --digit) {
    out += "0123456789abcdef"[(number >> (digit * 4)) & 15];
  }
}

}  // namespace

Result<SessionStore> SessionStore::Open(Database& database, SessionStoreOptions options,
                                        patterns::Environment environment) {
  if (options.table.empty()) {
    return Invalid("sessions need a table");
  }
  if (options.ownership_cache.count() < 0 || options.ownership_cache > kCacheMax) {
    return Invalid("ownership can be remembered for at most a minute");
  }
  if (options.large_bytes > limits::kItemBytesMax) {
    return Invalid("a record cannot have as many bytes as large_bytes says");
  }
  return SessionStore(
      std::make_shared<const SessionStoreCore>(database, std::move(options), environment));
}

const Workflow& SessionStore::workflow() const {
  return core_->options.workflow;
}

const SessionStoreOptions& SessionStore::options() const {
  return core_->options;
}

Result<Session> SessionStore::Claim(std::string_view session, std::string_view owner) const {
  TRY_VOID(core_->CheckSessionId(session));
  const std::pair<std::string, std::string> who(session, owner);
  const Duration now = core_->environment.clock->Elapsed();
  if (core_->options.ownership_cache.count() > 0) {
    const MutexLock lock(core_->cache_mutex);
    const auto found = core_->cache.find(who);
    if (found != core_->cache.end() && found->second.second > now &&
        core_->IsAlive(found->second.first->Known())) {
      return Session(std::make_shared<SessionState>(core_, std::string(session), std::string(owner),
                                                    found->second.first->Known()));
    }
  }
  Meta meta = TRY(ClaimMeta(*core_, session, owner));
  auto state = std::make_shared<SessionState>(core_, std::string(session), std::string(owner),
                                              std::move(meta));
  TRY_VOID(RenewIfDue(*state));
  if (core_->options.ownership_cache.count() > 0) {
    const MutexLock lock(core_->cache_mutex);
    std::erase_if(core_->cache, [&](const auto& entry) { return entry.second.second <= now; });
    // Without the core, which would hold itself by what it remembers.
    auto remembered = std::make_shared<SessionState>(nullptr, std::string(session),
                                                     std::string(owner), state->Known());
    core_->cache.insert_or_assign(
        who, std::pair(std::move(remembered), now + core_->options.ownership_cache));
  }
  return Session(std::move(state));
}

Result<Session> SessionStore::AsWorker(std::string_view session) const {
  TRY_VOID(core_->CheckSessionId(session));
  Meta meta = TRY(FindMeta(*core_, session));
  return Session(
      std::make_shared<SessionState>(core_, std::string(session), std::nullopt, std::move(meta)));
}

Result<std::vector<SessionLine>> SessionStore::ListSessions(std::size_t limit) const {
  patterns::Placeholders placeholders;
  ScanInput input{.table_name = core_->options.table};
  input.filter_expression = placeholders.Compile(patterns::Attribute(kSortKey) == kMetaKey &&
                                                 patterns::NotExpired(core_->layout, core_->Now()));
  placeholders.Fill(input);
  const std::string& prefix = core_->workflow.spec().partition_prefix;
  const std::string& state = core_->workflow.spec().machine.attribute;
  std::vector<SessionLine> lines;
  for (Result<Item>& item : stator::Items(*core_->database, std::move(input))) {
    if (!item) {
      return std::unexpected(FromRead(*core_, item.error()));
    }
    const std::string partition = TextOf(*item, kPartitionKey);
    if (partition.starts_with(prefix) && lines.size() < limit) {
      lines.push_back({.id = partition.substr(prefix.size()),
                       .owner = TextOf(*item, kOwner),
                       .state = TextOf(*item, state),
                       .created_at = CountOf(*item, kCreatedAt),
                       .expires_at = CountOf(*item, kExpiry)});
    }
    if (lines.size() >= limit) {
      break;
    }
  }
  std::sort(lines.begin(), lines.end(), [](const SessionLine& left, const SessionLine& right) {
    return std::pair(left.created_at, left.id) < std::pair(right.created_at, right.id);
  });
  return lines;
}

std::string SessionStore::MakeSessionId() const {
  return core_->environment.random->Uuid();
}

// 32 hexadecimal digits, as ids of jobs always were; the first twelve are the milliseconds.
std::string SessionStore::MakeRecordId(std::string_view kind) const {
  return NewRecordId(*core_, kind);
}

std::string NewRecordId(const SessionStoreCore& core, std::string_view kind) {
  const KindSpec* spec = core.workflow.FindKind(kind);
  std::string id = spec == nullptr ? std::string() : spec->id_prefix;
  const std::int64_t now =
      std::chrono::floor<std::chrono::milliseconds>(core.Now()).time_since_epoch().count();
  AppendHex(static_cast<std::uint64_t>(now), 12, id);
  AppendHex(core.environment.random->Next(), 4, id);
  AppendHex(core.environment.random->Next(), 16, id);
  return id;
}

const std::string& Session::id() const {
  return state_->id;
}

const std::optional<std::string>& Session::owner() const {
  return state_->owner;
}

std::int64_t Session::expires_at() const {
  return state_->Known().expires_at;
}

std::int64_t Session::EpochOf(std::string_view kind) const {
  const KindSpec* spec = state_->core->workflow.FindKind(kind);
  return spec == nullptr ? 0 : state_->Known().EpochOf(spec->step);
}

Result<void> Session::KeepAlive() const {
  state_->LearnExpiry(TRY(ReadMeta(*state_)));
  return RenewIfDue(*state_);
}

Result<void> Session::Refresh() const {
  const sessions::Meta meta = TRY(ReadMeta(*state_));
  state_->LearnExpiry(meta);
  std::vector<std::string> steps;
  for (const StepSpec& step : state_->core->workflow.spec().steps) {
    steps.push_back(step.name);
  }
  state_->LearnEpochs(meta, steps);
  return {};
}

}  // namespace stator::sessions
