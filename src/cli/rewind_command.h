// `stator rewind`: takes the items of a table back to what they were. `stator checkpoint`: names a moment
// of a whole database, and goes back to it. Both in a directory or at a server.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct RewindArguments {
  std::string table;
  std::string data = "stator-data";  // as stator::Open takes it
  std::string to;
  bool json = false;
};

struct CheckpointArguments {
  std::string action;  // create, restore, list, delete
  std::string name;
  std::string data = "stator-data";  // as stator::Open takes it
  bool replace = false;
  bool json = false;
};

void AddRewind(CLI::App& app, RewindArguments& arguments);
void AddCheckpoint(CLI::App& app, CheckpointArguments& arguments);

// Return the exit code of the program.
int RunRewind(const RewindArguments& arguments);
int RunCheckpoint(const CheckpointArguments& arguments);

}  // namespace stator::cli
