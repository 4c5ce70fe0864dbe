// Who runs which projection and how far it is: one row per projector, version and instance, beside
// the states.
//
//   StatusRegistry registry(store);
//   registry.Write(status, /*expected_sequence=*/0);       // the first
//   status.sequence = 2;
//   registry.Write(status, 1);                             // and so on

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

enum class ProjectionPhase : std::uint8_t {
  kUnknown,
  kStarting,
  kCatchingUp,
  kActive,
  kCaughtUp,
  kFaulted,
  kStopped,
};

std::string_view NameOf(ProjectionPhase phase);

struct ProjectionStatus {
  std::string projector;
  std::string version;
  std::string instance;
  std::uint64_t sequence = 1;  // counts the writes of an instance
  ProjectionPhase phase = ProjectionPhase::kUnknown;
  std::uint64_t events = 0;        // applied
  SortableId last_applied = {};    // the last event that matched
  SortableId last_traversed = {};  // the last that was looked at
  std::string recorded_at = {};    // set by Write, as is the next
  TimePoint recorded_time = {};
  std::string message = {};

  friend bool operator==(const ProjectionStatus&, const ProjectionStatus&) = default;
};

// Of kConditionFailed: the row that is there.
struct StatusConflict : ErrorDetail {
  std::optional<ProjectionStatus> current;
};

// What a row says, and how much of the log is behind it.
struct ProjectionProgress {
  ProjectionStatus status;
  std::uint64_t total = 0;      // events of the store
  std::uint64_t remaining = 0;  // of them behind what was looked at
  bool fresh = false;           // written lately
  bool caught_up = false;       // fresh, not faulted, and nothing remains
};

// THREADS: every method may be called from many threads.
class StatusRegistry {
 public:
  explicit StatusRegistry(EventStore& store) : store_(&store) {}

  // Replaces the row with the expected sequence, or makes it if that is 0. Fails with
  // kConditionFailed when the row has another: a writer that was left behind never overwrites.
  Result<void> Write(const ProjectionStatus& status, std::uint64_t expected_sequence);

  // Of one projector, of all versions unless one is given; sorted by version and instance. Fails
  // with kValidation for a row of a later version of this format.
  Result<std::vector<ProjectionStatus>> List(
      const std::string& projector, const std::optional<std::string>& version = std::nullopt);

 private:
  EventStore* store_;
};

struct StatusReaderOptions {
  // For so long a count is taken for true: however many look however often, counting costs the
  // same.
  Duration count_window = std::chrono::seconds(5);
  Duration freshness = std::chrono::minutes(2);
};

// THREADS: every method may be called from many threads.
class StatusReader {
 public:
  explicit StatusReader(EventStore& store, StatusReaderOptions options = {})
      : store_(&store), options_(options) {}

  // The total is the same for all rows. What remains is counted once for rows that are equally far.
  Result<std::vector<ProjectionProgress>> Read(
      const std::string& projector, const std::optional<std::string>& version = std::nullopt);

 private:
  Result<std::uint64_t> Count(const std::optional<SortableId>& since);

  EventStore* store_;
  StatusReaderOptions options_;

  Mutex mutex_;
  // By where the counting began.
  std::map<std::optional<SortableId>, std::uint64_t> counts_ STATOR_GUARDED_BY(mutex_);
  std::optional<Duration> counted_at_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::events
