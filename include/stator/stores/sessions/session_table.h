// The table of sessions: what it looks like and making it.
//
// FORMAT. Keys and the attributes of kinds are those of the system that wrote such tables first
// (media/records.h); what the store adds stands beside them and is passed over by other readers.
//
//   PK  S  "SESSION#" + id of the session
//   SK  S  "META"; prefix of the kind + id of the record; behind that "#I#" + id of an item, or
//          "#P#" + spill_id + "#" + number of a part
//   expiresAt  N  seconds, in every item
//
//   every item    rev N, write_id S, recent_writes L: see patterns/versioning.h; type S: "session",
//                 the kind, "item" or "part"; schema N: 1; epoch N: of its step when it was made,
//                 missing for 0. An item or part has no rev.
//   META          ownerSub S, status S, createdAt N (seconds); epoch M: a number per step, and
//                 "session", which tells one session under this id from a later one; latest M: the
//                 youngest record per kind; children_until N: what all records live at least
//   a record      lease_owner S, lease_until N (milliseconds) while a worker has it;
//                 pending SS, results M: items to be done and done; children S: "open" or "done",
//                 they are items of the table; building S: the items are not all written yet,
//                 nobody sees it; spilled M: list to number of parts, spill_id S
//   an item       input M, phase S: pending, done; result M
//   a part        list S, elements L

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/provision/policy.h"
#include "stator/provision/table_spec.h"

namespace stator::sessions {

inline constexpr std::string_view kDefaultSessionTable = "sessions";

// Paid per request, expiring, without recovery: what is in it lives for a day.
provision::TableSpec SessionTableSpec(std::string_view table);

// Makes the table and turns on its TTL where they are missing. Whether there was none. Fails with
// kValidation when a table of that name has other keys.
Result<bool> CreateSessionTable(Database& database, std::string_view table,
                                const patterns::Environment& environment = {});

struct SessionStoreOptions;

// What a program may do that opens the store with these options; for provision::MakePolicy. Scan is
// for SessionStore::ListSessions alone.
std::vector<provision::TableAccess> AccessOf(const SessionStoreOptions& options,
                                             std::string_view region = "*",
                                             std::string_view account = "*");

}  // namespace stator::sessions
