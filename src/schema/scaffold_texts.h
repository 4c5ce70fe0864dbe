// The texts of a scaffold, from what scaffold.cc has found out about the request.

#pragma once

#include <string>
#include <vector>

#include "schema/scaffold.h"

namespace stator::schema {

struct ScaffoldNames {
  std::string entity;     // "user-profile"
  std::string type;       // "UserProfile"
  std::string file = {};  // "user_profile"
};

// Each of `keys` once, as it is among `fields`.
std::vector<ScaffoldField> KeyFieldsOf(const std::vector<ScaffoldField>& keys,
                                       const std::vector<ScaffoldField>& fields);

std::string HeaderText(const ScaffoldNames& names, const ScaffoldRequest& request,
                       const std::vector<ScaffoldField>& fields);
std::string TestText(const ScaffoldNames& names, const std::vector<ScaffoldField>& fields,
                     const std::vector<ScaffoldField>& key_fields);

}  // namespace stator::schema
