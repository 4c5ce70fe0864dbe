// `stator insights`: which keys of a table or an index are used most, as Contributor Insights has counted
// them since it was switched on.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct InsightsArguments {
  std::string table;  // empty: which tables and indexes are counted
  std::string data = "http://localhost:8000";
  std::string index;
  bool on = false;
  bool off = false;
  bool json = false;
};

void AddInsights(CLI::App& app, InsightsArguments& arguments);

// Returns the exit code of the program.
int RunInsights(const InsightsArguments& arguments);

}  // namespace stator::cli
