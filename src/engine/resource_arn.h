// The names by which operations call a resource of any kind.

#pragma once

#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "stator/base/result.h"

namespace stator::engine {

// Whether it is an ARN of a table of this account; `action` is what somebody would do with it.
Result<void> CheckResourceArn(const EngineCore& core, const std::string& arn,
                              std::string_view action);

}  // namespace stator::engine
