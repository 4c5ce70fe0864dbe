// What all operations on sessions stand on: the table through the patterns, keys, and what a
// Session knows about itself.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/api/database.h"
#include "stator/base/mutex.h"
#include "stator/patterns/access_pattern.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/update.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/sessions/workflow.h"
#include "stores/sessions/names.h"

namespace stator::sessions {

// The session's own item, as far as the store uses it.
struct Meta {
  std::optional<std::string> owner;
  std::map<std::string, std::int64_t, std::less<>> epochs;  // a missing one is 0
  std::int64_t expires_at = 0;
  std::int64_t children_until = 0;
  bool has_epochs = false;  // an older system wrote it if not

  [[nodiscard]] std::int64_t EpochOf(std::string_view step) const {
    const auto found = epochs.find(step.empty() ? std::string_view(kSessionEpoch) : step);
    return found == epochs.end() ? 0 : found->second;
  }
  // Tells this session from others under the same id, before and after it.
  [[nodiscard]] std::int64_t incarnation() const { return EpochOf(""); }
};

Meta ParseMeta(const Item& item);

struct SessionStoreCore {
  SessionStoreCore(Database& database, SessionStoreOptions options,
                   patterns::Environment environment);

  [[nodiscard]] TimePoint Now() const { return environment.clock->Now(); }
  [[nodiscard]] std::int64_t NowSeconds() const { return EpochSeconds(Now()); }

  [[nodiscard]] std::string PartitionOf(std::string_view session) const;
  [[nodiscard]] Item MakeKey(std::string_view session, std::string_view sort_key) const;
  [[nodiscard]] Item MetaKey(std::string_view session) const;

  // Fail with kValidation.
  [[nodiscard]] Result<void> CheckSessionId(std::string_view session) const;
  [[nodiscard]] Result<const KindSpec*> Kind(std::string_view name) const;

  [[nodiscard]] bool IsAlive(const Meta& meta) const { return meta.expires_at > NowSeconds(); }

  Database* database;
  SessionStoreOptions options;
  const Workflow& workflow;  // that of the options
  patterns::Environment environment;
  patterns::TableLayout layout;
  patterns::AccessPattern partition;
  patterns::VersionedItems items;
  patterns::LiveItems live;
  patterns::BatchReader reader;

  // Who was found to own what, and until when that may be believed.
  mutable Mutex cache_mutex;
  mutable std::map<std::pair<std::string, std::string>,
                   std::pair<std::shared_ptr<SessionState>, Duration>>
      cache STATOR_GUARDED_BY(cache_mutex);

  void Forget(const std::string& session) const;
};

struct SessionState {
  SessionState(std::shared_ptr<const SessionStoreCore> session_core, std::string session_id,
               std::optional<std::string> session_owner, Meta session_meta)
      : core(std::move(session_core)),
        id(std::move(session_id)),
        owner(std::move(session_owner)),
        meta(std::move(session_meta)) {}

  [[nodiscard]] Meta Known() const {
    const MutexLock lock(mutex);
    return meta;
  }
  // A life only becomes longer.
  void LearnExpiry(const Meta& seen) {
    const MutexLock lock(mutex);
    meta.expires_at = std::max(meta.expires_at, seen.expires_at);
    meta.children_until = std::max(meta.children_until, seen.children_until);
  }
  void LearnEpochs(const Meta& seen, const std::vector<std::string>& steps) {
    const MutexLock lock(mutex);
    for (const std::string& step : steps) {
      meta.epochs[step] = seen.EpochOf(step);
    }
  }

  const std::shared_ptr<const SessionStoreCore> core;
  const std::string id;
  const std::optional<std::string> owner;  // nothing: a worker
  mutable Mutex mutex;
  Meta meta STATOR_GUARDED_BY(mutex);
  // Records whose items are known to be items of the table.
  std::set<std::string, std::less<>> with_children STATOR_GUARDED_BY(mutex);
};

// The number at that place is `epoch`; a missing one counts as 0.
patterns::Condition EpochIs(const patterns::Attribute& place, std::int64_t epoch);
patterns::Condition EpochIsNot(const patterns::Attribute& place, std::int64_t epoch);

// Whether the session is still the one that `state` is about: of its owner, if it has one.
Result<void> CheckMeta(const SessionState& state, const Meta& meta);
// The same, decided by the database.
patterns::Condition MetaIsOurs(const SessionState& state);

// An id that nobody guesses; later ones sort behind it.
std::string NewRecordId(const SessionStoreCore& core, std::string_view kind);

// The session's item as it is, checked.
Result<Meta> ReadMeta(const SessionState& state);

}  // namespace stator::sessions
