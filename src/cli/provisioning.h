// What the commands share that print, make and compare tables.

#pragma once

#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/policy.h"
#include "stator/provision/table_spec.h"

namespace CLI {
class App;
}

namespace stator::cli {

struct ProvisioningArguments {
  std::string data = "stator-data";  // as stator::Open takes it
  std::string format = "calls";      // or "cloudformation", "terraform", "cdk"
  std::string region = "*";
  std::string account = "*";
  std::string kms_key = {};  // of the customer; empty: tables are encrypted by a key of AWS
  bool without_recovery = false;
  bool without_protection = false;
  bool json = false;
};

// The options of a command that prints templates, makes or compares tables, prints policies.
void AddPrintOptions(CLI::App& command, ProvisioningArguments& arguments);
void AddEnsureOptions(CLI::App& command, ProvisioningArguments& arguments);
void AddPolicyOptions(CLI::App& command, ProvisioningArguments& arguments);

// The specs as the flags want them.
std::vector<provision::TableSpec> AdjustedAll(std::vector<provision::TableSpec> specs,
                                              const ProvisioningArguments& arguments);

void PrintTemplate(const std::vector<provision::TableSpec>& specs,
                   const ProvisioningArguments& arguments);

// What who runs EnsureTables with kApplySafe may do.
std::vector<provision::TableAccess> ProvisioningAccesses(
    const std::vector<provision::TableSpec>& specs, const ProvisioningArguments& arguments);

// Exit code 1 when a table differs.
Result<int> EnsureTables(const std::vector<provision::TableSpec>& specs, provision::EnsureMode mode,
                         const ProvisioningArguments& arguments);

}  // namespace stator::cli
