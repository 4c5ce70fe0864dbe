// The repositories of this process that are open, by database and table: entities that share a
// table must be told apart by their keys, and whoever forgets CheckShared learns it here, before
// one of them takes the items of the other for its own.

#pragma once

#include <memory>

#include "stator/base/result.h"
#include "stator/stores/entities/detail/entity_core.h"

namespace stator::entities::detail {

// Fails with kValidation when another entity is open on the table whose keys this one's could be. An
// entity counts as open as long as somebody has its core, which its database outlives.
// THREADS: may be called from many threads at once.
Result<void> NoteOpen(const std::shared_ptr<const EntityCore>& core);

}  // namespace stator::entities::detail
