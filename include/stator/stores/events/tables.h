// The three tables of event stores: what they look like, making them, checking them.

#pragma once

#include <string>
#include <vector>

#include "stator/api/create_table.h"
#include "stator/api/database.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/stores/events/options.h"

namespace stator::events {

inline constexpr const char* kIndexName = "GSI1";

// Events, tags and projection states, in this order, paid per request.
std::vector<CreateTableInput> MakeTableDefinitions(const EventStoreOptions& options);

// Makes the tables that do not exist, waits until tables and indexes are active, at most
// `patience`, and checks them. Several processes may do it at the same time.
// Fails with kValidation when a table has other keys or lacks the index, kTimeout when it does not
// become active.
Result<void> CreateTables(Database& database, const EventStoreOptions& options,
                          patterns::Environment environment = {},
                          Duration patience = std::chrono::seconds(60));

// The same without making anything: a missing table is kTableNotFound.
Result<void> CheckTables(Database& database, const EventStoreOptions& options,
                         patterns::Environment environment = {},
                         Duration patience = std::chrono::seconds(60));

// The policy document, as JSON, that a program using the store needs; `resource_prefix` is
// "arn:aws:dynamodb:REGION:ACCOUNT:table/".
std::string MakeIamPolicy(const EventStoreOptions& options, const std::string& resource_prefix);

}  // namespace stator::events
