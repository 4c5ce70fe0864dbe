// For tests: what a database holds, and whether its parts agree.

#pragma once

#include <optional>
#include <string>

#include "stator/api/database.h"
#include "storage/store.h"
#include "workload.h"

namespace stator::crash {

// Every item of the two tables, page by page.
Result<Items> ReadItems(Database& database);

// What is wrong with the stream of "orders": its records tell the life of each item without a gap,
// from nothing to what is in `found`.
std::optional<std::string> ProblemWithStream(Database& database, const Items& found);

// What the checker finds in a directory that nobody has open; nothing when it is clean.
std::optional<std::string> ProblemOnDisk(const storage::StoreOptions& options);

// The same when all jobs are done as well: nothing is left to do.
std::optional<std::string> ProblemOrJobOnDisk(const storage::StoreOptions& options);

}  // namespace stator::crash
