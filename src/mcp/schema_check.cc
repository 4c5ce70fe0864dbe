// Whether a schema is one: it satisfies a schema itself.

#include "base/check.h"
#include "mcp/json_schema.h"

namespace stator::mcp {
namespace {

// Of the keywords that json_schema.h names; others may have any value.
constexpr std::string_view kSchemaOfSchemas = R"({
  "$ref": "#/$defs/schema",
  "$defs": {
    "schema": {
      "type": ["object", "boolean"],
      "properties": {
        "type": {"anyOf": [{"$ref": "#/$defs/type"},
                           {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/type"}}]},
        "enum": {"type": "array"},
        "allOf": {"$ref": "#/$defs/schemas"},
        "anyOf": {"$ref": "#/$defs/schemas"},
        "oneOf": {"$ref": "#/$defs/schemas"},
        "not": {"$ref": "#/$defs/schema"},
        "if": {"$ref": "#/$defs/schema"},
        "then": {"$ref": "#/$defs/schema"},
        "else": {"$ref": "#/$defs/schema"},
        "$ref": {"type": "string"},
        "$defs": {"$ref": "#/$defs/named"},
        "properties": {"$ref": "#/$defs/named"},
        "patternProperties": {"$ref": "#/$defs/named"},
        "required": {"$ref": "#/$defs/names"},
        "additionalProperties": {"$ref": "#/$defs/schema"},
        "propertyNames": {"$ref": "#/$defs/schema"},
        "dependentRequired": {"type": "object",
                              "additionalProperties": {"$ref": "#/$defs/names"}},
        "minProperties": {"$ref": "#/$defs/count"},
        "maxProperties": {"$ref": "#/$defs/count"},
        "prefixItems": {"$ref": "#/$defs/schemas"},
        "items": {"$ref": "#/$defs/schema"},
        "contains": {"$ref": "#/$defs/schema"},
        "minItems": {"$ref": "#/$defs/count"},
        "maxItems": {"$ref": "#/$defs/count"},
        "uniqueItems": {"type": "boolean"},
        "minLength": {"$ref": "#/$defs/count"},
        "maxLength": {"$ref": "#/$defs/count"},
        "minimum": {"type": "number"},
        "maximum": {"type": "number"},
        "exclusiveMinimum": {"type": "number"},
        "exclusiveMaximum": {"type": "number"},
        "multipleOf": {"type": "number", "exclusiveMinimum": 0}
      }
    },
    "schemas": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/schema"}},
    "named": {"type": "object", "additionalProperties": {"$ref": "#/$defs/schema"}},
    "names": {"type": "array", "items": {"type": "string"}},
    "count": {"type": "integer", "minimum": 0},
    "type": {"enum": ["object", "array", "string", "number", "integer", "boolean", "null"]}
  }
})";

}  // namespace

std::string ProblemWithSchema(const tasks::Json& schema, const std::string& name) {
  const Result<tasks::Json> meta = tasks::Json::Parse(kSchemaOfSchemas);
  CHECK(meta.has_value());
  return ProblemWith(schema, *meta, name);
}

}  // namespace stator::mcp
