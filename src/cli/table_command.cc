#include "cli/table_command.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <memory>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/provisioning.h"
#include "cli/shared_options.h"
#include "stator/mapping/schema.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/policy.h"
#include "stator/schema/folder.h"
#include "stator/schema/snapshot.h"

namespace stator::cli {
namespace {

using entities::Verbs;
using provision::EnsureMode;
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

Result<Map> ReadSnapshot(const TableArguments& arguments) {
  return schema::ReadSnapshot(schema::SnapshotPath(arguments.folder, arguments.entity));
}

Result<TableSpec> ReadSpec(const TableArguments& arguments) {
  const Map snapshot = TRY(ReadSnapshot(arguments));
  TableSpec spec = TRY(schema::TableSpecOf(snapshot));
  if (!arguments.name.empty()) {
    spec.name = arguments.name;
  }
  return Adjusted(std::move(spec), arguments.common);
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
  const Map policy = provision::MakePolicy({schema::AccessOf(
      repository, provision::TableArn(table, arguments.common.region, arguments.common.account))});
  std::fputs(CanonicalJson(policy).c_str(), stdout);
  return kSuccess;
}

Result<int> Run(const TableArguments& arguments) {
  if (arguments.action == TableAction::kPolicy && !arguments.provisioning) {
    return PrintPolicy(arguments);
  }
  const std::vector<TableSpec> specs = {TRY(ReadSpec(arguments))};
  switch (arguments.action) {
    case TableAction::kPrint:
      PrintTemplate(specs, arguments.common);
      return kSuccess;
    case TableAction::kPolicy:
      PrintProvisioningPolicy(specs, arguments.common);
      return kSuccess;
    case TableAction::kVerify:
      return EnsureTables(specs, EnsureMode::kVerify, arguments.common);
    case TableAction::kCreate:
      return EnsureTables(specs, EnsureMode::kCreate, arguments.common);
    case TableAction::kApply:
      break;
  }
  return EnsureTables(specs, EnsureMode::kApplySafe, arguments.common);
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

void AddVerbOptions(CLI::App& policy, TableArguments& arguments) {
  std::vector<std::string> names;
  names.reserve(kVerbs.size());
  for (const NamedVerb& verb : kVerbs) {
    names.emplace_back(verb.name);
  }
  CLI::Option_group* whose = policy.add_option_group("Whose");
  whose->require_option(1);
  whose->add_option("--verbs", arguments.verbs, "What the repository does, with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names));
  whose->add_flag("--provisioning", arguments.provisioning, "Of who makes and checks the table");
  policy.add_option("--index", arguments.indexes, "An index that it queries; may be repeated")
      ->allow_extra_args(false);
  policy.add_flag("--owner-partitioned", arguments.owner_partitioned,
                  "Only partitions that the caller owns");
}

}  // namespace

void AddTable(CLI::App& app, TableArguments& arguments) {
  DefaultToEnvironment(arguments.common.data);
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
  AddPrintOptions(*add(TableAction::kPrint, "print", "Print requests or a template"),
                  arguments.common);
  CLI::App* policy = add(TableAction::kPolicy, "policy", "Print the least IAM policy");
  AddVerbOptions(*policy, arguments);
  AddPolicyOptions(*policy, arguments.common);
  AddEnsureOptions(*add(TableAction::kVerify, "verify", "Say how the table differs"),
                   arguments.common);
  AddEnsureOptions(*add(TableAction::kCreate, "create", "Make the table if there is none"),
                   arguments.common);
  AddEnsureOptions(*add(TableAction::kApply, "apply",
                        "Make the table, add indexes, turn expiry and recovery on"),
                   arguments.common);
}

int RunTable(const TableArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
