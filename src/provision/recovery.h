// Point-in-time recovery of one table: what it is, and switching it on.

#pragma once

#include <optional>
#include <string>

#include "stator/provision/ensure_table.h"

namespace stator::provision {

class RecoverySwitch {
 public:
  // All must outlive it.
  RecoverySwitch(Database& database, const TableSpec& spec, const EnsureOptions& options)
      : database_(&database), spec_(&spec), options_(&options) {}

  // Nothing when it is as wanted. Who does not want it needs no permission to ask for it.
  Result<std::optional<TableDifference>> Compare();

  // For a difference that is safe. False when the endpoint has no recovery and says so; Compare
  // tells it from then on.
  Result<bool> SwitchOn();
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  Database* database_;
  const TableSpec* spec_;
  const EnsureOptions* options_;
  std::string refusal_;
};

}  // namespace stator::provision
