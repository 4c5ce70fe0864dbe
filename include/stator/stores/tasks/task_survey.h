// What a whole table of tasks has, for operators: owners, how many tasks of which status, and which
// results in the store of blobs. Reads every item, page by page, so it costs what the table is large.

#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator {
class BlobStore;
}

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

// Removes results from the store of blobs that no task has any more, because it expired or was
// never stored, and says how many. What was written within the last hour stays.
Result<std::size_t> SweepResults(Database& database, const std::string& table, BlobStore& blobs,
                                 TimePoint now);

}  // namespace stator::tasks
