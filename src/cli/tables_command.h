// `stator tables`: the tables that a store or an entity asks for, as templates, as policies, or
// made and compared in a database. One family of commands for all of them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/provisioning.h"
#include "stator/stores/events/options.h"

namespace CLI {
class App;
}

namespace stator::cli {

enum class TablesAction : std::uint8_t { kPrint, kPolicy, kVerify, kCreate, kApply };

struct TablesArguments {
  TablesAction action = TablesAction::kPrint;
  // "tasks", "sessions", "events", or "entity" and its name.
  std::vector<std::string> store = {};
  std::string folder = "schema";  // where snapshots of entities are
  std::string table = {};         // its name; empty: that of the store or the entity
  events::EventStoreOptions events = {.auto_create_tables = false};
  std::vector<std::string> verbs = {};  // of an entity's repository
  std::vector<std::string> indexes = {};
  bool writes_on_read = false;                 // of that repository
  std::vector<std::string> repositories = {};  // several: NAME:VERBS[:INDEXES]
  bool provisioning = false;                   // the policy of who makes the tables
  std::string blobs = {};                      // s3://BUCKET/PREFIX, for the policy
  std::string keys_of = {};                    // a database whose tables say which key is theirs
  ProvisioningArguments common = {};
};

void AddTables(CLI::App& app, TablesArguments& arguments);

// Options for the names of an event store's tables, as all commands on event stores have them.
void AddTableNames(CLI::App& command, events::EventStoreOptions& store);

// Returns the exit code of the program: 1 when a table differs.
int RunTables(const TablesArguments& arguments);

}  // namespace stator::cli
