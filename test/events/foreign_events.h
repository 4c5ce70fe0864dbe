// Events as the original system writes them: rows, without a log.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stator/api/database.h"
#include "stator/stores/events/sortable_id.h"

namespace stator::events {

struct ForeignEvent {
  SortableId place;
  std::string type;
  std::vector<std::string> tags;
  std::string payload;
  std::string shard = {};  // "#3" for the fourth
  std::string service = "s";
};

inline void PutForeign(Database& database, const ForeignEvent& event) {
  const std::string place = event.place.ToText();
  const std::string id = place.substr(0, 8) + "-" + place.substr(8, 4) + "-4" +
                         place.substr(12, 3) + "-8" + place.substr(15, 3) + "-" + place.substr(18);
  const std::string prefix = "SERVICE#" + event.service + "#";
  List list;
  for (const std::string& tag : event.tags) {
    list.emplace_back(tag);
    ASSERT_TRUE(
        database.PutItem({.table_name = "SekibanTags",
                          .item = {{"pk", prefix + "TAG#" + tag},
                                   {"sk", place + "#" + id},
                                   {"serviceId", event.service},
                                   {"tagString", tag},
                                   {"tagGroup", event.service + "|" + tag.substr(0, tag.find(':'))},
                                   {"eventType", event.type},
                                   {"eventId", id},
                                   {"sortableUniqueId", place},
                                   {"createdAt", "2026-01-01T00:00:00.0000000Z"}}}));
  }
  ASSERT_TRUE(database.PutItem({.table_name = "SekibanEvents",
                                .item = {{"pk", prefix + "EVENT#" + id},
                                         {"sk", "EVENT#" + id},
                                         {"serviceId", event.service},
                                         {"eventId", id},
                                         {"eventType", event.type},
                                         {"payload", event.payload},
                                         {"tags", std::move(list)},
                                         {"sortableUniqueId", place},
                                         {"gsi1pk", prefix + "ALL_EVENTS" + event.shard},
                                         {"timestamp", "2026-01-01T00:00:00.0000000Z"},
                                         {"causationId", "c"}}}));
}

}  // namespace stator::events
