// `stator serve`: the embedded engine behind DynamoDB's protocol, until a signal says stop.

#pragma once

#include "cli/command_line.h"

namespace stator::cli {

// Returns the exit code of the program.
int RunServe(const ServeArguments& arguments);

}  // namespace stator::cli
