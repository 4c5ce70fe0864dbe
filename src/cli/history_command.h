// `stator history`: the versions of an item. `stator diff`: what of a table differs between two
// moments. Both read a data directory, beside a server that has it open or not.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct HistoryArguments {
  std::string table;
  std::string data;
  std::string key;  // DynamoDB JSON
  bool json = false;
};

struct DiffArguments {
  std::string table;
  std::string data;
  std::string from;
  std::string to = "latest";
  bool json = false;
};

void AddHistory(CLI::App& app, HistoryArguments& arguments);
void AddDiff(CLI::App& app, DiffArguments& arguments);

// Return the exit code of the program.
int RunHistory(const HistoryArguments& arguments);
int RunDiff(const DiffArguments& arguments);

}  // namespace stator::cli
