// What the parts of an event store share.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "stator/api/database.h"
#include "stator/base/mutex.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/table_layout.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/options.h"
#include "stator/stores/events/sortable_id.h"
#include "stores/events/append_queue.h"
#include "stores/events/heads.h"
#include "stores/events/keys.h"

namespace stator::events {

// What a published append that was too large for one transaction says about its events.
struct Publication {
  std::string stage;
  std::uint64_t first_position = 0;
};

// Keys that are known to be in a registry, so that they need not be written again. Forgets all of
// them when there are too many; writing one again does no harm.
class KnownEntries {
 public:
  [[nodiscard]] bool Contains(const std::string& entry) const {
    const MutexLock lock(mutex_);
    return entries_.contains(entry);
  }
  void Add(const std::string& entry) {
    constexpr std::size_t kEntriesMax = 100'000;
    const MutexLock lock(mutex_);
    if (entries_.size() >= kEntriesMax) {
      entries_.clear();
    }
    entries_.insert(entry);
  }

 private:
  mutable Mutex mutex_;
  std::unordered_set<std::string> entries_ STATOR_GUARDED_BY(mutex_);
};

struct Core {
  Core(Database& home, EventStoreOptions chosen, patterns::Environment world)
      : database(&home),
        options(std::move(chosen)),
        environment(world),
        keys(options.service_id),
        events_table{.table_name = options.events_table_name, .key_attributes = {"pk", "sk"}},
        tags_table{.table_name = options.tags_table_name, .key_attributes = {"pk", "sk"}},
        states_table{.table_name = options.projection_states_table_name,
                     .key_attributes = {"pk", "sk"}},
        source(world) {}

  [[nodiscard]] patterns::BatchOptions MakeReadOptions() const {
    patterns::BatchOptions batch;
    batch.parallelism = options.concurrent_reads_max;
    batch.requests_per_call = static_cast<std::size_t>(options.batch_get_items_max);
    batch.retry = options.retry;
    return batch;
  }
  [[nodiscard]] patterns::BatchOptions MakeWriteOptions() const {
    patterns::BatchOptions batch = MakeReadOptions();
    batch.requests_per_call = static_cast<std::size_t>(options.batch_write_items_max);
    return batch;
  }

  Database* database;
  EventStoreOptions options;  // the service id normalized
  patterns::Environment environment;
  Keys keys;
  patterns::TableLayout events_table;
  patterns::TableLayout tags_table;
  patterns::TableLayout states_table;
  Recorded recorded;
  int shard_count = 1;  // of new events
  // Events of another system, without heads and settings, which can only be read.
  bool is_foreign = false;

  SortableIdSource source;
  KnownEntries known_entries;

  // Appends of one process take turns when they all move the global head: losing to each other
  // would cost a round trip each time.
  AppendQueue queue;
  Mutex lane;
  std::optional<Head>
      global_head;  // as last seen; under the lane, which is held only if there is one

  Mutex publications_mutex;
  // By append id.
  std::map<std::string, Publication> publications STATOR_GUARDED_BY(publications_mutex);
};

// For the parts of the store that are classes of their own.
Core& CoreOf(const EventStore& store);

}  // namespace stator::events
