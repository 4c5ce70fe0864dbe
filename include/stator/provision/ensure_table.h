// Making a table as it should be, or saying how it differs.
//
//   const EnsureReport report = TRY(EnsureTable(database, spec, EnsureMode::kVerify));
//   for (const TableDifference& difference : report.differences) {
//     std::puts(ToText(difference).c_str());
//   }
//
// ERRORS: what the database answers; kValidation for a spec that CheckSpec refuses; kResourceInUse
// when the table is being deleted; kTimeout when it does not become active within the patience.
// A difference is no error.
// THREADS: several processes may do it for the same table at the same time.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/provision/table_spec.h"

namespace stator::provision {

enum class EnsureMode : std::uint8_t {
  kCreate,     // makes the table when there is none, with expiry and recovery; what exists stays
               // as it is
  kVerify,     // changes nothing
  kApplySafe,  // kCreate, and then what can neither lose data nor stop readers: adds global indexes
               // and turns TTL and recovery on where they are off, and gives recovery more days. A
               // table with other keys is not touched.
};

// In which respect a table differs.
enum class Drift : std::uint8_t {
  kMissingTable,
  kKeys,
  kAttributeType,  // subject: the attribute
  kMissingGlobalIndex,
  kMissingLocalIndex,
  kIndexKeys,
  kIndexProjection,
  kUnwantedIndex,
  kBilling,
  kThroughput,
  kTimeToLive,
  kRecovery,
  kDeletionProtection,
  kStream,
  kEncryption,
  kTag,  // subject: the key of the tag
};

// "missing-table", "keys", ...: for reports that programs read.
std::string_view NameOf(Drift kind);

struct TableDifference {
  Drift kind;
  std::string subject = {};  // an index, attribute or tag
  std::string wanted = {};
  std::string found = {};
  bool safe = false;         // kApplySafe takes care of it
  std::string refusal = {};  // why it cannot be applied here, in the words of the endpoint

  friend bool operator==(const TableDifference&, const TableDifference&) = default;
};

// One line for people.
std::string ToText(const TableDifference& difference);

struct EnsureOptions {
  Clock* clock = &SystemClock();
  Duration patience = std::chrono::seconds(60);  // for a table or index to become active
};

struct EnsureReport {
  bool created = false;
  std::vector<TableDifference> applied = {};
  std::vector<TableDifference> differences = {};  // those that are left
};

// Point-in-time recovery, if wanted, is a difference that stays where there is none, as in DynamoDB
// Local. A period that is longer than wanted stays as well. Tags are compared one by one, where the
// home has them; others than the wanted ones may be there.
Result<EnsureReport> EnsureTable(Database& database, const TableSpec& spec, EnsureMode mode,
                                 const EnsureOptions& options = {});

// What EnsureTable compares, for those who have the description already. Says nothing about TTL,
// recovery and tags, which are not part of it.
std::vector<TableDifference> CompareTable(const TableSpec& spec, const TableDescription& table);

}  // namespace stator::provision
