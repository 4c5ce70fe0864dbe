// Shared variables of a task: limits on what comes in, and merging it.

#pragma once

#include <cstddef>

#include "stator/base/result.h"
#include "stator/stores/tasks/json.h"

namespace stator::tasks {

struct VariableLimits {
  std::size_t depth_max = 0;       // of a value; the value itself is depth 0
  std::size_t text_bytes_max = 0;  // of every name and text, at any depth
};

// Fails with kValidation and names the variable.
Result<void> CheckVariables(const JsonObject& changes, const VariableLimits& limits);

// Each change replaces the variable of its name, or removes it when it is null. Names keep their
// order, new ones follow.
JsonObject Merged(const JsonObject& variables, const JsonObject& changes);

}  // namespace stator::tasks
