// `stator check PATH`: whether everything in a data directory fits together; with --repair-into,
// what can be saved of a damaged one.

#pragma once

#include "cli/command_line.h"
#include "engine/check_database.h"

namespace stator::cli {

// What is in a directory and what is wrong with it, on standard output.
void PrintReport(const engine::CheckReport& report, bool json);

// Returns the exit code of the program: 0 when nothing is wrong.
int RunCheck(const CheckArguments& arguments);

}  // namespace stator::cli
