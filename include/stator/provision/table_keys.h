// The keys that encrypt tables, in policies. A table that is encrypted with a key of the customer's can
// be used only by who may use the key, through DynamoDB alone; AWS's own keys need no permission.
//
//   Map policy = MakePolicy(accesses);
//   for (const std::string& key : TRY(FindTableKeys(database, accesses))) {
//     AllowKey(key, KeyUse::kItems, policy);
//   }

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/provision/policy.h"
#include "stator/value/attribute_value.h"

namespace stator::provision {

// ARNs of the customers' keys that encrypt the tables of these accesses, as the database describes
// them. Fails when one of the tables is missing.
Result<std::set<std::string>> FindTableKeys(Database& database,
                                            const std::vector<TableAccess>& accesses);

enum class KeyUse : std::uint8_t {
  kItems,   // of who reads and writes the tables
  kTables,  // of who makes them, and so hands the key over to them
};

// Adds the statement about the key to a policy that MakePolicy made.
void AllowKey(const std::string& key_arn, KeyUse use, Map& policy);

}  // namespace stator::provision
