// `stator table`: the table that an entity's snapshot asks for, as a template, as a policy, or made
// and compared in a database.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/provisioning.h"

namespace CLI {
class App;
}

namespace stator::cli {

enum class TableAction : std::uint8_t { kPrint, kPolicy, kVerify, kCreate, kApply };

struct TableArguments {
  TableAction action = TableAction::kPrint;
  std::string entity = {};
  std::string folder = "schema";
  std::string name = {};  // of the table; empty: that of the entity
  std::vector<std::string> verbs = {};
  std::vector<std::string> indexes = {};
  bool owner_partitioned = false;
  bool provisioning = false;  // the policy of who makes the table
  ProvisioningArguments common = {};
};

void AddTable(CLI::App& app, TableArguments& arguments);

// Returns the exit code of the program: 1 when the table differs.
int RunTable(const TableArguments& arguments);

}  // namespace stator::cli
