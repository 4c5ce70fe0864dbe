// For tests: a repository that declares every verb, and a program that uses every one of them. With
// the access policy that is made of its description (ActionsOf) all of it has to work; with any one
// action less, something has to fail.
//
//   const RepositoryDescription described = EveryVerb::Describe();       // makes the policy
//   MakeEveryVerbTable(database);                                        // as administrator
//   EXPECT_EQ(UseEveryVerb(limited_database), std::vector<std::string>());
//
// The entity has a sort key, an index, an expiry and no unique fields; UseUniqueVerbs is the same
// for one that has unique fields. Each verb is used on its own, so several subsets of the verbs can
// be checked: whatever fails is named.

#pragma once

#include <string>
#include <vector>

#include "entities/entities.h"
#include "stator/api/database.h"

namespace stator::entities {

using EveryVerb = Orders;
using EveryUniqueVerb = Users;

// Creates the tables of both, "order" and "user", and waits for nothing.
void MakeEveryVerbTables(Database& database);

// The verbs that did not work, with the reason: "Read: InvalidRequest: ...". They need the tables,
// and leave nothing there but the checkpoint of a backfill, unless something was refused.
std::vector<std::string> UseEveryVerb(Database& database);
std::vector<std::string> UseUniqueVerbs(Database& database);

}  // namespace stator::entities
