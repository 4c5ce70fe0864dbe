// The cases that tools/record_expression_errors.py wrote down, for tests.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// What DynamoDB answered, or what AWS would: an error, or one of the others.
struct RecordedOutcome {
  std::optional<std::string> message;  // of the error
  std::optional<bool> matches;
  bool has_item = false;
  std::optional<Item> item;  // absent when there is none
  std::optional<Item> updated_old;
  std::optional<Item> updated_new;
};

struct RecordedCase {
  std::string kind;
  std::string expression;
  std::optional<std::map<std::string, std::string>> names;
  std::optional<Map> values;
  std::string schema;
  std::string join;
  Map parameter;                         // plain JSON of a legacy parameter
  std::optional<std::string> condition;  // of a request
  std::optional<std::string> update;     // of a request
  RecordedOutcome outcome;

  [[nodiscard]] std::string Description() const;
};

struct RecordedCases {
  Item item;  // that every case is about
  std::vector<RecordedCase> cases;
};

// Stops the process when the file cannot be read.
const RecordedCases& AllRecordedCases();

// DynamoDB JSON that was read as plain JSON.
AttributeValue ValueOf(const AttributeValue& plain);

}  // namespace stator::expression
