// What a repository may do. A verb that its type does not name does not compile, so the type tells
// reviewers, and the tool that writes its access policy, everything that it can do to the data.
//
//   using Accounts = Repository<Account, Verbs::kRead | Verbs::kInsert | Verbs::kModify>;

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stator/stores/entities/entity_description.h"

namespace stator::entities {

enum class Verbs : std::uint32_t {
  kNone = 0,
  kRead = 1U << 0,              // Read, ReadStrong, Exists
  kReadMany = 1U << 1,          // ReadMany
  kReadTogether = 1U << 2,      // ReadTogether
  kQuery = 1U << 3,             // Query, Count; and of the indexes that the type names
  kInsert = 1U << 4,            // Insert
  kUpdate = 1U << 5,            // Update
  kModify = 1U << 6,            // Modify; with kInsert also ModifyOrInsert
  kPatch = 1U << 7,             // Patch
  kUpsert = 1U << 8,            // Upsert
  kRemove = 1U << 9,            // Remove
  kRemoveUnchecked = 1U << 10,  // RemoveUnchecked
  kExpire = 1U << 11,           // Expire, ExpireSeen
  kTouch = 1U << 12,            // Touch, TouchInBackground
  // The verbs as parts of a transaction: InsertIn needs kInsert as well, and so on.
  kTransact = 1U << 13,
  // RequireIn, which writes nothing.
  kRequire = 1U << 14,
  // MaintenanceScan and Backfill: for tools, not for services.
  kMaintain = 1U << 15,
};

constexpr Verbs operator|(Verbs left, Verbs right) {
  return static_cast<Verbs>(static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right));
}

// Whether all of `wanted` are among `verbs`.
constexpr bool Declares(Verbs verbs, Verbs wanted) {
  return (static_cast<std::uint32_t>(verbs) & static_cast<std::uint32_t>(wanted)) ==
         static_cast<std::uint32_t>(wanted);
}

// A repository's type as plain data; Repository::Describe makes it.
struct RepositoryDescription {
  EntityDescription entity;
  Verbs verbs = Verbs::kNone;
  std::vector<std::string> indexes = {};  // which it queries
  bool writes_on_read = false;            // WriteBack::kOnRead
};

// Actions as access policies name them ("GetItem"), without the service's prefix, sorted.
struct RequiredActions {
  std::vector<std::string> on_table;
  std::vector<std::string> on_indexes;  // of RepositoryDescription::indexes
};

// What a program that uses every verb of the repository needs, and nothing that it does not need.
// Values that must be unique are guarded in the entity's own table, or in `guard_table` of the
// options, which then needs PutItem and DeleteItem, too.
RequiredActions ActionsOf(const RepositoryDescription& repository);

// "kRead", ...; for messages.
std::vector<std::string> NamesOf(Verbs verbs);

}  // namespace stator::entities
