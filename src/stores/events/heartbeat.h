// Tells the registry of projections how a runner is doing, now and then. Trouble with the registry
// does not stop a projection.

#pragma once

#include <optional>
#include <string>

#include "stator/stores/events/projection_runner.h"
#include "stator/stores/events/projection_status.h"

namespace stator::events {

// THREADS: one at a time.
class Heartbeat {
 public:
  Heartbeat(EventStore& store, const Projector& projector, const RunnerOptions& options);

  // Writes when the phase is another one or the interval has passed.
  void Tell(ProjectionPhase phase, const RunnerState& state, const std::string& message = {});

 private:
  EventStore* store_;
  StatusRegistry registry_;
  Duration interval_;
  ProjectionStatus status_;
  std::uint64_t written_ = 0;  // the sequence of the row, as far as is known
  std::optional<Duration> told_at_;
};

}  // namespace stator::events
