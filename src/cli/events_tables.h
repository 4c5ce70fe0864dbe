// `stator events tables`: the tables of an event store, as templates, as policies, or made and
// compared in a database.

#pragma once

#include <cstdint>

#include "cli/provisioning.h"
#include "stator/stores/events/options.h"

namespace CLI {
class App;
}

namespace stator::cli {

enum class EventsTablesAction : std::uint8_t { kPrint, kPolicy, kVerify, kCreate, kApply };

struct EventsTablesArguments {
  EventsTablesAction action = EventsTablesAction::kPrint;
  events::EventStoreOptions store = {.auto_create_tables = false};
  bool provisioning = false;  // the policy of who makes the tables
  ProvisioningArguments common = {};
};

// Options for the names of the three tables, as all commands on event stores have them.
void AddTableNames(CLI::App& command, events::EventStoreOptions& store);

// Adds the command `tables`.
CLI::App* AddEventsTables(CLI::App& events, EventsTablesArguments& arguments);

// The exit code of the program: 1 when a table differs.
Result<int> RunEventsTables(const EventsTablesArguments& arguments);

}  // namespace stator::cli
