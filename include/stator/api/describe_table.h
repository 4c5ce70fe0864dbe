// DescribeTable: settings and state of a table.

#pragma once

#include <string>

#include "stator/api/table_types.h"

namespace stator {

struct DescribeTableInput {
  std::string table_name;
};

struct DescribeTableOutput {
  TableDescription table;
};

}  // namespace stator
