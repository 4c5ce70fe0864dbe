// A table as DescribeTable tells it.

#pragma once

#include "engine/table.h"
#include "stator/api/table_types.h"

namespace stator::engine {

TableDescription Describe(const Table& table);

std::vector<KeySchemaElement> KeySchemaOf(const Table& table);
std::vector<KeySchemaElement> KeySchemaOf(const Index& index);
Projection ProjectionOf(const Index& index);

}  // namespace stator::engine
