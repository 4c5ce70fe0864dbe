#include "stator/patterns/access_pattern.h"

#include <utility>

namespace stator::patterns {

AccessPattern AdHoc(std::string why, TableLayout table, std::string partition_key,
                    std::optional<std::string> sort_key) {
  return {.name = "ad hoc: " + std::move(why),
          .table = std::move(table),
          .partition_key = std::move(partition_key),
          .sort_key = std::move(sort_key)};
}

std::string DescribeAccessPatterns(std::span<const AccessPattern> patterns) {
  std::string text = "| access pattern | table | index | partition key | sort key |\n";
  text += "|---|---|---|---|---|\n";
  for (const AccessPattern& pattern : patterns) {
    text += "| " + pattern.name + " | " + pattern.table.table_name + " | " +
            pattern.index_name.value_or("") + " | " + pattern.partition_key + " | " +
            pattern.sort_key.value_or("") + " |\n";
  }
  return text;
}

}  // namespace stator::patterns
