// For tests: the embedded engine as a home, under a clock that only the test moves.

#pragma once

#include <memory>

#include "contract/home.h"
#include "storage/store_options.h"

namespace stator::contract {

std::unique_ptr<TestDatabase> MakeEmbeddedDatabase(const storage::StoreOptions& options);

}  // namespace stator::contract
