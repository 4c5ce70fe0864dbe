#include "schema/scaffold.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "base/try.h"
#include "schema/make_fixture.h"
#include "schema/scaffold_texts.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/schema.h"
#include "stator/schema/snapshot.h"
#include "stator/stores/entities/entity_traits.h"

namespace stator::schema {
namespace {

using Type = ScaffoldField::Type;

bool IsLower(char character) {
  return character >= 'a' && character <= 'z';
}

bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

// What may stand in a literal as it is.
bool IsPlain(char character) {
  return character > ' ' && character <= '~' && character != '"' && character != '\\';
}

// Words that no member can be called.
bool IsKeyword(const std::string& name) {
  static const std::set<std::string> keywords = {
      "alignas",  "alignof", "and",     "asm",       "auto",    "bool",     "break",    "case",
      "catch",    "char",    "class",   "compl",     "concept", "const",    "continue", "decltype",
      "default",  "delete",  "do",      "double",    "else",    "enum",     "explicit", "export",
      "extern",   "false",   "float",   "for",       "friend",  "goto",     "if",       "inline",
      "int",      "long",    "mutable", "namespace", "new",     "noexcept", "not",      "nullptr",
      "operator", "or",      "private", "protected", "public",  "register", "requires", "return",
      "short",    "signed",  "sizeof",  "static",    "struct",  "switch",   "template", "this",
      "throw",    "true",    "try",     "typedef",   "typeid",  "typename", "union",    "unsigned",
      "using",    "virtual", "void",    "volatile",  "while",   "xor"};
  return keywords.contains(name);
}

// Those that every item has beside its fields, whatever it is.
bool IsTaken(const std::string& name, const ScaffoldRequest& request) {
  const entities::BookkeepingNames names = entities::NamesOf(entities::Naming::kPlain);
  const std::array<std::string_view, 11> taken = {"pk",
                                                  "sk",
                                                  names.data_version,
                                                  names.min_reader,
                                                  names.revision,
                                                  names.write_id,
                                                  names.write_ids,
                                                  names.write_tokens,
                                                  names.last_write,
                                                  names.created_at,
                                                  names.data};
  return std::ranges::find(taken, name) != taken.end() || name == request.ttl;
}

Result<void> CheckFieldName(const std::string& name, const ScaffoldRequest& request) {
  const bool is_identifier =
      !name.empty() && IsLower(name.front()) && std::ranges::all_of(name, [](char character) {
        return IsLower(character) || IsDigit(character) || character == '_';
      });
  if (!is_identifier || IsKeyword(name)) {
    return Invalid("'" + name + "' cannot be the name of a field: a small letter, then small " +
                   "letters, digits and underscores, and no word of C++");
  }
  if (IsTaken(name, request)) {
    return Invalid("'" + name + "' is an attribute of every item; call the field otherwise");
  }
  return {};
}

Result<void> CheckName(const std::string& name) {
  constexpr std::size_t kLengthMin = 3;  // of a table's name
  const bool is_good =
      name.size() >= kLengthMin && IsLower(name.front()) &&
      std::ranges::all_of(name, [](char character) {
        return IsLower(character) || IsDigit(character) || character == '_' || character == '-';
      });
  if (!is_good) {
    return Invalid("'" + name + "' cannot be the name of an entity: three or more small letters, " +
                   "digits, '-' and '_', a letter first");
  }
  return {};
}

// The fields that a template names, in order.
Result<std::vector<ScaffoldField>> FieldsOfTemplate(const std::string& text) {
  const auto wrong = [&](const char* why) { return Invalid("the template '" + text + "' " + why); };
  if (!std::ranges::all_of(text, IsPlain)) {
    return wrong("has characters other than letters, digits and signs, or a quote or backslash");
  }
  std::vector<ScaffoldField> fields;
  bool is_behind_field = false;
  for (std::string_view rest = text; !rest.empty();) {
    entities::detail::TemplatePart part;
    if (!entities::detail::TakePart(rest, part)) {
      return wrong("has wrong braces or digits; as in USER#{id} or {year:04}");
    }
    if (!part.field.empty()) {
      if (is_behind_field) {
        return wrong("has two fields without a sign between them");
      }
      fields.push_back({.name = std::string(part.field),
                        .type = part.digits == 0 ? Type::kText : Type::kInteger});
    }
    is_behind_field = !part.field.empty();
  }
  if (fields.empty()) {
    return wrong("names no field; as in USER#{id}");
  }
  return fields;
}

// Those of the keys first, each once. The request may say more about these.
Result<std::vector<ScaffoldField>> AllFields(const ScaffoldRequest& request) {
  std::vector<ScaffoldField> fields = TRY(FieldsOfTemplate(request.partition_key));
  if (!request.sort_key.empty()) {
    const std::vector<ScaffoldField> more = TRY(FieldsOfTemplate(request.sort_key));
    fields.insert(fields.end(), more.begin(), more.end());
  }
  std::vector<ScaffoldField> once;
  const auto find = [&](const std::string& name) {
    return std::ranges::find(once, name, &ScaffoldField::name);
  };
  for (const ScaffoldField& field : fields) {
    if (find(field.name) == once.end()) {
      once.push_back(field);
    }
  }
  const auto keys = static_cast<std::ptrdiff_t>(once.size());
  for (const ScaffoldField& field : request.fields) {
    const auto there = find(field.name);
    const bool is_key = there - once.begin() < keys && there != once.end();
    if (there != once.end() && (!is_key || field.optional)) {
      return Invalid("the field '" + field.name + "' is there twice, or optional in a key");
    }
    if (is_key) {
      there->type = field.type;
    } else {
      once.push_back(field);
    }
  }
  for (const ScaffoldField& field : once) {
    TRY_VOID(CheckFieldName(field.name, request));
  }
  return once;
}

Map SchemaOfField(const ScaffoldField& field) {
  switch (field.type) {
    case Type::kText:
      return mapping::SchemaOfType(AttributeValue::Type::kString);
    case Type::kInteger:
      return mapping::SchemaOfInteger(std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max());
    case Type::kNumber:
      return mapping::SchemaOfType(AttributeValue::Type::kNumber);
    case Type::kBoolean:
      return mapping::SchemaOfType(AttributeValue::Type::kBool);
  }
  std::unreachable();
}

Map SchemaOfFields(const std::string& title, const std::vector<ScaffoldField>& fields) {
  mapping::StructSchema schema(title);
  for (const ScaffoldField& field : fields) {
    schema.Add({.name = field.name}, SchemaOfField(field), !field.optional, nullptr);
  }
  Map map = std::move(schema).Take();
  const Map empty = mapping::Schemas::Of([](mapping::Schemas&) { return Map(); });
  map.Set("$schema", empty.at("$schema"));
  return map;
}

// A template that is one field alone has the type of the field.
entities::KeyDescription KeyOf(const std::string& text, const std::string& attribute,
                               const std::vector<ScaffoldField>& fields) {
  entities::KeyDescription key{.attribute = attribute, .text = text};
  for (const ScaffoldField& field : fields) {
    if (text == "{" + field.name + "}" && field.type == Type::kInteger) {
      key.type = ScalarAttributeType::kNumber;
    }
  }
  return key;
}

entities::EntityDescription DescriptionOf(const ScaffoldRequest& request,
                                          const std::string& type_name,
                                          const std::vector<ScaffoldField>& fields) {
  entities::EntityDescription entity{.name = request.name,
                                     .partition_key = KeyOf(request.partition_key, "pk", fields)};
  if (!request.sort_key.empty()) {
    entity.sort_key = KeyOf(request.sort_key, "sk", fields);
  }
  if (!request.ttl.empty()) {
    entity.expiry_attribute = request.ttl;
  }
  entity.schema = SchemaOfFields(type_name, fields);
  return entity;
}

// "user-profile" becomes "UserProfile".
std::string TypeNameOf(const std::string& name) {
  std::string type_name;
  bool begins_word = true;
  for (const char character : name) {
    if (character == '-' || character == '_') {
      begins_word = true;
      continue;
    }
    type_name.push_back(begins_word && IsLower(character) ? static_cast<char>(character - 'a' + 'A')
                                                          : character);
    begins_word = false;
  }
  return type_name;
}

}  // namespace

Result<ScaffoldField> ParseScaffoldField(std::string_view text) {
  ScaffoldField field;
  if (text.ends_with('?')) {
    field.optional = true;
    text.remove_suffix(1);
  }
  const std::size_t colon = text.find(':');
  field.name = std::string(text.substr(0, colon));
  const std::string_view type = colon == std::string_view::npos ? "text" : text.substr(colon + 1);
  constexpr std::array<std::string_view, 4> kTypes = {"text", "integer", "number", "boolean"};
  const auto* const found = std::ranges::find(kTypes, type);
  if (found == kTypes.end()) {
    return Invalid("'" + std::string(type) + "' is none of text, integer, number, boolean");
  }
  field.type = static_cast<Type>(found - kTypes.begin());
  return field;
}

Result<std::map<std::string, std::string>> MakeScaffold(const ScaffoldRequest& request) {
  TRY_VOID(CheckName(request.name));
  if (!std::ranges::all_of(request.ttl, IsPlain)) {
    return Invalid("'" + request.ttl + "' cannot be the attribute that says when an item expires");
  }
  ScaffoldNames names{.entity = request.name, .type = TypeNameOf(request.name)};
  names.file = request.name;
  std::ranges::replace(names.file, '-', '_');
  const std::vector<ScaffoldField> fields = TRY(AllFields(request));
  std::vector<ScaffoldField> keys = TRY(FieldsOfTemplate(request.partition_key));
  if (!request.sort_key.empty()) {
    const std::vector<ScaffoldField> more = TRY(FieldsOfTemplate(request.sort_key));
    keys.insert(keys.end(), more.begin(), more.end());
  }
  const Map recorded = MakeSnapshot(DescriptionOf(request, names.type, fields));
  const std::string snapshot = CanonicalJson(recorded);
  const std::string beginning = "schema/" + request.name;
  return std::map<std::string, std::string>{
      {names.file + ".h", HeaderText(names, request, fields)},
      {names.file + "_test.cc", TestText(names, fields, KeyFieldsOf(keys, fields))},
      {beginning + ".schema.json", snapshot},
      {"schema/history/" + request.name + ".v1.schema.json", snapshot},
      {"schema/fixtures/" + request.name + ".v1.json",
       ToCanonicalDynamoDbJson(MakeFixture(recorded))}};
}

}  // namespace stator::schema
