// What a schema allows and its author will regret.

#pragma once

#include <string>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator::schema {

struct LintFinding {
  std::string rule;  // "money-as-float"
  std::string path;
  std::string message;

  friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

// In the order of the schema:
//
//   money-as-float    a binary fraction for what is called a price, an amount, a balance, ...
//   set-of-floats     members that are equal when they are rounded are one member
//   too-deep          more than DynamoDB's 32 levels; said of types that contain themselves, too
//   unstorable        a limit or default with more than 38 digits; found in texts only
//   name-too-long     more than 65535 bytes, or 255 for an attribute of a key
//   item-too-large    what the schema bounds can exceed 400 KB
//   names-alike       two fields of a struct that differ in case only
std::vector<LintFinding> LintSchema(const Map& schema);

// The same for a file's text, which may have numbers and names that no Map can hold.
std::vector<LintFinding> LintSchemaText(const std::string& text);

}  // namespace stator::schema
