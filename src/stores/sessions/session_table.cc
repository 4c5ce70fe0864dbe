#include "stator/stores/sessions/session_table.h"

#include "base/try.h"
#include "stator/provision/ensure_table.h"
#include "stores/sessions/names.h"

namespace stator::sessions {

provision::TableSpec SessionTableSpec(std::string_view table) {
  return {.name = std::string(table),
          .keys = {{kPartitionKey, KeyType::kHash}, {kSortKey, KeyType::kRange}},
          .attributes = {{kPartitionKey, ScalarAttributeType::kString},
                         {kSortKey, ScalarAttributeType::kString}},
          .ttl_attribute = kExpiry,
          .recovery = {.enabled = false},
          .deletion_protection = false};
}

Result<bool> CreateSessionTable(Database& database, std::string_view table,
                                const patterns::Environment& environment) {
  const provision::EnsureReport report =
      TRY(provision::EnsureTable(database, SessionTableSpec(table),
                                 provision::EnsureMode::kApplySafe, {.clock = environment.clock}));
  for (const provision::TableDifference& difference : report.differences) {
    if (difference.kind == provision::Drift::kKeys ||
        difference.kind == provision::Drift::kAttributeType) {
      return Invalid("table " + std::string(table) +
                     " is no table of sessions: " + provision::ToText(difference));
    }
  }
  return report.created;
}

}  // namespace stator::sessions
