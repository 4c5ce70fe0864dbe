#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "value/dynamodb_json.h"
#include "value/json_reader.h"
#include "value/placeholders.h"
#include "value/value_builder.h"

namespace stator::value {
namespace {

using simdjson::dom::element;

Result<AttributeValue> ReadOne(const element& json, Words words, std::size_t top) {
  std::optional<AttributeValue> value;
  OneBuilder builder(value);
  TRY_VOID(ReadWith(words, top, [&](JsonReader& reader) { reader.ReadValue(json, top, builder); }));
  return *std::move(value);
}

Result<Map> ReadWhole(const element& json, Words words, std::size_t top) {
  MapBuilder builder;
  TRY_VOID(ReadWith(words, top, [&](JsonReader& reader) { reader.ReadMap(json, top, builder); }));
  return std::move(builder.map);
}

// Parses a whole text and gives its root to `read`.
template <class Read>
auto ReadDocument(std::string_view text, Read read) -> decltype(read(element())) {
  simdjson::dom::parser parser;
  element root;
  if (const auto failure = parser.parse(text.data(), text.size()).get(root)) {
    return Fail(ErrorCode::kSerialization,
                std::string("not JSON: ") + simdjson::error_message(failure));
  }
  return read(root);
}

}  // namespace

Result<AttributeValue> AttributeValueFromJson(simdjson::dom::element json, Words words) {
  return ReadOne(json, words, kLevelOfAttributes);
}

Result<Map> MapFromJson(simdjson::dom::element json, Words words) {
  return ReadWhole(json, words, kLevelOfAttributes);
}

Result<AttributeValue> PlaceholderFromJson(simdjson::dom::element json, Words words) {
  return ReadOne(json, words, LevelOfPlaceholders(words));
}

Result<Map> PlaceholdersFromJson(simdjson::dom::element json, Words words) {
  return ReadWhole(json, words, LevelOfPlaceholders(words));
}

Result<AttributeValue> ParseDynamoDbValue(std::string_view text) {
  return ReadDocument(text, [](const element& json) { return AttributeValueFromJson(json); });
}

Result<Item> ParseDynamoDbItem(std::string_view text) {
  return ReadDocument(text, [](const element& json) { return MapFromJson(json); });
}

Result<std::map<std::string, Item>> ParseDynamoDbItems(std::string_view text) {
  using Items = std::map<std::string, Item>;
  return ReadDocument(text, [](const element& json) -> Result<Items> {
    simdjson::dom::object members;
    if (json.get(members) != simdjson::SUCCESS) {
      return Fail(ErrorCode::kSerialization, "Unexpected field type");
    }
    Items items;
    for (const auto [name, member] : members) {
      Result<Map> item = MapFromJson(member);
      if (!item) {
        return std::unexpected(std::move(item).error());
      }
      items.insert_or_assign(std::string(name), *std::move(item));
    }
    return items;
  });
}

}  // namespace stator::value
