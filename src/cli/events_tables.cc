#include "cli/events_tables.h"

#include <CLI/CLI.hpp>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "stator/mapping/schema.h"
#include "stator/provision/policy.h"
#include "stator/stores/events/tables.h"

namespace stator::cli {
namespace {

using provision::EnsureMode;
using provision::TableSpec;

std::vector<TableSpec> SpecsOf(const EventsTablesArguments& arguments) {
  std::vector<TableSpec> specs;
  for (TableSpec& spec : events::MakeTableSpecs(arguments.store)) {
    specs.push_back(Adjusted(std::move(spec), arguments.common));
  }
  return specs;
}

int PrintPolicy(const EventsTablesArguments& arguments) {
  if (arguments.provisioning) {
    PrintProvisioningPolicy(SpecsOf(arguments), arguments.common);
  } else {
    const Map policy = provision::MakePolicy(
        events::AccessOf(arguments.store, arguments.common.region, arguments.common.account));
    std::fputs(CanonicalJson(policy).c_str(), stdout);
  }
  return kSuccess;
}

}  // namespace

void AddTableNames(CLI::App& command, events::EventStoreOptions& store) {
  const auto add = [&](const char* option, std::string& value, const char* what) {
    command.add_option(option, value, what)->capture_default_str()->group("Tables");
  };
  add("--events-table", store.events_table_name, "Table of the events");
  add("--tags-table", store.tags_table_name, "Table of the tags");
  add("--states-table", store.projection_states_table_name, "Table of the projections");
}

CLI::App* AddEventsTables(CLI::App& events, EventsTablesArguments& arguments) {
  DefaultToEnvironment(arguments.common.data);
  CLI::App* parent = events.add_subcommand("tables", "Provision the tables of an event store");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator events tables print --as cloudformation > events.json\n"
      "  stator events tables policy --region eu-central-1 --stream\n"
      "  stator events tables apply --data aws:eu-central-1\n\n"
      "Exit code 1 when a table differs from what the store asks for.");
  const auto add = [&](EventsTablesAction action, const char* name, const char* help) {
    CLI::App* command = parent->add_subcommand(name, help);
    AddTableNames(*command, arguments.store);
    command->add_flag("--stream", arguments.store.stream_events,
                      "The events have a stream that wakes followers");
    command->callback([&arguments, action] { arguments.action = action; });
    return command;
  };
  AddPrintOptions(*add(EventsTablesAction::kPrint, "print", "Print requests or a template"),
                  arguments.common);
  CLI::App* policy = add(EventsTablesAction::kPolicy, "policy", "Print the least IAM policy");
  AddPolicyOptions(*policy, arguments.common);
  policy->add_flag("--read-only", arguments.store.read_only, "Of who only reads");
  policy->add_flag("--auto-create", arguments.store.auto_create_tables,
                   "Of a program that makes its tables");
  policy->add_flag("--provisioning", arguments.provisioning, "Of who makes and checks the tables");
  AddEnsureOptions(*add(EventsTablesAction::kVerify, "verify", "Say how the tables differ"),
                   arguments.common);
  AddEnsureOptions(*add(EventsTablesAction::kCreate, "create", "Make the tables that are missing"),
                   arguments.common);
  AddEnsureOptions(
      *add(EventsTablesAction::kApply, "apply", "Make the tables, add indexes, turn recovery on"),
      arguments.common);
  return parent;
}

Result<int> RunEventsTables(const EventsTablesArguments& arguments) {
  const std::vector<TableSpec> specs = SpecsOf(arguments);
  switch (arguments.action) {
    case EventsTablesAction::kPrint:
      PrintTemplate(specs, arguments.common);
      return kSuccess;
    case EventsTablesAction::kPolicy:
      return PrintPolicy(arguments);
    case EventsTablesAction::kVerify:
      return EnsureTables(specs, EnsureMode::kVerify, arguments.common);
    case EventsTablesAction::kCreate:
      return EnsureTables(specs, EnsureMode::kCreate, arguments.common);
    case EventsTablesAction::kApply:
      break;
  }
  return EnsureTables(specs, EnsureMode::kApplySafe, arguments.common);
}

}  // namespace stator::cli
