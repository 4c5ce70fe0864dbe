// For tests of access policies: every verb alone, of entities with and without sort keys, indexes,
// unique fields and owners. A case says what a repository with nothing but that verb needs, and uses
// it.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stator/api/database.h"
#include "stator/base/result.h"
#include "stator/stores/entities/verbs.h"

namespace stator::entities {

struct VerbCase {
  std::string name;  // "letter.Query.by_box"
  RepositoryDescription repository;
  // Uses the verb on what belongs to `owner`, which `admin` has stored before.
  std::function<Result<void>(Database& limited, Database& admin, const std::string& owner)> use;
};

const std::vector<VerbCase>& VerbCases();

// All of them without what is stored in them.
std::vector<EntityDescription> VerbCaseEntities();

}  // namespace stator::entities
