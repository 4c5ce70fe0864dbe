#include "hosting/table_arguments.h"

#include <algorithm>

#include "base/try.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::hosting {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

bool TableArguments::Flag(std::string_view name) const {
  const Json* const flag = arguments_.Find(name);
  return flag != nullptr && *flag == Json(true);
}

Result<void> TableArguments::CheckTable(std::string_view name) const {
  // An ARN is a second name of a table.
  if (name.contains(':')) {
    return Invalid("a table is called by its name, without an ARN");
  }
  if (std::ranges::find(hidden_, name) != hidden_.end()) {
    return Fail(ErrorCode::kTableNotFound,
                "there is no table " + std::string(name) + "; list_tables says which there are");
  }
  return {};
}

Result<std::string> TableArguments::Table() const {
  std::string name = Text("table").value_or("");
  TRY_VOID(CheckTable(name));
  return name;
}

Result<AttributeValue> TableArguments::ToValue(const Json& json) const {
  return is_typed() ? value::ParseDynamoDbValue(json.ToText())
                    : value::ValueFromPlainJson(json.ToText());
}

Result<Map> TableArguments::ToMap(const Json& json) const {
  const auto* const members = json.If<JsonObject>();
  if (members == nullptr) {
    return Invalid("an object of named values is needed");
  }
  Map map;
  for (const auto& [name, value] : *members) {
    Result<AttributeValue> read = ToValue(value);
    if (!read) {
      return Invalid(name + ": " + read.error().message);
    }
    map.Set(name, *std::move(read));
  }
  return map;
}

Result<Item> TableArguments::ItemOf(std::string_view name) const {
  const Json* const item = arguments_.Find(name);
  if (item == nullptr) {
    return Invalid(std::string(name) + " is missing");
  }
  return ToMap(*item);
}

Result<std::optional<Map>> TableArguments::Values() const {
  const Json* const values = arguments_.Find("values");
  if (values == nullptr) {
    return std::nullopt;
  }
  return TRY(ToMap(*values));
}

Result<std::optional<AttributeNames>> TableArguments::Names() const {
  const Json* const json = arguments_.Find("names");
  const auto* const members = json == nullptr ? nullptr : json->If<JsonObject>();
  if (members == nullptr) {
    return std::nullopt;
  }
  AttributeNames names;
  for (const auto& [placeholder, name] : *members) {
    if (!name.Is<std::string>()) {
      return Invalid("names." + placeholder + " must be a text");
    }
    names.insert_or_assign(placeholder, *name.If<std::string>());
  }
  return names;
}

Result<std::optional<std::vector<AttributeValue>>> TableArguments::Parameters() const {
  const Json* const json = arguments_.Find("parameters");
  const auto* const given = json == nullptr ? nullptr : json->If<JsonArray>();
  if (given == nullptr || given->empty()) {
    return std::nullopt;
  }
  std::vector<AttributeValue> parameters;
  for (const Json& parameter : *given) {
    parameters.push_back(TRY(ToValue(parameter)));
  }
  return parameters;
}

Result<std::optional<Item>> TableArguments::StartKey() const {
  const std::optional<std::string> next = Text("next");
  if (!next) {
    return std::nullopt;
  }
  Result<Item> key = value::ParseDynamoDbItem(*next);
  if (!key) {
    return Invalid("next must be what the page before gave");
  }
  return *std::move(key);
}

std::int32_t TableArguments::Limit() const {
  const Json* const limit = arguments_.Find("limit");
  const std::int64_t wanted = limit == nullptr ? kPageItems : limit->ToInt64().value_or(kPageItems);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(wanted, 1, kPageItemsMax));
}

Result<Json> ToJson(const Item& item, bool is_typed) {
  return Json::Parse(is_typed ? value::ToDynamoDbJson(item) : value::ToPlainJson(item));
}

}  // namespace stator::hosting
