#include "stores/events/heartbeat.h"

namespace stator::events {

Heartbeat::Heartbeat(EventStore& store, const Projector& projector, const RunnerOptions& options)
    : store_(&store),
      registry_(store),
      interval_(options.status_interval),
      status_{
          .projector = projector.name, .version = projector.version, .instance = options.instance} {
}

void Heartbeat::Tell(ProjectionPhase phase, const RunnerState& state, const std::string& message) {
  const Duration now = store_->environment().clock->Elapsed();
  const bool is_due = !told_at_ || status_.phase != phase || now - *told_at_ >= interval_;
  if (interval_ == Duration::zero() || !is_due) {
    return;
  }
  told_at_ = now;
  status_.phase = phase;
  status_.events = state.events;
  status_.last_applied = state.cursor.sortable_id;
  status_.last_traversed = state.traversed;
  status_.message = message;
  // The row may be there from an earlier life of this instance.
  for (const bool is_first : {true, false}) {
    status_.sequence = written_ + 1;
    const Result<void> written = registry_.Write(status_, written_);
    if (written) {
      written_ = status_.sequence;
      return;
    }
    const auto* const conflict = FindDetail<StatusConflict>(written.error());
    if (!is_first || conflict == nullptr || !conflict->current) {
      return;
    }
    written_ = conflict->current->sequence;
  }
}

}  // namespace stator::events
