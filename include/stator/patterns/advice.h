// What to say about an error of configuration (IsConfiguration): which table, and which command
// mends it. The same words in every store.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::patterns {

// `store` is what `stator tables --for` calls it: "tasks", "sessions", "events", "entity account".
// REQUIRES: IsConfiguration(code).
std::string AdviceFor(ErrorCode code, std::string_view table, std::string_view store);

// The error with such a message in place of the database's own, when it is one of configuration;
// any other error as it is.
Error WithAdvice(Error error, std::string_view table, std::string_view store);

}  // namespace stator::patterns
