// Files are written by people too: whatever stands where a schema should be, comparing, checking
// and reading it ends, and with an answer.

#include <gtest/gtest.h>

#include "base/property.h"
#include "stator/mapping/schema.h"
#include "stator/schema/changes.h"
#include "stator/schema/lint.h"
#include "stator/schema/snapshot.h"

namespace stator::schema {
namespace {

// Words that mean something in a schema, and one that does not.
rc::Gen<std::string> Word() {
  return rc::gen::element<std::string>(
      "type", "object", "array", "string", "integer", "number", "null", "properties", "required",
      "items", "additionalProperties", "anyOf", "oneOf", "enum", "const", "$ref", "$defs", "#",
      "#/$defs/type", "#/$defs/items", "uniqueItems", "format", "double", "minimum", "maximum",
      "maxLength", "maxItems", "default", "x-aliases", "x-open", "x-keys", "x-indexes", "x-entity",
      "x-data-version", "x-retired", "partition", "sort", "attribute", "name", "projection", "ALL",
      "local", "S", "nonsense");
}

AttributeValue MakeValue(int depth);

Map MakeMap(int depth) {
  Map map;
  const int size = *rc::gen::inRange(0, 5);
  for (int entry = 0; entry < size; ++entry) {
    const std::string name = *Word();
    map.Set(name, MakeValue(depth - 1));
  }
  return map;
}

AttributeValue MakeValue(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 4)) {
    case 0:
      return *rc::gen::inRange(-3, 100);
    case 1:
      return true;
    case 2:
    case 3:
      return *Word();
    case 4: {
      List list;
      const int size = *rc::gen::inRange(0, 3);
      for (int element = 0; element < size; ++element) {
        list.push_back(MakeValue(depth - 1));
      }
      return list;
    }
    default:
      return MakeMap(depth);
  }
}

TEST(AnySchema, IsComparedWithAnyOther) {
  base::CheckProperty(500, [] {
    const Map before = MakeMap(4);
    const Map after = MakeMap(4);
    RC_ASSERT(CompareSchemas(before, before).empty());
    const std::vector<SchemaChange> changes = CompareSchemas(before, after);
    RC_ASSERT(changes.empty() == (before == after));
    if (ShapeHash(before) != ShapeHash(after)) {
      RC_ASSERT(DemandOf(changes) != Demand::kNothing);
    }
  });
}

TEST(AnySchema, IsLintedAndRead) {
  base::CheckProperty(500, [] {
    const Map schema = MakeMap(4);
    static_cast<void>(LintSchema(schema));
    static_cast<void>(TableSpecOf(schema).has_value());
    static_cast<void>(DescriptionOf(schema).has_value());
    static_cast<void>(ParseSnapshot(CanonicalJson(schema)).has_value());
  });
}

}  // namespace
}  // namespace stator::schema
