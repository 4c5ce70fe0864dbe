// What a whole table of tasks has, for operators: owners, and how many tasks of which status. Reads
// every item's small attributes, page by page, so it costs what the table is large.

#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::tasks {

struct OwnerTasks {
  std::map<std::string, std::size_t> by_status;  // "working": 3
  std::size_t leased = 0;                        // a worker has them
  std::size_t lapsed = 0;                        // wait for a worker, or have lost theirs
  std::size_t dead = 0;                          // failed for good, to be looked at

  [[nodiscard]] std::size_t Count() const;
};

// By owner. What has expired and was not removed yet is not counted.
Result<std::map<std::string, OwnerTasks>> SurveyTasks(Database& database, const std::string& table,
                                                      TimePoint now);

}  // namespace stator::tasks
