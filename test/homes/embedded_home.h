// For tests: the embedded engine as a home, under a clock that only the test moves.

#pragma once

#include <memory>

#include "homes/home.h"
#include "storage/store_options.h"

namespace stator::homes {

std::unique_ptr<TestDatabase> MakeEmbeddedDatabase(const storage::StoreOptions& options);

}  // namespace stator::homes
