// `stator check PATH`: whether everything in a data directory fits together; with --repair-into,
// what can be saved of a damaged one.

#pragma once

#include "cli/command_line.h"

namespace stator::cli {

// Returns the exit code of the program: 0 when nothing is wrong.
int RunCheck(const CheckArguments& arguments);

}  // namespace stator::cli
