#include "schema/schema_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace stator::schema {
namespace {

constexpr std::string_view kDefinitions = "#/$defs/";
constexpr int kReferencesMax = 32;

const Map& EmptyMap() {
  static const Map empty;
  return empty;
}

const List& ListAt(const Map& schema, std::string_view keyword) {
  static const List empty;
  const AttributeValue* value = schema.Find(keyword);
  const List* list = value == nullptr ? nullptr : value->If<List>();
  return list == nullptr ? empty : *list;
}

Kind KindOfString(const Map& schema) {
  if (schema.contains("enum")) {
    return Kind::kEnum;
  }
  return schema.contains("contentEncoding") ? Kind::kBytes : Kind::kText;
}

// "int32" for the range of such a C++ type; empty for other ranges.
std::string NameOfRange(const Map& schema) {
  struct Range {
    std::string_view name;
    Number min;
    Number max;
  };
  static const std::array<Range, 8> ranges = {{
      {"int8", std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()},
      {"int16", std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()},
      {"int32", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()},
      {"int64", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
      {"uint8", 0, std::numeric_limits<std::uint8_t>::max()},
      {"uint16", 0, std::numeric_limits<std::uint16_t>::max()},
      {"uint32", 0, std::numeric_limits<std::uint32_t>::max()},
      {"uint64", 0, std::numeric_limits<std::uint64_t>::max()},
  }};
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
    return NumberAt(schema, "minimum") == range.min && NumberAt(schema, "maximum") == range.max;
  });
  return found == ranges.end() ? "" : std::string(found->name);
}

std::string DescribeNumber(const Map& schema, const std::string& plain) {
  if (const std::string format = TextAt(schema, "format"); !format.empty()) {
    return format;
  }
  if (const std::string name = NameOfRange(schema); !name.empty()) {
    return name;
  }
  const std::optional<Number> min = NumberAt(schema, "minimum");
  const std::optional<Number> max = NumberAt(schema, "maximum");
  if (!min && !max) {
    return plain;
  }
  return plain + " " + (min ? min->ToString() : "") + ".." + (max ? max->ToString() : "");
}

std::string DescribeText(const Map& schema) {
  const std::string format = TextAt(schema, "format");
  std::string text = format.empty() ? "text" : format;
  for (const std::string_view keyword : {"minLength", "maxLength"}) {
    if (const std::optional<Number> length = NumberAt(schema, keyword)) {
      text += " " + std::string(keyword) + " " + length->ToString();
    }
  }
  if (const std::string pattern = TextAt(schema, "pattern"); !pattern.empty() && format.empty()) {
    text += " like " + pattern;
  }
  return text;
}

std::string DescribeStruct(const Map& schema) {
  const std::string title = TextAt(schema, "title");
  return title.empty() ? "struct" : "struct " + title;
}

}  // namespace

Kind KindOf(const Map& schema) {
  if (schema.contains("oneOf")) {
    return Kind::kVariant;
  }
  const std::string type = TextAt(schema, "type");
  if (type == "string") {
    return KindOfString(schema);
  }
  if (type == "object") {
    return schema.contains("properties") ? Kind::kStruct : Kind::kDictionary;
  }
  if (type == "array") {
    return IsTrueAt(schema, "uniqueItems") ? Kind::kSet : Kind::kList;
  }
  if (type == "integer") {
    return Kind::kInteger;
  }
  if (type == "number") {
    return Kind::kNumber;
  }
  if (type == "boolean") {
    return Kind::kBoolean;
  }
  return type.empty() && !schema.contains("anyOf") ? Kind::kAnything : Kind::kUnknown;
}

bool HasLimitsOfType(const Map& schema) {
  return !NameOfRange(schema).empty();
}

std::string Describe(const Map& root, const Map& given) {
  const Nullable nullable = WithoutNull(Resolve(root, given));
  const Map& schema = Resolve(root, *nullable.schema);
  const std::string null = nullable.is_nullable ? " or null" : "";
  switch (KindOf(schema)) {
    case Kind::kAnything:
      return "anything" + null;
    case Kind::kBoolean:
      return "boolean" + null;
    case Kind::kText:
      return DescribeText(schema) + null;
    case Kind::kEnum:
      return "enum " + TextAt(schema, "title") + null;
    case Kind::kBytes:
      return "bytes" + null;
    case Kind::kInteger:
      return DescribeNumber(schema, "integer") + null;
    case Kind::kNumber:
      return DescribeNumber(schema, "number") + null;
    case Kind::kList:
      return "list" + null;
    case Kind::kSet:
      return "set" + null;
    case Kind::kDictionary:
      return "map" + null;
    case Kind::kStruct:
      return DescribeStruct(schema) + null;
    case Kind::kVariant:
      return "variant" + null;
    case Kind::kUnknown:
      break;
  }
  return "something else" + null;
}

const Map& Resolve(const Map& root, const Map& schema) {
  const Map* at = &schema;
  for (int step = 0; step < kReferencesMax; ++step) {
    const std::string reference = TextAt(*at, "$ref");
    if (reference.empty()) {
      return *at;
    }
    if (reference == "#") {
      return root;  // NOLINT(bugprone-return-const-ref-from-parameter): as the header says.
    }
    if (!reference.starts_with(kDefinitions)) {
      return EmptyMap();
    }
    at = &MapAt(MapAt(root, "$defs"), reference.substr(kDefinitions.size()));
  }
  return EmptyMap();
}

Nullable WithoutNull(const Map& schema) {
  const List& alternatives = ListAt(schema, "anyOf");
  if (alternatives.size() == 2) {
    const Map* first = alternatives[0].If<Map>();
    const Map* second = alternatives[1].If<Map>();
    if (first != nullptr && second != nullptr && TextAt(*second, "type") == "null") {
      return {.schema = first, .is_nullable = true};
    }
  }
  return {.schema = &schema, .is_nullable = false};
}

const Map& MapAt(const Map& schema, std::string_view keyword) {
  const AttributeValue* value = schema.Find(keyword);
  const Map* map = value == nullptr ? nullptr : value->If<Map>();
  return map == nullptr ? EmptyMap() : *map;
}

std::set<std::string> NamesAt(const Map& schema, std::string_view keyword) {
  std::set<std::string> names;
  for (const AttributeValue& value : ListAt(schema, keyword)) {
    if (const std::string* name = value.If<std::string>()) {
      names.insert(*name);
    }
  }
  return names;
}

std::string TextAt(const Map& schema, std::string_view keyword) {
  const AttributeValue* value = schema.Find(keyword);
  const std::string* text = value == nullptr ? nullptr : value->If<std::string>();
  return text == nullptr ? "" : *text;
}

std::optional<Number> NumberAt(const Map& schema, std::string_view keyword) {
  const AttributeValue* value = schema.Find(keyword);
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool IsTrueAt(const Map& schema, std::string_view keyword) {
  const AttributeValue* value = schema.Find(keyword);
  const bool* is_true = value == nullptr ? nullptr : value->If<bool>();
  return is_true != nullptr && *is_true;
}

std::vector<Alternative> AlternativesOf(const Map& schema) {
  std::vector<Alternative> alternatives;
  for (const AttributeValue& value : ListAt(schema, "oneOf")) {
    const Map* alternative = value.If<Map>();
    if (alternative == nullptr) {
      continue;
    }
    for (const auto& [discriminator, part] : MapAt(*alternative, "properties")) {
      const Map* constant = part.If<Map>();
      if (constant != nullptr && constant->contains("const")) {
        alternatives.push_back({.discriminator = discriminator,
                                .name = TextAt(*constant, "const"),
                                .schema = alternative});
      }
    }
  }
  return alternatives;
}

}  // namespace stator::schema
