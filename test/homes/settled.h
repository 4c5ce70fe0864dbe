// For tests: whether a table and its indexes have reached the state that they were asked for.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stator/api/database.h"

namespace stator::homes {

// A table that is gone is settled, too.
inline bool IsSettled(Database& database, const std::string& table) {
  const Result<DescribeTableOutput> described = database.DescribeTable({.table_name = table});
  if (!described) {
    return described.error().code == ErrorCode::kResourceNotFound;
  }
  const auto& indexes = described->table.global_secondary_indexes;
  return described->table.table_status == TableStatus::kActive &&
         (!indexes || std::ranges::all_of(*indexes, [](const auto& index) {
           return index.index_status == IndexStatus::kActive;
         }));
}

}  // namespace stator::homes
