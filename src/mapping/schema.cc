#include "stator/mapping/schema.h"

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/digest.h"
#include "base/hex.h"
#include "value/json_text.h"
#include "value/plain_json.h"

namespace stator {
namespace {

// Whether a keyword says something about people's understanding only.
bool IsAnnotation(std::string_view keyword) {
  return keyword == "title" || keyword == "description" || keyword == "$schema" ||
         keyword.starts_with("x-");
}

// Keywords whose value is a set of schemas by names, which are no keywords.
bool HasNamedSchemas(std::string_view keyword) {
  return keyword == "properties" || keyword == "$defs";
}

// Keywords whose value is a schema, or a list of them.
bool HasSchemas(std::string_view keyword) {
  return keyword == "items" || keyword == "additionalProperties" || keyword == "anyOf" ||
         keyword == "oneOf";
}

Map ShapeOf(const Map& schema);

AttributeValue ShapeOfPart(const AttributeValue& part) {
  if (const Map* schema = part.If<Map>(); schema != nullptr) {
    return ShapeOf(*schema);
  }
  const List* list = part.If<List>();
  if (list == nullptr) {
    return part;
  }
  List shapes;
  for (const AttributeValue& element : *list) {
    shapes.push_back(ShapeOfPart(element));
  }
  return shapes;
}

// The schema without its annotations.
Map ShapeOf(const Map& schema) {
  Map shape;
  for (const auto& [keyword, value] : schema) {
    const Map* named = HasNamedSchemas(keyword) ? value.If<Map>() : nullptr;
    if (IsAnnotation(keyword)) {
      continue;
    }
    if (named != nullptr) {
      Map shapes;
      for (const auto& [name, part] : *named) {
        shapes.Append(name, ShapeOfPart(part));
      }
      shape.Append(keyword, AttributeValue(std::move(shapes)));
    } else {
      shape.Append(keyword, HasSchemas(keyword) ? ShapeOfPart(value) : value);
    }
  }
  return shape;
}

void AppendLine(int depth, std::string& out) {
  out.push_back('\n');
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
}

// Writes the parts of a list or map, one per line.
void AppendParts(const auto& parts, char open, char close, int depth, std::string& out,
                 const auto& append_part) {
  out.push_back(open);
  bool first = true;
  for (const auto& part : parts) {
    if (!first) {
      out.push_back(',');
    }
    first = false;
    AppendLine(depth + 1, out);
    append_part(part);
  }
  if (!first) {
    AppendLine(depth, out);
  }
  out.push_back(close);
}

void AppendIndented(const AttributeValue& value, int depth, std::string& out) {
  if (const Map* map = value.If<Map>(); map != nullptr) {
    AppendParts(*map, '{', '}', depth, out, [&](const Map::value_type& entry) {
      value::AppendJsonString(entry.first, out);
      out.append(": ");
      AppendIndented(entry.second, depth + 1, out);
    });
  } else if (const List* list = value.If<List>(); list != nullptr) {
    AppendParts(*list, '[', ']', depth, out,
                [&](const AttributeValue& element) { AppendIndented(element, depth + 1, out); });
  } else {
    value::AppendPlainJson(value, out);
  }
}

}  // namespace

std::string ShapeHash(const Map& schema) {
  return base::HexOf(base::Sha256(value::ToPlainJson(ShapeOf(schema))));
}

std::string CanonicalJson(const Map& json) {
  std::string text;
  AppendIndented(mapping::ToJsonValue(AttributeValue(json)), 0, text);
  text.push_back('\n');
  return text;
}

}  // namespace stator
