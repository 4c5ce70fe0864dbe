// Tables to and from their rows (keyspace/table_row.h).

#pragma once

#include <string>
#include <string_view>

#include "engine/table.h"
#include "keyspace/table_row.h"
#include "stator/base/result.h"

namespace stator::engine {

keyspace::TableRow RowOf(const Table& table);
Table TableOf(keyspace::TableRow row);

void AppendTable(const Table& table, std::string& bytes);
Result<Table> DecodeTable(std::string_view bytes);

}  // namespace stator::engine
