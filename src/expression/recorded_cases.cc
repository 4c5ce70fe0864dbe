#include "expression/recorded_cases.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::expression {
namespace {

Item ItemOf(const AttributeValue& plain) {
  Result<Item> item = value::ParseDynamoDbItem(value::ToPlainJson(plain));
  CHECK_THAT(item.has_value(), value::ToPlainJson(plain) + ": " + item.error().message);
  return *std::move(item);
}

std::string TextOf(const Map& object, std::string_view name) {
  const AttributeValue* text = object.Find(name);
  return text == nullptr ? "" : *text->If<std::string>();
}

std::optional<std::string> OptionalTextOf(const Map& object, std::string_view name) {
  return object.contains(name) ? std::optional(TextOf(object, name)) : std::nullopt;
}

std::optional<Item> OptionalItemOf(const Map& object, std::string_view name) {
  const AttributeValue* item = object.Find(name);
  return item == nullptr || item->Is<Null>() ? std::nullopt : std::optional(ItemOf(*item));
}

RecordedOutcome OutcomeOf(const Map& object) {
  RecordedOutcome outcome;
  outcome.message = OptionalTextOf(object, "message");
  if (const AttributeValue* matches = object.Find("matches")) {
    outcome.matches = *matches->If<bool>();
  }
  outcome.has_item = object.contains("item");
  outcome.item = OptionalItemOf(object, "item");
  outcome.updated_old = OptionalItemOf(object, "updated_old");
  outcome.updated_new = OptionalItemOf(object, "updated_new");
  return outcome;
}

RecordedCase CaseOf(const Map& object) {
  RecordedCase recorded;
  recorded.kind = TextOf(object, "kind");
  recorded.expression = TextOf(object, "expression");
  recorded.schema = TextOf(object, "schema");
  recorded.join = TextOf(object, "ConditionalOperator");
  recorded.condition = OptionalTextOf(object, "condition");
  recorded.update = OptionalTextOf(object, "update");
  if (const AttributeValue* names = object.Find("names")) {
    recorded.names.emplace();
    for (const auto& [placeholder, name] : *names->If<Map>()) {
      recorded.names->emplace(placeholder, *name.If<std::string>());
    }
  }
  recorded.values = OptionalItemOf(object, "values");
  if (const AttributeValue* parameter = object.Find("parameter")) {
    recorded.parameter = *parameter->If<Map>();
  }
  const AttributeValue* aws = object.Find("aws");
  recorded.outcome = OutcomeOf(*(aws != nullptr ? aws : object.Find("outcome"))->If<Map>());
  return recorded;
}

RecordedCases Read() {
  const std::string path = STATOR_GOLDEN_FOLDER "/expression_errors.json";
  const std::ifstream file(path);
  CHECK_THAT(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  const Result<AttributeValue> json = value::ValueFromPlainJson(text.str());
  CHECK_THAT(json.has_value(), path + ": " + json.error().message);
  const Map& whole = *json->If<Map>();
  RecordedCases recorded{.item = ItemOf(whole.at("item")), .cases = {}};
  for (const AttributeValue& entry : *whole.at("cases").If<List>()) {
    recorded.cases.push_back(CaseOf(*entry.If<Map>()));
  }
  return recorded;
}

}  // namespace

std::string RecordedCase::Description() const {
  std::string text = kind + ' ' + schema + join + " '" + expression + '\'';
  text += parameter.empty() ? "" : value::ToPlainJson(parameter);
  text += condition ? " condition '" + *condition + '\'' : "";
  text += update ? " update '" + *update + '\'' : "";
  return text;
}

const RecordedCases& AllRecordedCases() {
  static const RecordedCases kRecorded = Read();
  return kRecorded;
}

AttributeValue ValueOf(const AttributeValue& plain) {
  Result<AttributeValue> value = value::ParseDynamoDbValue(value::ToPlainJson(plain));
  CHECK_THAT(value.has_value(), value::ToPlainJson(plain) + ": " + value.error().message);
  return *std::move(value);
}

}  // namespace stator::expression
