// Whether a schema makes sense, in the words of Amazon DynamoDB (DynamoDB Local words most of these
// in its own way).

#pragma once

#include <vector>

#include "engine/table.h"
#include "stator/api/create_table.h"
#include "stator/api/update_table.h"
#include "stator/base/result.h"

namespace stator::engine {

// Everything about a CreateTable request that can be told without looking at other tables.
Result<void> CheckCreateTable(const CreateTableInput& input);

// A global index that UpdateTable adds to an existing table. `definitions` are those of the table
// and of the request together.
Result<void> CheckNewGlobalIndex(const GlobalSecondaryIndex& index,
                                 const std::vector<AttributeDefinition>& definitions,
                                 BillingMode billing_mode);

// All indexes together project at most 100 attributes of their own choice.
Result<void> CheckProjectedAttributes(const std::vector<Index>& indexes);

Result<void> CheckThroughputBounds(const ProvisionedThroughput& throughput);
Result<void> CheckStreamSpecification(const StreamSpecification& specification);
Result<void> CheckTags(const std::vector<Tag>& tags);

}  // namespace stator::engine
