// Entities of several types in one table.
//
// Which entity an item is, its key tells: queries, counts, scans and backfills of a repository
// leave out items whose key its templates cannot have made. So entities may share a table when no
// key can be of two of them:
//
//   customer   CUSTOMER#{id}        PROFILE
//   order      CUSTOMER#{customer}  ORDER#{number:08}
//   note       CUSTOMER#{customer}  NOTE#{id}
//
// Opening a repository fails when another entity is open on the same table of the same Database that
// could have its keys; a Collection (collection.h), which reads several at once, is checked, too.
// What other processes keep in the table nobody knows here: CheckShared of all its entities, in a
// test, does.

#pragma once

#include <vector>

#include "stator/base/result.h"
#include "stator/stores/entities/entity_description.h"

namespace stator::entities {

// Fails with kValidation, naming the entities, when their tables have other keys, when a key could
// be of two of them, or when two have the same name.
Result<void> CheckShared(const std::vector<EntityDescription>& entities);

// Fails with kValidation unless the partition keys of all are of one form, such as
// CUSTOMER#{customer} and CUSTOMER#{id}: only then are they in each other's partitions.
Result<void> CheckSamePartitions(const std::vector<EntityDescription>& entities);

}  // namespace stator::entities
