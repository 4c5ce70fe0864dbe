#include "cli/schema_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "stator/mapping/schema.h"
#include "stator/schema/changes.h"
#include "stator/schema/folder.h"
#include "stator/schema/lint.h"
#include "stator/schema/snapshot.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using schema::SchemaChange;
using schema::SnapshotReport;

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

::stator::List ToList(const std::vector<std::string>& texts) {
  return ::stator::List(texts.begin(), texts.end());
}

// The folder whose snapshots are looked at.
const std::string& SourceOf(const SchemaArguments& arguments) {
  return arguments.generated.empty() ? arguments.folder : arguments.generated;
}

Result<std::vector<std::string>> EntitiesOf(const SchemaArguments& arguments) {
  const std::vector<std::string> there = TRY(schema::ListSnapshots(SourceOf(arguments)));
  if (there.empty()) {
    return Fail(ErrorCode::kIo, "there is no snapshot of an entity in " + SourceOf(arguments));
  }
  for (const std::string& entity : arguments.entities) {
    if (std::ranges::find(there, entity) == there.end()) {
      std::string names;
      for (const std::string& name : there) {
        names += (names.empty() ? "" : ", ") + name;
      }
      return Fail(ErrorCode::kIo, "there is no entity " + entity + " in " + SourceOf(arguments) +
                                      "; there are " + names);
    }
  }
  return arguments.entities.empty() ? there : arguments.entities;
}

Result<Map> ReadGenerated(const SchemaArguments& arguments, const std::string& entity) {
  return schema::ReadSnapshot(schema::SnapshotPath(SourceOf(arguments), entity));
}

void PrintReport(const std::string& entity, const SnapshotReport& report,
                 const std::string& success, bool as_json) {
  if (as_json) {
    ::stator::List changes;
    for (const SchemaChange& change : report.changes) {
      changes.emplace_back(schema::ToText(change));
    }
    Print(value::ToPlainJson(Item{{"entity", entity},
                                  {"passes", report.passes},
                                  {"changes", std::move(changes)},
                                  {"problems", ToList(report.problems)},
                                  {"toDo", ToList(report.to_do)}}) +
          "\n");
    return;
  }
  Print(entity + ": " + (report.passes ? success : "does not pass") + "\n" + report.ToText());
}

// Check or update, entity by entity; one that does not pass does not keep the others from it.
template <class Function>
Result<int> ForEach(const SchemaArguments& arguments, const std::string& success,
                    const Function& function) {
  int code = kSuccess;
  for (const std::string& entity : TRY(EntitiesOf(arguments))) {
    const Map generated = TRY(ReadGenerated(arguments, entity));
    const SnapshotReport report = TRY(function(generated));
    PrintReport(entity, report, success, arguments.json);
    code = report.passes ? code : kFailure;
  }
  return code;
}

// The two snapshots that are compared: of two versions, or history's newest and the generated one.
Result<std::pair<Map, Map>> SidesOf(const SchemaArguments& arguments, const std::string& entity) {
  const auto read = [&](int version) {
    return schema::ReadSnapshot(schema::HistoryPath(arguments.folder, entity, version));
  };
  const std::vector<int> versions = schema::ListVersions(arguments.folder, entity);
  if (versions.empty()) {
    return Fail(ErrorCode::kIo, "there is no history of " + entity + " in " + arguments.folder);
  }
  const bool has_generated = !arguments.generated.empty();
  // Without anything to compare with, the last step that was made.
  const int before = arguments.from != 0                     ? arguments.from
                     : has_generated || versions.size() == 1 ? versions.back()
                                                             : versions[versions.size() - 2];
  Map left = TRY(read(before));
  Map right = arguments.to == 0 && has_generated
                  ? TRY(ReadGenerated(arguments, entity))
                  : TRY(read(arguments.to == 0 ? versions.back() : arguments.to));
  return std::pair(std::move(left), std::move(right));
}

Result<int> Diff(const SchemaArguments& arguments) {
  for (const std::string& entity : TRY(EntitiesOf(arguments))) {
    const auto [before, after] = TRY(SidesOf(arguments, entity));
    Print(entity + ": version " + std::to_string(schema::DataVersionOf(before)) + " to " +
          std::to_string(schema::DataVersionOf(after)) + "\n");
    for (const SchemaChange& change : schema::CompareSchemas(before, after)) {
      const schema::ChangeRule& rule = schema::RuleOf(change.kind);
      Print("  " + schema::ToText(change) +
            "\n    new program, old item: " + std::string(rule.new_reads_old) +
            "; old program, new item: " + std::string(rule.old_reads_new) + "\n");
    }
  }
  return kSuccess;
}

Result<int> History(const SchemaArguments& arguments) {
  for (const std::string& entity : TRY(EntitiesOf(arguments))) {
    std::optional<Map> before;
    const std::vector<int> versions = schema::ListVersions(arguments.folder, entity);
    if (versions.empty()) {
      return Fail(ErrorCode::kIo, "there is no history of " + entity + " in " + arguments.folder);
    }
    for (const int version : versions) {
      Map snapshot =
          TRY(schema::ReadSnapshot(schema::HistoryPath(arguments.folder, entity, version)));
      Print(entity + " version " + std::to_string(version) + "\n");
      if (before) {
        for (const SchemaChange& change : schema::CompareSchemas(*before, snapshot)) {
          Print("  " + schema::ToText(change) + "\n");
        }
      }
      before = std::move(snapshot);
    }
  }
  return kSuccess;
}

Result<int> Lint(const SchemaArguments& arguments) {
  int code = kSuccess;
  for (const std::string& entity : TRY(EntitiesOf(arguments))) {
    const std::filesystem::path file = schema::SnapshotPath(SourceOf(arguments), entity);
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      return Fail(ErrorCode::kIo, "cannot read " + file.string());
    }
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (const schema::LintFinding& finding : schema::LintSchemaText(text)) {
      code = kFailure;
      if (arguments.json) {
        Print(value::ToPlainJson(Item{{"entity", entity},
                                      {"rule", finding.rule},
                                      {"path", finding.path},
                                      {"message", finding.message}}) +
              "\n");
      } else {
        Print(entity + (finding.path.empty() ? "" : "." + finding.path) + ": " + finding.message +
              " [" + finding.rule + "]\n");
      }
    }
  }
  return code;
}

// Begins the plan; its author says how the table is copied.
Result<int> Plan(const SchemaArguments& arguments) {
  for (const std::string& entity : TRY(EntitiesOf(arguments))) {
    const auto [before, after] = TRY(SidesOf(arguments, entity));
    const std::string file = schema::PlanPath(arguments.folder, entity).string();
    switch (TRY(schema::BeginPlan(before, after, arguments.folder))) {
      case schema::PlanState::kNothingToPlan:
        Print(entity + ": nothing to plan, its table stays the same\n");
        break;
      case schema::PlanState::kBegun:
        Print(file + ": say in \"plan\" how the table is copied\n");
        break;
      case schema::PlanState::kThere:
        Print(file + ": is there already, and stays as it is\n");
        break;
    }
  }
  return kSuccess;
}

Result<int> Run(const SchemaArguments& arguments) {
  switch (arguments.action) {
    case SchemaAction::kCheck:
      return ForEach(arguments, "stored as recorded", [&](const Map& generated) {
        return schema::CheckSnapshot(generated, arguments.folder);
      });
    case SchemaAction::kUpdate:
      return ForEach(arguments, "recorded", [&](const Map& generated) {
        return schema::UpdateSnapshot(generated, arguments.folder);
      });
    case SchemaAction::kDiff:
      return Diff(arguments);
    case SchemaAction::kHistory:
      return History(arguments);
    case SchemaAction::kLint:
      return Lint(arguments);
    case SchemaAction::kPlan:
      break;
  }
  return Plan(arguments);
}

CLI::App* AddAction(CLI::App& parent, SchemaArguments& arguments, SchemaAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("entity", arguments.entities, "Names of entities; all when there are none");
  command->add_option("--folder", arguments.folder, "Where snapshots and history are kept")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

}  // namespace

void AddSchema(CLI::App& app, SchemaArguments& arguments) {
  CLI::App* parent = app.add_subcommand("schema", "Keep the recorded shapes of entities");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  mkdir generated; STATOR_SCHEMA=generated ./my_tests\n"
      "  stator schema diff --generated generated\n"
      "  stator schema update account --generated generated\n\n"
      "Exit code 1 when something does not pass.");
  const auto add = [&](SchemaAction action, const char* name, const char* help) {
    return AddAction(*parent, arguments, action, name, help);
  };
  CLI::App* check = add(SchemaAction::kCheck, "check", "Say whether changes may be made");
  CLI::App* update =
      add(SchemaAction::kUpdate, "update", "Record what was generated, if it may be");
  CLI::App* diff = add(SchemaAction::kDiff, "diff", "Show changes and what they need");
  add(SchemaAction::kHistory, "history", "Show what each version has changed");
  CLI::App* lint = add(SchemaAction::kLint, "lint", "Find what will be regretted");
  CLI::App* plan = add(SchemaAction::kPlan, "plan", "Begin the plan for copying a table");
  for (CLI::App* command : {check, update, diff, lint, plan}) {
    command
        ->add_option("--generated", arguments.generated,
                     "Where the program's tests have left its snapshots")
        ->check(CLI::ExistingDirectory);
  }
  update->get_option("--generated")->required();
  plan->get_option("--generated")->required();
  diff->add_option("--from", arguments.from, "A version, instead of the newest recorded one");
  diff->add_option("--to", arguments.to, "A version, instead of what was generated");
  for (CLI::App* command : {check, update, lint}) {
    command->add_flag("--json", arguments.json, "A line of JSON per entity or finding");
  }
}

int RunSchema(const SchemaArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
