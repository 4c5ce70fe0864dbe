#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/stores/events/projection_runner.h"

namespace stator::events {

Result<std::unique_ptr<Projection>> ProjectAsOf(EventStore& store, CheckpointStore& checkpoints,
                                                const Projector& projector, SortableId until,
                                                const std::stop_token& stop) {
  std::unique_ptr<Projection> state = projector.make();
  ReadOptions read{.query = projector.query, .until = until};
  const std::optional<Checkpoint> checkpoint =
      TRY(checkpoints.Find(projector.name, projector.version));
  if (checkpoint && !checkpoint->token.tombstoned && checkpoint->events > 0 &&
      checkpoint->cursor.sortable_id <= until) {
    TRY_VOID(state->Load(checkpoint->state));
    read.since = checkpoint->cursor;
  }
  EventStream stream = TRY(store.Read(read));
  while (const std::optional<Event> event = TRY(stream.Next())) {
    if (stop.stop_requested()) {
      return Fail(ErrorCode::kTimeout, "the projection was told to stop");
    }
    TRY_VOID(state->Apply(*event));
  }
  return state;
}

}  // namespace stator::events
