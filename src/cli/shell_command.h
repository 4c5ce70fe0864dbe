// `stator shell`: statements of PartiQL at a prompt, from a script, or from the command line.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stator::cli {

struct ShellArguments {
  std::string location = "stator-data";  // as stator::Open takes it
  std::vector<std::string> statements = {};
  bool json = false;
  bool csv = false;
};

void AddShell(CLI::App& app, ShellArguments& arguments);

// Returns the exit code of the program: 1 when a statement of a script failed.
int RunShell(const ShellArguments& arguments);

}  // namespace stator::cli
