#include "stator/mapping/detail/schema_parts.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "stator/mapping/detail/enum_codec.h"

namespace stator::mapping {
namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

struct ToJson {
  AttributeValue operator()(const Binary& binary) const { return base::EncodeBase64(binary.bytes); }
  template <class Member>
  AttributeValue operator()(const AttributeSet<Member>& set) const {
    List list;
    for (const Member& member : set) {
      list.push_back((*this)(member));
    }
    return list;
  }
  AttributeValue operator()(const List& list) const {
    List converted;
    for (const AttributeValue& value : list) {
      converted.push_back(ToJsonValue(value));
    }
    return converted;
  }
  AttributeValue operator()(const Map& map) const {
    Map converted;
    for (const auto& [name, value] : map) {
      converted.Append(name, ToJsonValue(value));
    }
    return converted;
  }
  template <class Scalar>
  AttributeValue operator()(const Scalar& scalar) const {
    return scalar;
  }
};

std::string_view JsonTypeOf(AttributeValue::Type type) {
  switch (type) {
    case AttributeValue::Type::kNull:
      return "null";
    case AttributeValue::Type::kBool:
      return "boolean";
    case AttributeValue::Type::kNumber:
      return "number";
    case AttributeValue::Type::kMap:
      return "object";
    case AttributeValue::Type::kString:
    case AttributeValue::Type::kBinary:
      return "string";
    default:
      return "array";
  }
}

}  // namespace

Map Schemas::Of(Make root) {
  Schemas schemas(root);
  Map schema = root(schemas);
  schema.Set("$schema", AttributeValue(kDialect));
  if (!schemas.definitions_.empty()) {
    schema.Set("$defs", AttributeValue(std::move(schemas.definitions_)));
  }
  return schema;
}

Map Schemas::Reference(std::string_view name, Make make) {
  if (make == root_) {
    return {{"$ref", "#"}};
  }
  const auto [entry, is_new] = names_.try_emplace(make);
  if (is_new) {
    // Types of different namespaces may have the same name.
    std::string unique(name);
    for (int number = 2; definitions_.contains(unique); ++number) {
      unique = std::string(name) + std::to_string(number);
    }
    entry->second = unique;
    definitions_.Set(unique, AttributeValue(Map()));  // taken, while `make` refers to others
    Map schema = make(*this);
    definitions_.Set(std::move(unique), AttributeValue(std::move(schema)));
  }
  return {{"$ref", "#/$defs/" + entry->second}};
}

Map SchemaOfType(AttributeValue::Type type) {
  Map schema = {{"type", JsonTypeOf(type)}};
  if (type == AttributeValue::Type::kBinary) {
    schema.Set("contentEncoding", "base64");
  }
  return schema;
}

Map SchemaOfInteger(std::int64_t min, std::uint64_t max) {
  return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}

Map SchemaOfFormat(std::string_view type, std::string_view format) {
  return {{"type", type}, {"format", format}};
}

Map SchemaOfArray(Map items, bool is_set) {
  Map schema = {{"type", "array"}, {"items", std::move(items)}};
  if (is_set) {
    schema.Set("uniqueItems", true);
  }
  return schema;
}

Map SchemaOfObject(Map values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Map SchemaOrNull(Map schema) {
  return {{"anyOf", List{AttributeValue(std::move(schema)), Map{{"type", "null"}}}}};
}

Map SchemaOfVariant(std::string_view discriminator, std::span<const std::string_view> names,
                    std::vector<AttributeValue> alternatives) {
  for (std::size_t at = 0; at < names.size(); ++at) {
    // A reference may stand beside other keywords, all of which have to hold.
    Map& alternative = *alternatives[at].If<Map>();
    alternative.Set("properties",
                    Map{{std::string(discriminator), Map{{"const", AttributeValue(names[at])}}}});
    alternative.Set("required", List{AttributeValue(discriminator)});
  }
  return {{"oneOf", std::move(alternatives)}};
}

Map SchemaOfEnum(std::string_view title, std::span<const std::string_view> names) {
  Map schema = {{"type", "string"}, {"title", title}};
  SetSortedNames("enum", names, schema);
  return schema;
}

void SetSortedNames(std::string_view key, std::span<const std::string_view> names, Map& schema) {
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  List list(sorted.begin(), sorted.end());
  schema.Set(std::string(key), AttributeValue(std::move(list)));
}

AttributeValue ToJsonValue(const AttributeValue& value) {
  return value.Visit(ToJson());
}

StructSchema::StructSchema(std::string_view title)
    : schema_{{"type", "object"}, {"title", title}} {}

void StructSchema::Describe(std::string_view description) {
  schema_.Set("description", AttributeValue(description));
}

void StructSchema::Add(const FieldOptions& options, Map schema, bool required,
                       const AttributeValue* default_value) {
  if (!options.description.empty()) {
    schema.Set("description", AttributeValue(options.description));
  }
  List aliases;
  for (const std::string_view alias : options.aliases) {
    if (!alias.empty()) {
      aliases.emplace_back(alias);
    }
  }
  if (!aliases.empty()) {
    schema.Set("x-aliases", AttributeValue(std::move(aliases)));
  }
  if (default_value != nullptr) {
    schema.Set("default", ToJsonValue(*default_value));
  }
  if (required) {
    required_.push_back(options.name);
  }
  properties_.Set(std::string(options.name), AttributeValue(std::move(schema)));
}

Map StructSchema::Take() && {
  schema_.Set("properties", AttributeValue(std::move(properties_)));
  if (!required_.empty()) {
    SetSortedNames("required", required_, schema_);
  }
  return std::move(schema_);
}

}  // namespace stator::mapping
