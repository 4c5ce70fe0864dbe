// The files of a new entity: struct with traits, snapshot with history, fixture, test. They compile
// and pass as they are; the rest is up to their author.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::schema {

struct ScaffoldField {
  enum class Type : std::uint8_t { kText, kInteger, kNumber, kBoolean };

  std::string name;
  Type type = Type::kText;
  bool optional = false;

  friend bool operator==(const ScaffoldField&, const ScaffoldField&) = default;
};

// "balance:integer", "note:text?"; text when nothing is said, optional with a question mark.
Result<ScaffoldField> ParseScaffoldField(std::string_view text);

struct ScaffoldRequest {
  std::string name;           // "user-profile": of the entity and its table
  std::string partition_key;  // a template: "USER#{id}"
  std::string sort_key = {};  // perhaps
  std::string ttl = {};       // the attribute, perhaps
  // Beside those that the keys name, which are text, or integers when they are padded
  // ("{year:04}").
  std::vector<ScaffoldField> fields = {};
};

// Texts by file name, relative to the folder of the program. Fails with kValidation when the
// request makes no entity.
Result<std::map<std::string, std::string>> MakeScaffold(const ScaffoldRequest& request);

}  // namespace stator::schema
