// Conditions of appends.

#pragma once

#include <span>
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

// Those of an append; they are the caller's.
using Conditions = std::vector<const AppendCondition*>;

// A query without items is one item that matches everything. Good as long as the query.
std::span<const QueryItem> ItemsOf(const EventQuery& query);

Error MakeConflict(const ConditionMatch& match);

}  // namespace stator::events
