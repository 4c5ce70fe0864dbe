#include "stores/events/condition_check.h"

#include <memory>

namespace stator::events {

std::vector<QueryItem> ItemsOf(const EventQuery& query) {
  return query.matches_all() ? std::vector<QueryItem>{QueryItem{}} : query.items;
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
