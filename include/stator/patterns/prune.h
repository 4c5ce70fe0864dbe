// Removing references to items that are gone, as a side effect of normal work: a list of posts that
// was written best-effort, or whose posts expire, heals itself each time somebody looks at it.
//
//   Pruner pruner(database, {.holder = kUsers, .attribute = "post_ids", .target = kPosts,
//                            .key_of = [](const AttributeValue& id) { return Item{{"pk", id}}; }});
//   pruner.Prune({{"pk", "ann"}});
//
// The references are a set or a list of the holding item. Those that are checked are read
// consistently, a bounded number per call. From a set exactly the stale members are deleted,
// whoever adds others meanwhile; a list is replaced only if it is still the list that was read.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct PrunerOptions {
  TableLayout holder;
  std::string attribute;
  TableLayout target;
  // From a reference to the key of what it refers to.
  std::function<Item(const AttributeValue&)> key_of;
  // Per call; further references wait for further calls, which begin where this one ended.
  std::size_t checked_max = 100;
  // One holder is not pruned again before this much time has passed.
  Duration interval = std::chrono::minutes(1);
};

struct PruneOutcome {
  std::size_t checked = 0;
  std::size_t removed = 0;
  bool too_early = false;  // nothing was done; pruned a short while ago
  bool changed = false;    // the list was changed by others meanwhile; nothing was removed
};

class Pruner {
 public:
  // `database` must outlive this object.
  Pruner(Database& database, PrunerOptions options, Environment environment = {});

  [[nodiscard]] Result<PruneOutcome> Prune(const Item& holder_key);

 private:
  struct Visit {
    Duration at;
    std::size_t next = 0;  // where the next call begins
  };

  Database* database_;
  PrunerOptions options_;
  Environment environment_;
  Mutex mutex_;
  std::unordered_map<std::string, Visit> visits_ STATOR_GUARDED_BY(mutex_);  // bounded
};

}  // namespace stator::patterns
