// `stator new-entity`: the files of a new entity of a program.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stator::cli {

struct NewEntityArguments {
  std::string name = {};
  std::string partition_key = {};
  std::string sort_key = {};
  std::string ttl = {};
  std::vector<std::string> fields = {};
  std::string folder = ".";
};

void AddNewEntity(CLI::App& app, NewEntityArguments& arguments);

// Returns the exit code of the program. Overwrites nothing.
int RunNewEntity(const NewEntityArguments& arguments);

}  // namespace stator::cli
