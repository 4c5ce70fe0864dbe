#include "api/shape_constraints.h"

#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace stator::api {
namespace {

constexpr LengthRange kKeyNameLength = {1, limits::kKeyAttributeNameBytesMax};
constexpr LengthRange kNonKeyAttributesLength = {1, 20};  // [model] NonKeyAttributeNameList
constexpr LengthRange kTagValueLength = {0, 256};         // [model] TagValueString

// Calls `check` with a checker at each element of the list that is the member `name`.
template <class Container, class Check>
void ForEachElement(ConstraintChecker& checker, std::string_view name, const Container& elements,
                    Check check) {
  const MemberPath list = checker.PathOf(name);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const MemberPath element = MemberPath::Element(&list, i);
    if (checker.violations().ReportUnreadable(element)) {
      continue;
    }
    // NOLINTNEXTLINE(misc-const-correctness): `check` may take it by reference and change it.
    ConstraintChecker inner(checker.violations(), &element);
    check(inner, elements[i]);
  }
}

template <class Map, class Check>
void ForEachEntry(ConstraintChecker& checker, std::string_view name, const std::optional<Map>& map,
                  Check check) {
  if (!checker.Readable(name) || !map || !checker.violations().HasUnreadable()) {
    // The structures here hold nothing that a struct in memory could break.
    return;
  }
  const MemberPath path = checker.PathOf(name);
  for (const auto& [key, value] : *map) {
    const MemberPath entry = MemberPath::Entry(&path, key);
    if (checker.violations().ReportUnreadable(entry)) {
      continue;
    }
    // NOLINTNEXTLINE(misc-const-correctness): `check` may take it by reference and change it.
    ConstraintChecker inner(checker.violations(), &entry);
    check(inner);
  }
}

std::string Printed(const std::vector<KeySchemaElement>& key_schema) {
  std::string printed = "[";
  for (const KeySchemaElement& element : key_schema) {
    printed.append(printed.size() == 1 ? "" : ", ").append("KeySchemaElement(attributeName=");
    printed.append(element.attribute_name).append(", keyType=");
    printed.append(element.key_type == KeyType::kHash ? "HASH)" : "RANGE)");
  }
  printed += ']';
  return printed;
}

void CheckProjection(ConstraintChecker& checker, const Projection& projection) {
  if (!checker.Readable("Projection")) {
    return;
  }
  const MemberPath path = checker.PathOf("Projection");
  ConstraintChecker inner(checker.violations(), &path);
  inner.Read("ProjectionType");
  inner.Texts("NonKeyAttributes", projection.non_key_attributes, kNonKeyAttributesLength);
  if (projection.non_key_attributes) {
    const MemberPath list = inner.PathOf("NonKeyAttributes");
    for (std::size_t i = 0; i < projection.non_key_attributes->size(); ++i) {
      // Elements that are texts themselves stand at "1.member".
      ConstraintChecker element(checker.violations(), &list);
      element.Text(std::to_string(i + 1) + ".member", (*projection.non_key_attributes)[i],
                   kKeyNameLength);
    }
  }
}

}  // namespace

void CheckExpected(ConstraintChecker& checker, std::string_view name,
                   const std::optional<ExpectedAttributes>& expected) {
  ForEachEntry(checker, name, expected,
               [](ConstraintChecker& entry) { entry.Read("ComparisonOperator"); });
}

void CheckConditions(ConstraintChecker& checker, std::string_view name,
                     const std::optional<Conditions>& conditions) {
  ForEachEntry(checker, name, conditions,
               [](ConstraintChecker& entry) { entry.Read("ComparisonOperator"); });
}

void CheckAttributeUpdates(ConstraintChecker& checker, std::string_view name,
                           const std::optional<AttributeUpdates>& updates) {
  ForEachEntry(checker, name, updates, [](ConstraintChecker& entry) { entry.Read("Action"); });
}

void CheckAttributeDefinitions(
    ConstraintChecker& checker,
    const std::optional<std::vector<AttributeDefinition>>& attribute_definitions) {
  if (!checker.Readable("AttributeDefinitions") || !attribute_definitions) {
    return;
  }
  ForEachElement(checker, "AttributeDefinitions", *attribute_definitions,
                 [](ConstraintChecker& element, const AttributeDefinition& definition) {
                   element.Text("AttributeName", definition.attribute_name, kKeyNameLength);
                   element.Read("AttributeType");
                 });
}

void CheckKeySchema(ConstraintChecker& checker, const std::vector<KeySchemaElement>& key_schema,
                    LengthRange length) {
  if (!checker.Readable("KeySchema")) {
    return;
  }
  if (key_schema.size() < length.minimum || key_schema.size() > length.maximum) {
    checker.Length("KeySchema", key_schema.size(), length, Printed(key_schema));
  }
  ForEachElement(checker, "KeySchema", key_schema,
                 [](ConstraintChecker& element, const KeySchemaElement& key) {
                   element.Text("AttributeName", key.attribute_name, kKeyNameLength);
                   element.Read("KeyType");
                 });
}

void CheckProvisionedThroughput(ConstraintChecker& checker,
                                const std::optional<ProvisionedThroughput>& throughput) {
  if (!checker.Readable("ProvisionedThroughput") || !throughput) {
    return;
  }
  const MemberPath path = checker.PathOf("ProvisionedThroughput");
  ConstraintChecker inner(checker.violations(), &path);
  inner.AtLeast("WriteCapacityUnits", throughput->write_capacity_units, 1);
  inner.AtLeast("ReadCapacityUnits", throughput->read_capacity_units, 1);
}

void CheckStreamSpecification(ConstraintChecker& checker,
                              const std::optional<StreamSpecification>& specification) {
  if (checker.Readable("StreamSpecification") && specification) {
    const MemberPath path = checker.PathOf("StreamSpecification");
    // NOLINTNEXTLINE(misc-const-correctness): `check` may take it by reference and change it.
    ConstraintChecker inner(checker.violations(), &path);
    inner.Read("StreamEnabled");
    inner.Read("StreamViewType");
  }
}

void CheckSseSpecification(ConstraintChecker& checker,
                           const std::optional<SseSpecification>& specification) {
  if (checker.Readable("SSESpecification") && specification) {
    const MemberPath path = checker.PathOf("SSESpecification");
    // NOLINTNEXTLINE(misc-const-correctness): `check` may take it by reference and change it.
    ConstraintChecker inner(checker.violations(), &path);
    inner.Read("SSEType");
  }
}

void CheckLocalSecondaryIndexes(ConstraintChecker& checker,
                                const std::optional<std::vector<LocalSecondaryIndex>>& indexes) {
  if (!checker.Readable("LocalSecondaryIndexes") || !indexes) {
    return;
  }
  ForEachElement(checker, "LocalSecondaryIndexes", *indexes,
                 [](ConstraintChecker& element, const LocalSecondaryIndex& index) {
                   element.Name("IndexName", index.index_name);
                   CheckKeySchema(element, index.key_schema, kTableKeySchemaLength);
                   CheckProjection(element, index.projection);
                 });
}

void CheckGlobalSecondaryIndex(ConstraintChecker& checker, const GlobalSecondaryIndex& index) {
  checker.Name("IndexName", index.index_name);
  // Up to four attributes each; whether they are right is said with the whole schema in view.
  CheckKeySchema(checker, index.key_schema, {.minimum = 1});
  CheckProjection(checker, index.projection);
  CheckProvisionedThroughput(checker, index.provisioned_throughput);
}

void CheckGlobalSecondaryIndexes(ConstraintChecker& checker,
                                 const std::optional<std::vector<GlobalSecondaryIndex>>& indexes) {
  if (!checker.Readable("GlobalSecondaryIndexes") || !indexes) {
    return;
  }
  ForEachElement(checker, "GlobalSecondaryIndexes", *indexes, CheckGlobalSecondaryIndex);
}

void CheckTags(ConstraintChecker& checker, const std::optional<std::vector<Tag>>& tags) {
  if (!checker.Readable("Tags") || !tags) {
    return;
  }
  ForEachElement(checker, "Tags", *tags, [](ConstraintChecker& element, const Tag& tag) {
    element.Text("Key", tag.key, kTagKeyLength);
    element.Text("Value", tag.value, kTagValueLength);
  });
}

}  // namespace stator::api
