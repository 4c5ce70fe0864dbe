#include "cli/table_command.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/try.h"
#include "cli/command_line.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/policy.h"
#include "stator/provision/templates.h"
#include "stator/schema/folder.h"
#include "stator/schema/snapshot.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using entities::Verbs;
using provision::EnsureMode;
using provision::EnsureReport;
using provision::TableDifference;
using provision::TableSpec;

struct NamedVerb {
  const char* name;
  Verbs verb;
};
constexpr std::array<NamedVerb, 16> kVerbs = {{
    {"read", Verbs::kRead},
    {"read-many", Verbs::kReadMany},
    {"read-together", Verbs::kReadTogether},
    {"query", Verbs::kQuery},
    {"insert", Verbs::kInsert},
    {"update", Verbs::kUpdate},
    {"modify", Verbs::kModify},
    {"patch", Verbs::kPatch},
    {"upsert", Verbs::kUpsert},
    {"remove", Verbs::kRemove},
    {"remove-unchecked", Verbs::kRemoveUnchecked},
    {"expire", Verbs::kExpire},
    {"touch", Verbs::kTouch},
    {"transact", Verbs::kTransact},
    {"require", Verbs::kRequire},
    {"maintain", Verbs::kMaintain},
}};

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

Result<Map> ReadSnapshot(const TableArguments& arguments) {
  return schema::ReadSnapshot(schema::SnapshotPath(arguments.folder, arguments.entity));
}

Result<TableSpec> ReadSpec(const TableArguments& arguments) {
  const Map snapshot = TRY(ReadSnapshot(arguments));
  TableSpec spec = TRY(schema::TableSpecOf(snapshot));
  if (!arguments.name.empty()) {
    spec.name = arguments.name;
  }
  spec.recovery.enabled = !arguments.without_recovery;
  spec.deletion_protection = !arguments.without_protection;
  return spec;
}

Result<int> PrintTemplate(const TableArguments& arguments) {
  const TableSpec spec = TRY(ReadSpec(arguments));
  if (arguments.format == "cloudformation") {
    Print(CanonicalJson(provision::MakeCloudFormation(spec)));
  } else if (arguments.format == "terraform") {
    Print(CanonicalJson(provision::MakeTerraform(spec)));
  } else {
    for (const provision::ServiceCall& call : provision::MakeCalls(spec)) {
      Print(CanonicalJson({{"operation", call.operation}, {"input", call.input}}));
    }
  }
  return kSuccess;
}

Result<int> PrintPolicy(const TableArguments& arguments) {
  const Map snapshot = TRY(ReadSnapshot(arguments));
  entities::RepositoryDescription repository{.entity = TRY(schema::DescriptionOf(snapshot)),
                                             .indexes = arguments.indexes};
  repository.entity.owner_partitioned = arguments.owner_partitioned;
  for (const std::string& name : arguments.verbs) {
    for (const NamedVerb& verb : kVerbs) {
      repository.verbs = name == verb.name ? repository.verbs | verb.verb : repository.verbs;
    }
  }
  const std::string table = arguments.name.empty() ? repository.entity.name : arguments.name;
  Print(CanonicalJson(provision::MakePolicy({schema::AccessOf(
      repository, provision::TableArn(table, arguments.region, arguments.account))})));
  return kSuccess;
}

void PrintDifference(const char* what, const TableDifference& difference, bool as_json) {
  if (as_json) {
    Print(value::ToPlainJson(Item{{"state", what},
                                  {"kind", provision::NameOf(difference.kind)},
                                  {"subject", difference.subject},
                                  {"wanted", difference.wanted},
                                  {"found", difference.found},
                                  {"safe", difference.safe},
                                  {"refusal", difference.refusal}}) +
          "\n");
  } else {
    Print(std::string(what) + ": " + provision::ToText(difference) + "\n");
  }
}

Result<int> Ensure(const TableArguments& arguments, EnsureMode mode) {
  const TableSpec spec = TRY(ReadSpec(arguments));
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = mode != EnsureMode::kVerify}));
  const EnsureReport report = TRY(provision::EnsureTable(*database, spec, mode));
  for (const TableDifference& difference : report.applied) {
    PrintDifference("changed", difference, arguments.json);
  }
  for (const TableDifference& difference : report.differences) {
    PrintDifference("differs", difference, arguments.json);
  }
  if (!arguments.json && report.differences.empty()) {
    Print("table " + spec.name + (report.created ? " is made" : " is as it should be") + "\n");
  }
  return report.differences.empty() ? kSuccess : kFailure;
}

Result<int> Run(const TableArguments& arguments) {
  switch (arguments.action) {
    case TableAction::kPrint:
      return PrintTemplate(arguments);
    case TableAction::kPolicy:
      return PrintPolicy(arguments);
    case TableAction::kVerify:
      return Ensure(arguments, EnsureMode::kVerify);
    case TableAction::kCreate:
      return Ensure(arguments, EnsureMode::kCreate);
    case TableAction::kApply:
      break;
  }
  return Ensure(arguments, EnsureMode::kApplySafe);
}

CLI::App* AddAction(CLI::App& parent, TableArguments& arguments, TableAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("entity", arguments.entity, "Name of the entity")->required();
  command->add_option("--folder", arguments.folder, "Where its snapshot is")->capture_default_str();
  command->add_option("--table", arguments.name, "Name of the table, if not the entity's");
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

void AddPolicyOptions(CLI::App& policy, TableArguments& arguments) {
  std::vector<std::string> names;
  names.reserve(kVerbs.size());
  for (const NamedVerb& verb : kVerbs) {
    names.emplace_back(verb.name);
  }
  policy.add_option("--verbs", arguments.verbs, "What the repository does, with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required()
      ->check(CLI::IsMember(names));
  policy.add_option("--index", arguments.indexes, "An index that it queries; may be repeated")
      ->allow_extra_args(false);
  policy.add_option("--region", arguments.region, "Of the table")->capture_default_str();
  policy.add_option("--account", arguments.account, "Of the table")->capture_default_str();
  policy.add_flag("--owner-partitioned", arguments.owner_partitioned,
                  "Only partitions that the caller owns");
}

}  // namespace

void AddTable(CLI::App& app, TableArguments& arguments) {
  if (const char* location = std::getenv("STATOR_DATABASE"); location != nullptr) {
    arguments.data = location;
  }
  CLI::App* parent = app.add_subcommand("table", "Provision the table of an entity");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator table print account --as terraform > account.tf.json\n"
      "  stator table verify account --data aws:eu-central-1\n"
      "  stator table policy account --verbs read,insert,modify\n\n"
      "Exit code 1 when the table differs from what the snapshot asks for.");
  const auto add = [&](TableAction action, const char* name, const char* help) {
    return AddAction(*parent, arguments, action, name, help);
  };
  CLI::App* print = add(TableAction::kPrint, "print", "Print requests or a template");
  print->add_option("--as", arguments.format, "calls, cloudformation or terraform")
      ->capture_default_str()
      ->check(CLI::IsMember({"calls", "cloudformation", "terraform"}));
  AddPolicyOptions(*add(TableAction::kPolicy, "policy", "Print the least IAM policy"), arguments);
  CLI::App* verify = add(TableAction::kVerify, "verify", "Say how the table differs");
  CLI::App* create = add(TableAction::kCreate, "create", "Make the table if there is none");
  CLI::App* apply =
      add(TableAction::kApply, "apply", "Make the table, add indexes, turn expiry and recovery on");
  for (CLI::App* command : {verify, create, apply}) {
    command
        ->add_option("--data", arguments.data, "Where the data live: a path, http://…, aws:REGION")
        ->capture_default_str();
    command->add_flag("--json", arguments.json, "A line of JSON per difference");
  }
  for (CLI::App* command : {print, verify, create, apply}) {
    command->add_flag("--no-recovery", arguments.without_recovery,
                      "Without point-in-time recovery");
    command->add_flag("--no-deletion-protection", arguments.without_protection,
                      "The table can be deleted at once");
  }
}

int RunTable(const TableArguments& arguments) {
  const Result<int> code = Run(arguments);
  if (!code) {
    std::fprintf(stderr, "stator: %s\n", code.error().message.c_str());
    return kFailure;
  }
  return *code;
}

}  // namespace stator::cli
