#include "stores/events/condition_check.h"

#include <memory>

namespace stator::events {

std::span<const QueryItem> ItemsOf(const EventQuery& query) {
  static const QueryItem kEverything;
  return query.matches_all() ? std::span(&kEverything, 1) : std::span(query.items);
}

Error MakeConflict(const ConditionMatch& match) {
  auto detail = std::make_shared<AppendConflict>();
  detail->event_id = match.event_id;
  detail->sortable_id = match.sortable_id;
  return {.code = ErrorCode::kConditionFailed,
          .message = "event " + match.event_id + " at " + match.sortable_id.ToText() +
                     " matches the condition of the append",
          .detail = std::move(detail)};
}

}  // namespace stator::events
