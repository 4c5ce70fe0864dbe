// Policies that are attached to tables and streams.

#pragma once

#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "keyspace/table_row.h"
#include "stator/base/result.h"

namespace stator::engine {

// A policy for the table or the stream of that ARN, with a revision of its own. Fails with
// kValidation and what is wrong with the text.
Result<keyspace::AttachedPolicy> MakeAttachedPolicy(EngineCore& core, const std::string& text,
                                                    std::string_view resource_arn);

}  // namespace stator::engine
