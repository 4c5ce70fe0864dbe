#include "cli/shared_options.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

#include "cli/command_line.h"

namespace stator::cli {

void DefaultToEnvironment(std::string& data, const char* variable) {
  if (const char* value = std::getenv(variable); value != nullptr) {
    data = value;
  }
}

void AddData(CLI::App& command, std::string& data) {
  command.add_option("--data", data, "Where the data live: a path, http://…, aws:REGION")
      ->capture_default_str();
}

int ExitCodeOf(const Result<int>& outcome) {
  if (!outcome) {
    std::fprintf(stderr, "stator: %s\n", outcome.error().message.c_str());
    return kFailure;
  }
  return *outcome;
}

}  // namespace stator::cli
