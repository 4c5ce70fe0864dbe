// Which events: the query of the Dynamic Consistency Boundary specification.
//
//   EventQuery{{.types = {"CourseDefined", "CapacityChanged"}, .tags = {"course:c1"}},
//              {.types = {"Subscribed"}, .tags = {"student:s7"}}}
//
// An event matches when it matches one of the items; it matches an item when its type is one of the
// types and its tags contain all of the tags. No types means any type, no tags means any tags. So
// an item without both matches everything, and so does a query without items.

#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"

namespace stator::events {

struct QueryItem {
  std::vector<std::string> types = {};
  std::vector<std::string> tags = {};

  [[nodiscard]] bool matches_all() const { return types.empty() && tags.empty(); }
  [[nodiscard]] bool Matches(const std::string& type,
                             const std::vector<std::string>& tags_of) const;
};

struct EventQuery {
  std::vector<QueryItem> items = {};

  EventQuery() = default;
  EventQuery(std::initializer_list<QueryItem> list) : items(list) {}
  explicit EventQuery(std::vector<QueryItem> list) : items(std::move(list)) {}

  static EventQuery All() { return {}; }
  static EventQuery Tagged(std::string tag) { return EventQuery{{.tags = {std::move(tag)}}}; }

  [[nodiscard]] bool matches_all() const;
  [[nodiscard]] bool Matches(const Event& event) const;
};

// Fails with kValidation for empty types and tags and for more than 100 items, 100 types or 100
// tags of an item.
Result<void> CheckQuery(const EventQuery& query);

}  // namespace stator::events
