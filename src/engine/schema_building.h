// From what a request says about keys and indexes to what a Table holds.

#pragma once

#include <vector>

#include "engine/engine_core.h"
#include "engine/table.h"
#include "stator/api/create_table.h"
#include "stator/api/table_types.h"

namespace stator::engine {

// REQUIRES: the name is defined.
KeyAttribute DefinedKey(const std::string& name,
                        const std::vector<AttributeDefinition>& definitions);

// REQUIRES: checked by table_checks.h. The id is left to the caller.
Index BuildIndex(const LocalSecondaryIndex& index,
                 const std::vector<AttributeDefinition>& definitions);
Index BuildIndex(const GlobalSecondaryIndex& index,
                 const std::vector<AttributeDefinition>& definitions);

// The table that CreateTable makes, with ids of its indexes and none of its own. REQUIRES: as above.
Table BuildTable(EngineCore& core, const CreateTableInput& input, const std::string& name);

// What DescribeTable says of encryption, which a file system does better than we could.
std::optional<SseDescription> DescribeEncryption(const std::optional<SseSpecification>& asked,
                                                 const std::string& region,
                                                 const std::string& account);

}  // namespace stator::engine
