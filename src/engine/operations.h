// The operations of the engine, one function each, one file each (get_item.cc, ...). Engine is the
// class that makes a Database of them. Writes of items are in write_operations.h.

#pragma once

#include "engine/engine_core.h"
#include "stator/api/database.h"

namespace stator::engine {

#define STATOR_OPERATION(Name, ...) \
  Result<Name##Output> Name(EngineCore& core, const Name##Input& input);
#define STATOR_ITEM_WRITE(Name, ...)
#include "stator/api/operations.inc"

}  // namespace stator::engine
