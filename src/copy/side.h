// One side of a copy: a table in some home, and what has to be known of it.

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "stator/api/database.h"
#include "stator/api/table_types.h"
#include "stator/base/result.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/provision/table_spec.h"

namespace stator::copy {

// A copy of hours should not end because a table is throttled for a while.
inline constexpr patterns::RetryOptions kPatience = {.budget = std::chrono::minutes(2),
                                                     .wait_first = std::chrono::milliseconds(50),
                                                     .wait_max = std::chrono::seconds(5)};

struct Side {
  Database* database;  // never null; outlives this object
  TableDescription table;
  patterns::TableLayout layout;  // names no expiry: what has expired is copied, too
  std::optional<std::string> ttl_attribute = std::nullopt;
};

// Fails with kTableNotFound, and with kUnavailable while the table is being made or deleted.
Result<Side> LookAt(Database& database, const std::string& table_name);

// The same table under another name. Tags, recovery and the stream are not taken over: they belong
// to how a table is run, not to what it holds.
provision::TableSpec SpecOf(const Side& side, const std::string& table_name);

// The key that an item has on this side; fails with kValidation, and says what the item lacks.
Result<Item> KeyOn(const Side& side, const Item& item);

// Whether both sides have keys of the same names.
bool HaveSameKeys(const Side& one, const Side& other);

}  // namespace stator::copy
