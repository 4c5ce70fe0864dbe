// Tables as rows: a table's settings are stored as an item (keyspace/item_codec.h), so that later
// versions can add attributes and still read older rows. docs/format.md, "Tables", names them.

#pragma once

#include <string>
#include <string_view>

#include "engine/table.h"
#include "stator/base/result.h"

namespace stator::engine {

void AppendTable(const Table& table, std::string& row);
Result<Table> DecodeTable(std::string_view row);

}  // namespace stator::engine
