// What the parts of an event store share.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "stator/api/database.h"
#include "stator/base/mutex.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/table_layout.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/options.h"
#include "stores/events/keys.h"

namespace stator::events {

class Background;
class EventLog;
class Indexer;
class Redactions;
class SubjectKeys;
struct Genesis;

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

struct EventStoreCore {
  EventStoreCore(Database& home, EventStoreOptions chosen, patterns::Environment world);
  EventStoreCore(const EventStoreCore&) = delete;
  EventStoreCore& operator=(const EventStoreCore&) = delete;
  ~EventStoreCore();

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

  // For whoever reads the log of the program.
  void Log(std::string_view text) const {
    if (options.hooks.log) {
      options.hooks.log(text);
    }
  }

  Database* database;
  EventStoreOptions options;  // the service id normalized
  patterns::Environment environment;
  Keys keys;
  patterns::TableLayout events_table;
  patterns::TableLayout tags_table;
  patterns::TableLayout states_table;
  Recorded recorded;
  // Events of another system, without a log, which can only be read.
  bool is_foreign = false;

  KnownEntries known_entries;

 private:
  std::unique_ptr<Genesis> genesis_;
  std::unique_ptr<EventLog> log_;
  std::unique_ptr<Indexer> indexer_;
  std::unique_ptr<SubjectKeys> subjects_;
  std::unique_ptr<Redactions> redactions_;
  std::unique_ptr<Background> background_;  // uses all of the above

 public:
  Genesis& genesis;
  EventLog& log;
  Indexer& indexer;
  SubjectKeys& subjects;
  Redactions& redactions;
  Background& background;
};

// For the parts of the store that are classes of their own.
EventStoreCore& EventStoreCoreOf(const EventStore& store);

}  // namespace stator::events
