// The three tables of event stores. EventStore::Open makes or checks them as far as it needs;
// whoever provisions them beforehand, or has CloudFormation or Terraform do it, describes them with
// EventStore::Tables and has all of provision/:
//
//   for (const provision::TableSpec& spec : events::EventStore::Tables({.stream_events = true})) {
//     TRY(provision::EnsureTable(database, spec, provision::EnsureMode::kApplySafe));
//   }
//   const Map policy = provision::MakePolicy(events::AccessOf({}, "eu-central-1", "123456789012"));

#pragma once

#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/provision/policy.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/events/options.h"

namespace stator::events {

inline constexpr const char* kIndexName = "GSI1";

// Makes the tables that do not exist, waits until tables and indexes are active, at most
// `patience`, and checks them. Several processes may do it at the same time. What a program makes
// on its way is neither protected from deletion nor recoverable, which take permissions that a
// program should not have.
// Fails with kValidation when a table has other keys or lacks the index, kTimeout when it does not
// become active.
Result<void> CreateTables(Database& database, const EventStoreOptions& options,
                          patterns::Environment environment = {},
                          Duration patience = std::chrono::seconds(60));

// The same without making anything: a missing table is kTableNotFound.
Result<void> CheckTables(Database& database, const EventStoreOptions& options,
                         patterns::Environment environment = {},
                         Duration patience = std::chrono::seconds(60));

// What a program may do that opens the store with these options and uses everything of it; for
// provision::MakePolicy. With auto_create_tables it may also make the tables; a store that is
// read_only may be one of another system, which takes Scan.
std::vector<provision::TableAccess> AccessOf(const EventStoreOptions& options,
                                             std::string_view region = "*",
                                             std::string_view account = "*");

}  // namespace stator::events
