// What the console is told beside the database that it shows: what only the program knows that starts
// it. What is left out is not shown, and the page says so.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/sessions/workflow.h"
#include "stator/value/attribute_value.h"

namespace stator::console {

struct ItemVersion {
  std::optional<TimePoint> since;  // nothing: from before what is remembered
  std::optional<Item> item;        // nothing: there was none
};

struct ItemVersions {
  std::vector<ItemVersion> versions;  // newest first
  bool has_more = false;              // behind the last, whose `since` leads there
};

struct Sources {
  // Some of the versions of an item, from what is or from before one that began then. Null: the home
  // does not tell. May read a disk.
  std::function<Result<ItemVersions>(const std::string& table, const Item& key,
                                     std::optional<TimePoint> before)>
      item_versions = nullptr;
  // Of sessions, with different names.
  std::vector<sessions::Workflow> workflows = {};
  // Recorded schemas, each a JSON object: {"schema": N.schema.json, "history": [those of versions]}.
  std::vector<std::string> entities = {};
};

}  // namespace stator::console
