// What the commands share that look into a database: where it is, and how they end.

#pragma once

#include <string>

#include "stator/base/result.h"

namespace CLI {
class App;
}

namespace stator::cli {

// Takes $STATOR_DATABASE or another variable, if there is one, as what `data` is without a flag. Not CLI11's way of
// taking variables: it would set a value that commands share once for each that was not called,
// behind the flag of the one that was.
void DefaultToEnvironment(std::string& data, const char* variable = "STATOR_DATABASE");

// --data: where the database is, as stator::Open takes it.
void AddData(CLI::App& command, std::string& data);

// What a command came to, as its exit code; an error is printed.
int ExitCodeOf(const Result<int>& outcome);

}  // namespace stator::cli
