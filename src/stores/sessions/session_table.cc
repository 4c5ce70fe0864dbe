#include "stator/stores/sessions/session_table.h"

#include "base/try.h"
#include "stator/provision/ensure_table.h"
#include "stator/stores/sessions/session_store.h"
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

std::vector<provision::TableSpec> SessionStore::Tables(const SessionStoreOptions& options) {
  return {SessionTableSpec(options.table)};
}

std::vector<provision::TableAccess> AccessOf(const SessionStoreOptions& options,
                                             std::string_view region, std::string_view account) {
  return {{.table_arn = provision::TableArn(options.table, region, account),
           .actions = {"BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem",
                       "GetItem", "PutItem", "Query", "Scan", "UpdateItem"}}};
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
