// `stator console LOCATION`: the console of any home (a directory, a URL, Amazon DynamoDB), served to
// this machine until a signal says stop. Whoever opens it needs the key in the address that it
// prints, which is made for this run, so other users of the machine do not get in.

#pragma once

#include <cstdint>
#include <string>

#include "cli/console_sources.h"

namespace CLI {
class App;
}

namespace stator::cli {

struct ConsoleArguments {
  std::string location;
  std::uint16_t port = 0;
  ConsoleFiles files;
  bool read_only = false;
  bool die_with_parent = false;
};

void AddConsole(CLI::App& app, ConsoleArguments& arguments);

// Returns the exit code of the program.
int RunConsole(const ConsoleArguments& arguments);

}  // namespace stator::cli
