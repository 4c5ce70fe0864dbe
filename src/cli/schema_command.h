// `stator schema`: the recorded shapes of a program's entities. The program itself generates them:
// its tests leave them in a folder when STATOR_SCHEMA names it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stator::cli {

enum class SchemaAction : std::uint8_t { kCheck, kUpdate, kDiff, kHistory, kLint, kPlan };

struct SchemaArguments {
  SchemaAction action = SchemaAction::kCheck;
  std::string folder = "schema";
  std::string generated = {};              // a folder; empty: what is recorded itself
  std::vector<std::string> entities = {};  // empty: all
  int from = 0;                            // versions for a difference; 0: the newest ones
  int to = 0;
  bool json = false;
};

void AddSchema(CLI::App& app, SchemaArguments& arguments);

// Returns the exit code of the program: 1 when something does not pass.
int RunSchema(const SchemaArguments& arguments);

}  // namespace stator::cli
