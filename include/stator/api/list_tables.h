// ListTables: names of tables, in order, up to 100 a page.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stator {

struct ListTablesInput {
  std::optional<std::string> exclusive_start_table_name = std::nullopt;
  std::optional<std::int32_t> limit = std::nullopt;
};

struct ListTablesOutput {
  std::vector<std::string> table_names;
  std::optional<std::string> last_evaluated_table_name = std::nullopt;
};

}  // namespace stator
