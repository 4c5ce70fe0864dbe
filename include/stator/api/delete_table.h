// DeleteTable: removes a table with all its items.

#pragma once

#include <string>

#include "stator/api/table_types.h"

namespace stator {

struct DeleteTableInput {
  std::string table_name;
};

struct DeleteTableOutput {
  TableDescription table_description;
};

}  // namespace stator
