#include "cli/provisioning.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <memory>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"
#include "stator/provision/policy.h"
#include "stator/provision/templates.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using provision::EnsureMode;
using provision::EnsureReport;
using provision::TableDifference;
using provision::TableSpec;

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

void PrintDifference(const std::string& table, const char* what, const TableDifference& difference,
                     bool as_json) {
  if (as_json) {
    Print(value::ToPlainJson(Item{{"table", table},
                                  {"state", what},
                                  {"kind", provision::NameOf(difference.kind)},
                                  {"subject", difference.subject},
                                  {"wanted", difference.wanted},
                                  {"found", difference.found},
                                  {"safe", difference.safe},
                                  {"refusal", difference.refusal}}) +
          "\n");
  } else {
    Print("table " + table + " " + what + ": " + provision::ToText(difference) + "\n");
  }
}

void PrintReport(const std::string& table, const EnsureReport& report, bool as_json) {
  for (const TableDifference& difference : report.applied) {
    PrintDifference(table, "changed", difference, as_json);
  }
  for (const TableDifference& difference : report.differences) {
    PrintDifference(table, "differs", difference, as_json);
  }
  if (!as_json && report.created) {
    Print("table " + table + " is made\n");
  } else if (!as_json && report.differences.empty()) {
    Print("table " + table + " is as it should be\n");
  }
}

void AddKey(CLI::App& command, ProvisioningArguments& arguments, const char* help) {
  command.add_option("--kms-key", arguments.kms_key, help)->check([](const std::string& key) {
    return key.starts_with("arn:") && key.find(":kms:") != std::string::npos
               ? std::string()
               : "'" + key + "' is no ARN of a key, arn:aws:kms:REGION:ACCOUNT:key/ID";
  });
}

void AddTableFlags(CLI::App& command, ProvisioningArguments& arguments) {
  command.add_flag("--no-recovery", arguments.without_recovery,
                   "Without point-in-time recovery, which DynamoDB Local lacks");
  command.add_flag("--no-deletion-protection", arguments.without_protection,
                   "The table can be deleted at once");
  AddKey(command, arguments, "ARN of the customer's key that encrypts the tables");
}

}  // namespace

void AddPrintOptions(CLI::App& command, ProvisioningArguments& arguments) {
  command.add_option("--as", arguments.format, "calls, cloudformation, terraform or cdk")
      ->capture_default_str()
      ->check(CLI::IsMember({"calls", "cloudformation", "terraform", "cdk"}));
  AddTableFlags(command, arguments);
}

void AddEnsureOptions(CLI::App& command, ProvisioningArguments& arguments) {
  AddData(command, arguments.data);
  command.add_flag("--json", arguments.json, "A line of JSON per difference");
  AddTableFlags(command, arguments);
}

void AddPolicyOptions(CLI::App& command, ProvisioningArguments& arguments) {
  command.add_option("--region", arguments.region, "Of the table")->capture_default_str();
  command.add_option("--account", arguments.account, "Of the table")->capture_default_str();
  AddKey(command, arguments, "ARN of the key that encrypts tables and blobs");
}

std::vector<TableSpec> AdjustedAll(std::vector<TableSpec> specs,
                                   const ProvisioningArguments& arguments) {
  for (TableSpec& spec : specs) {
    spec.recovery.enabled = spec.recovery.enabled && !arguments.without_recovery;
    spec.deletion_protection = spec.deletion_protection && !arguments.without_protection;
    if (!arguments.kms_key.empty()) {
      spec.encryption = provision::Encryption{.kms_key_id = arguments.kms_key};
    }
  }
  return specs;
}

void PrintTemplate(const std::vector<TableSpec>& specs, const ProvisioningArguments& arguments) {
  if (arguments.format == "calls") {
    for (const TableSpec& spec : specs) {
      for (const provision::ServiceCall& call : provision::MakeCalls(spec)) {
        Print(CanonicalJson({{"operation", call.operation}, {"input", call.input}}));
      }
    }
    return;
  }
  if (arguments.format == "cdk") {
    Print(provision::MakeCdk(specs));
    return;
  }
  const bool terraform = arguments.format == "terraform";
  std::map<std::string, TableSpec> named;
  for (const TableSpec& spec : specs) {
    named.emplace(terraform ? provision::ResourceName(spec.name) : provision::LogicalId(spec.name),
                  spec);
  }
  Print(CanonicalJson(terraform ? provision::MakeTerraform(named)
                                : provision::MakeCloudFormation(named)));
}

std::vector<provision::TableAccess> ProvisioningAccesses(const std::vector<TableSpec>& specs,
                                                         const ProvisioningArguments& arguments) {
  std::vector<provision::TableAccess> accesses;
  accesses.reserve(specs.size());
  for (const TableSpec& spec : specs) {
    accesses.push_back(provision::ProvisioningAccess(
        spec, provision::TableArn(spec.name, arguments.region, arguments.account),
        EnsureMode::kApplySafe));
  }
  return accesses;
}

Result<int> EnsureTables(const std::vector<TableSpec>& specs, EnsureMode mode,
                         const ProvisioningArguments& arguments) {
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = mode != EnsureMode::kVerify}));
  bool differs = false;
  for (const TableSpec& spec : specs) {
    const EnsureReport report = TRY(provision::EnsureTable(*database, spec, mode));
    PrintReport(spec.name, report, arguments.json);
    differs = differs || !report.differences.empty();
  }
  return differs ? kFailure : kSuccess;
}

}  // namespace stator::cli
