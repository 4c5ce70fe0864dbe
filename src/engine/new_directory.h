// A directory that is to be made, by tools that never write into one that somebody has.

#pragma once

#include <string>

#include "stator/base/result.h"

namespace stator::engine {

// Fails unless `path` is not there, or an empty directory.
Result<void> CheckIsFree(const std::string& path);

}  // namespace stator::engine
