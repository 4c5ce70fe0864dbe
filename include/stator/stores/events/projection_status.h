// Who runs which projection and how far it is: one row per projector, version and instance, beside
// the states.
//
//   StatusRegistry registry(store);
//   registry.Write(status, /*expected_sequence=*/0);       // the first
//   status.sequence = 2;
//   registry.Write(status, 1);                             // and so on

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::string recorded_at = {};    // set by Write
  std::string message = {};

  friend bool operator==(const ProjectionStatus&, const ProjectionStatus&) = default;
};

// Of kConditionFailed: the row that is there.
struct StatusConflict : ErrorDetail {
  std::optional<ProjectionStatus> current;
};

// THREADS: every method may be called from many threads.
class StatusRegistry {
 public:
  explicit StatusRegistry(EventStore& store) : store_(&store) {}

  // Replaces the row with the expected sequence, or makes it if that is 0. Fails with
  // kConditionFailed when the row has another: a writer that was left behind never overwrites.
  Result<void> Write(const ProjectionStatus& status, std::uint64_t expected_sequence);

  // Of one projector, of all versions unless one is given; sorted by version and instance.
  Result<std::vector<ProjectionStatus>> List(
      const std::string& projector, const std::optional<std::string>& version = std::nullopt);

 private:
  EventStore* store_;
};

}  // namespace stator::events
