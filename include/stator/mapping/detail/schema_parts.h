// Building blocks of the JSON Schemas that codecs give, see schema.h.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/mapping/options.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

// The schemas of structs and enums that others refer to.
class Schemas {
 public:
  // Makes the schema of one type. Its address tells types apart.
  using Make = Map (*)(Schemas& schemas);

  // The schema of `root` itself, with those that it refers to as $defs.
  static Map Of(Make root);

  // {"$ref": ...} to what `make` makes, which is made once, also for types that contain themselves.
  Map Reference(std::string_view name, Make make);

 private:
  explicit Schemas(Make root) : root_(root) {}

  const Make root_;
  std::map<Make, std::string> names_;
  Map definitions_;
};

Map SchemaOfType(AttributeValue::Type type);
Map SchemaOfInteger(std::int64_t min, std::uint64_t max);
Map SchemaOfFormat(std::string_view type, std::string_view format);
Map SchemaOfArray(Map items, bool is_set);
Map SchemaOfObject(Map values);
Map SchemaOrNull(Map schema);

Map SchemaOfVariant(std::string_view discriminator, std::span<const std::string_view> names,
                    std::vector<AttributeValue> alternatives);

// Sets `key` to the names in order.
void SetSortedNames(std::string_view key, std::span<const std::string_view> names, Map& schema);

// The schema of a struct, field by field.
class StructSchema {
 public:
  explicit StructSchema(std::string_view title);

  void Describe(std::string_view description);
  // `default_value` may be null.
  void Add(const FieldOptions& options, Map schema, bool required,
           const AttributeValue* default_value);
  [[nodiscard]] Map Take() &&;

 private:
  Map schema_;
  Map properties_;
  std::vector<std::string_view> required_;
};

// A stored value as JSON has it: sets become lists, bytes become base64.
AttributeValue ToJsonValue(const AttributeValue& value);

}  // namespace stator::mapping
