// For tests: somebody who changes the schema and runs housekeeping while others write.

#pragma once

#include <atomic>
#include <cstdint>

#include "engine/engine.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::crash {

// Adds and drops an index, switches expiry, makes and drops a table, sweeps; until `stop` is set or
// the disk fails. Returns a wrong answer, if there is one.
Result<void> ChangeThings(engine::Engine& engine, std::uint64_t seed,
                          const std::atomic<bool>& stop);

}  // namespace stator::crash
