// Conditions of appends.

#pragma once

#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"

namespace stator::events {

// The event that is in the way.
struct ConditionMatch {
  std::string event_id;
  SortableId sortable_id;
};

// A query without items is one item that matches everything.
std::vector<QueryItem> ItemsOf(const EventQuery& query);

Error MakeConflict(const ConditionMatch& match);

}  // namespace stator::events
