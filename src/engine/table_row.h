// Tables to and from their rows (keyspace/table_row.h).

#pragma once

#include <string>
#include <string_view>

#include "engine/table.h"
#include "stator/base/result.h"

namespace stator::engine {

void AppendTable(const Table& table, std::string& bytes);
Result<Table> DecodeTable(std::string_view bytes);

}  // namespace stator::engine
