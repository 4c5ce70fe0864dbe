// `stator backup`: a checked copy of a data directory, beside a server that has it open or not. `stator
// restore`: a data directory made of such a copy.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct BackupArguments {
  std::string directory;  // the copy
  std::string data;
  bool json = false;
};

struct RestoreArguments {
  std::string directory;  // the copy
  std::string data;
  bool json = false;
};

void AddBackup(CLI::App& app, BackupArguments& arguments);
void AddRestore(CLI::App& app, RestoreArguments& arguments);

// Return the exit code of the program.
int RunBackup(const BackupArguments& arguments);
int RunRestore(const RestoreArguments& arguments);

}  // namespace stator::cli
