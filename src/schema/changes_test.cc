// The rules of changes.h, row by row, on schemas that are made by hand; and that nothing that
// changes the shape goes unnoticed.

#include "stator/schema/changes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/property.h"
#include "stator/mapping/schema.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

Map Parsed(const std::string& json) {
  Result<AttributeValue> value = value::ValueFromPlainJson(json);
  EXPECT_TRUE(value.has_value()) << json << ": " << value.error().message;
  return value ? *value->If<Map>() : Map();
}

// A struct whose field "id" is always there, with other properties, a list of those that are
// required, and what else stands at the top.
Map Struct(const std::string& properties, const std::string& required = "",
           const std::string& more = "") {
  return Parsed(R"({"type": "object", "properties": {"id": {"type": "string"})" +
                (properties.empty() ? "" : ", " + properties) + R"(}, "required": ["id")" +
                (required.empty() ? "" : ", " + required) + "]" +
                (more.empty() ? "" : ", " + more) + "}");
}

struct Case {
  std::string name;
  Map before;
  Map after;
  std::vector<SchemaChange> expected;
};

std::string Integer(const std::string& min, const std::string& max) {
  return R"({"type": "integer", "minimum": )" + min + R"(, "maximum": )" + max + "}";
}
const std::string kInt32 = Integer("-2147483648", "2147483647");
const std::string kInt64 = Integer("-9223372036854775808", "9223372036854775807");
const std::string kUint32 = Integer("0", "4294967295");

std::string Field(const std::string& schema) {
  return R"("a": )" + schema;
}

std::string Enum(const std::string& names, const std::string& more = "") {
  return Field(R"({"type": "string", "title": "Mood", "enum": [)" + names + "]" + more + "}");
}

SchemaChange At(Change kind, std::string path, std::string before, std::string after,
                Demand demand) {
  return {.kind = kind,
          .path = std::move(path),
          .before = std::move(before),
          .after = std::move(after),
          .demand = demand};
}

std::vector<Case> FieldCases() {
  const std::string text = R"({"type": "string"})";
  return {
      {"optional field added",
       Struct(""),
       Struct(Field(text)),
       {At(Change::kOptionalFieldAdded, "a", "", "text", Demand::kUpdate)}},
      {"defaulted field added",
       Struct(""),
       Struct(Field(R"({"type": "string", "default": "x"})")),
       {At(Change::kOptionalFieldAdded, "a", "", "text", Demand::kUpdate)}},
      {"required field added",
       Struct(""),
       Struct(Field(text), R"("a")"),
       {At(Change::kRequiredFieldAdded, "a", "", "text", Demand::kBumpAndStep)}},
      {"optional field removed",
       Struct(Field(text)),
       Struct(""),
       {At(Change::kFieldRemoved, "a", "text", "", Demand::kBump)}},
      {"required field removed",
       Struct(Field(text), R"("a")"),
       Struct(""),
       {At(Change::kFieldRemoved, "a", "text", "", Demand::kBump)}},
      {"field renamed",
       Struct(Field(text)),
       Struct(R"("b": {"type": "string"})"),
       {At(Change::kFieldRenamed, "a", "a", "b", Demand::kBumpAndStep)}},
      {"field renamed with an alias",
       Struct(Field(text)),
       Struct(R"("b": {"type": "string", "x-aliases": ["a"]})"),
       {At(Change::kFieldRenamed, "a", "a", "b", Demand::kUpdate)}},
      {"renamed with an alias and changed",
       Struct(Field(text)),
       Struct(R"("b": {"type": "boolean", "x-aliases": ["a"]})"),
       {At(Change::kFieldRenamed, "a", "a", "b", Demand::kUpdate),
        At(Change::kTypeChanged, "b", "text", "boolean", Demand::kBumpAndStep)}},
      {"which of two was renamed nobody knows",
       Struct(Field(text)),
       Struct(R"("b": {"type": "string"}, "c": {"type": "string"})"),
       {At(Change::kOptionalFieldAdded, "b", "", "text", Demand::kUpdate),
        At(Change::kOptionalFieldAdded, "c", "", "text", Demand::kUpdate),
        At(Change::kFieldRemoved, "a", "text", "", Demand::kBump)}},
      {"alias gone",
       Struct(R"("b": {"type": "string", "x-aliases": ["a"]})"),
       Struct(R"("b": {"type": "string"})"),
       {At(Change::kAliasRemoved, "b", "a", "", Demand::kBumpAndStep)}},
      {"optional became required",
       Struct(Field(text)),
       Struct(Field(text), R"("a")"),
       {At(Change::kBecameRequired, "a", "", "", Demand::kBumpAndStep)}},
      {"required became optional",
       Struct(Field(text), R"("a")"),
       Struct(Field(text)),
       {At(Change::kBecameOptional, "a", "", "", Demand::kBump)}},
      {"null allowed",
       Struct(Field(text)),
       Struct(Field(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})")),
       {At(Change::kBecameOptional, "a", "text", "text or null", Demand::kBump)}},
      {"null forbidden",
       Struct(Field(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})")),
       Struct(Field(text)),
       {At(Change::kBecameRequired, "a", "text or null", "text", Demand::kBumpAndStep)}},
      {"another default",
       Struct(Field(R"({"type": "string", "default": "x"})")),
       Struct(Field(R"({"type": "string", "default": "y"})")),
       {At(Change::kDefaultChanged, "a", "\"x\"", "\"y\"", Demand::kUpdate)}},
  };
}

std::vector<Case> TypeCases() {
  const auto typed = [](const std::string& name, const std::string& before,
                        const std::string& after, Change kind, const std::string& was,
                        const std::string& is) {
    return Case{name,
                Struct(Field(before)),
                Struct(Field(after)),
                {At(kind, "a", was, is, RuleOf(kind).demand)}};
  };
  const std::string number = R"({"type": "number"})";
  const std::string real = R"({"type": "number", "format": "double"})";
  const std::string text = R"({"type": "string"})";
  const std::string list = R"({"type": "array", "items": {"type": "string"}})";
  const std::string set = R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})";
  return {
      typed("int32 to int64", kInt32, kInt64, Change::kTypeWidened, "int32", "int64"),
      typed("int64 to number", kInt64, number, Change::kTypeWidened, "int64", "number"),
      typed("double to number", real, number, Change::kTypeWidened, "double", "number"),
      typed("int32 to double", kInt32, real, Change::kTypeWidened, "int32", "double"),
      typed("int64 to double", kInt64, real, Change::kTypeChanged, "int64", "double"),
      typed("anything is wider", text, "{}", Change::kTypeWidened, "text", "anything"),
      typed("enum to text", R"({"type": "string", "title": "M", "enum": ["x"]})", text,
            Change::kTypeWidened, "enum M", "text"),
      typed("longer text", R"({"type": "string", "maxLength": 5})",
            R"({"type": "string", "maxLength": 6})", Change::kTypeWidened, "text maxLength 5",
            "text maxLength 6"),
      typed("int64 to int32", kInt64, kInt32, Change::kTypeChanged, "int64", "int32"),
      typed("int32 to uint32", kInt32, kUint32, Change::kTypeChanged, "int32", "uint32"),
      typed("number to integer", number, kInt64, Change::kTypeChanged, "number", "int64"),
      typed("number to double", number, real, Change::kTypeChanged, "number", "double"),
      typed("text to integer", text, kInt64, Change::kTypeChanged, "text", "int64"),
      typed("scalar to list", text, list, Change::kTypeChanged, "text", "list"),
      typed("list to scalar", list, text, Change::kTypeChanged, "list", "text"),
      typed("list to set", list, set, Change::kTypeChanged, "list", "set"),
      typed("text to bytes", text, R"({"type": "string", "contentEncoding": "base64"})",
            Change::kTypeChanged, "text", "bytes"),
      typed("seconds to milliseconds", R"({"type": "integer", "format": "epoch-seconds"})",
            R"({"type": "integer", "format": "epoch-milliseconds"})", Change::kTypeChanged,
            "epoch-seconds", "epoch-milliseconds"),
      typed("text to time", text, R"({"type": "string", "format": "date-time"})",
            Change::kTypeChanged, "text", "date-time"),
      typed("smaller maximum", Integer("0", "100"), Integer("0", "50"),
            Change::kConstraintTightened, "integer 0..100", "integer 0..50"),
      typed("greater minimum", Integer("0", "100"), Integer("1", "100"),
            Change::kConstraintTightened, "integer 0..100", "integer 1..100"),
      typed("shorter text", text, R"({"type": "string", "maxLength": 5})",
            Change::kConstraintTightened, "text", "text maxLength 5"),
      typed("a pattern", text, R"({"type": "string", "pattern": "^x"})",
            Change::kConstraintTightened, "text", "text like ^x"),
      typed("fewer elements", list,
            R"({"type": "array", "items": {"type": "string"}, "maxItems": 3})",
            Change::kConstraintTightened, "list", "list"),
  };
}

std::vector<Case> EnumCases() {
  const auto variant = [](const std::string& alternatives) {
    return Struct(Field(R"({"oneOf": [)" + alternatives + "]}"), "",
                  R"("$defs": {"X": {"type": "object", "properties": {}}})");
  };
  const std::string card =
      R"({"$ref": "#/$defs/X", "properties": {"kind": {"const": "card"}}, "required": ["kind"]})";
  const std::string cash =
      R"({"$ref": "#/$defs/X", "properties": {"kind": {"const": "cash"}}, "required": ["kind"]})";
  const std::string typed =
      R"({"$ref": "#/$defs/X", "properties": {"type": {"const": "card"}}, "required": ["type"]})";
  return {
      {"enumerator added",
       Struct(Enum(R"("x")")),
       Struct(Enum(R"("x", "y")")),
       {At(Change::kEnumeratorAdded, "a", "", "y", Demand::kBump)}},
      {"enumerator added to an open enum",
       Struct(Enum(R"("x")", R"(, "x-open": true)")),
       Struct(Enum(R"("x", "y")", R"(, "x-open": true)")),
       {At(Change::kEnumeratorAdded, "a", "", "y", Demand::kUpdate)}},
      {"opened at the same time is too late",
       Struct(Enum(R"("x")")),
       Struct(Enum(R"("x", "y")", R"(, "x-open": true)")),
       {At(Change::kEnumeratorAdded, "a", "", "y", Demand::kBump)}},
      {"enumerator removed",
       Struct(Enum(R"("x", "y")")),
       Struct(Enum(R"("x")")),
       {At(Change::kEnumeratorRemoved, "a", "y", "", Demand::kBumpAndStep)}},
      {"alternative added",
       variant(card),
       variant(card + "," + cash),
       {At(Change::kEnumeratorAdded, "a", "", "cash", Demand::kBump)}},
      {"alternative removed",
       variant(card + "," + cash),
       variant(card),
       {At(Change::kEnumeratorRemoved, "a", "cash", "", Demand::kBumpAndStep)}},
      {"another discriminator",
       variant(card),
       variant(typed),
       {At(Change::kTypeChanged, "a", "told apart by kind", "by type", Demand::kBumpAndStep)}},
  };
}

std::vector<Case> OtherCases() {
  const auto nested = [](const std::string& inner) {
    return Struct(R"("lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
                     "rates": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Line"}})",
                  "", R"("$defs": {"Line": {"type": "object", "properties": {)" + inner + "}}}");
  };
  const std::string keys = R"("x-entity": "e", "x-keys": {"partition": "pk"})";
  const std::string sorted = R"("x-entity": "e", "x-keys": {"partition": "pk", "sort": "sk"})";
  return {
      {"title",
       Struct(""),
       Struct("", "", R"("title": "Account")"),
       {At(Change::kWordsChanged, "", "", "", Demand::kNothing)}},
      {"description of a field",
       Struct(Field(R"({"type": "string"})")),
       Struct(Field(R"({"type": "string", "description": "d"})")),
       {At(Change::kWordsChanged, "", "", "", Demand::kNothing)}},
      {"another sort key",
       Struct("", "", keys),
       Struct("", "", sorted),
       {At(Change::kTableChanged, "x-keys", R"({"partition":"pk"})",
           R"({"partition":"pk","sort":"sk"})", Demand::kPlan)}},
      {"a retired name",
       Struct("", "", R"("x-retired": ["a"])"),
       Struct(Field(R"({"type": "string"})"), "", R"("x-retired": ["a"])"),
       {At(Change::kOptionalFieldAdded, "a", "", "text", Demand::kUpdate),
        At(Change::kRetiredNameUsed, "a", "", "", Demand::kRefuse)}},
      {"a forgotten name",
       Struct("", "", R"("x-retired": ["a"])"),
       Struct(""),
       {At(Change::kRetiredNameUsed, "a", "retired", "forgotten", Demand::kRefuse)}},
      {"inside of a list and a map, said once",
       nested(R"("x": )" + kInt32),
       nested(R"("x": )" + kInt64),
       {At(Change::kTypeWidened, "lines[].x", "int32", "int64", Demand::kBump)}},
  };
}

// What a table can get while it is in use, and what it cannot.
std::vector<Case> TableCases() {
  const std::string keys = R"("x-entity": "e", "x-keys": {"partition": "pk"})";
  const auto table = [&](const std::string& more) {
    return Struct("", "", keys + (more.empty() ? "" : ", " + more));
  };
  const auto index = [](const std::string& attribute, const std::string& more = "") {
    return R"({"name":"i","partition":{"attribute":")" + attribute +
           R"(","template":"{a}","type":"S"})" + more + "}";
  };
  const auto indexes = [](const std::string& one) { return R"("x-indexes": [)" + one + "]"; };
  const std::string local = index("a", R"(,"local":true)");
  const auto sorted = [](const std::string& json) { return value::ToPlainJson(Parsed(json)); };
  return {
      {"an index of a field",
       table(""),
       table(indexes(index("a"))),
       {At(Change::kIndexAdded, "x-indexes.i", "", sorted(index("a")), Demand::kApply)}},
      {"an index of what no item has yet",
       table(""),
       table(indexes(index("made"))),
       {At(Change::kIndexAdded, "x-indexes.i", "", sorted(index("made")), Demand::kBackfill)}},
      {"an index of a field that is not at the top",
       table(R"("x-layout": "nested")"),
       table(R"("x-layout": "nested", )" + indexes(index("a"))),
       {At(Change::kIndexAdded, "x-indexes.i", "", sorted(index("a")), Demand::kBackfill)}},
      {"a local index",
       table(""),
       table(indexes(local)),
       {At(Change::kTableChanged, "x-indexes.i", "", sorted(local), Demand::kPlan)}},
      {"an index with other keys",
       table(indexes(index("a"))),
       table(indexes(index("b"))),
       {At(Change::kTableChanged, "x-indexes.i", sorted(index("a")), sorted(index("b")),
           Demand::kPlan)}},
      {"an index less",
       table(indexes(index("a"))),
       table(""),
       {At(Change::kIndexRemoved, "x-indexes.i", sorted(index("a")), "", Demand::kUpdate)}},
      {"expiry",
       table(""),
       table(R"("x-ttl": "ttl")"),
       {At(Change::kExpiryAdded, "x-ttl", "", "ttl", Demand::kApply)}},
      {"another expiry",
       table(R"("x-ttl": "ttl")"),
       table(R"("x-ttl": "until")"),
       {At(Change::kTableChanged, "x-ttl", R"("ttl")", R"("until")", Demand::kPlan)}},
      {"expiry no more",
       table(R"("x-ttl": "ttl")"),
       table(""),
       {At(Change::kTableChanged, "x-ttl", R"("ttl")", "", Demand::kPlan)}},
      {"a unique field",
       table(R"("x-storage": {"lock": "revision"})"),
       table(R"("x-storage": {"lock": "revision", "unique": ["a"]})"),
       {At(Change::kUniqueAdded, "x-storage.unique.a", "", "a", Demand::kBackfill)}},
      {"unique no more",
       table(R"("x-storage": {"lock": "revision", "unique": ["a"]})"),
       table(R"("x-storage": {"lock": "revision"})"),
       {At(Change::kUniqueRemoved, "x-storage.unique.a", "a", "", Demand::kUpdate)}},
      {"another lock",
       table(R"("x-storage": {"lock": "revision"})"),
       table(R"("x-storage": {"lock": "last-write"})"),
       {At(Change::kTableChanged, "x-storage", R"({"lock":"revision"})", R"({"lock":"last-write"})",
           Demand::kPlan)}},
      {"the other layout, which is read as well",
       table(""),
       table(R"("x-layout": "nested")"),
       {At(Change::kWordsChanged, "", "", "", Demand::kNothing)}},
  };
}

TEST(CompareSchemas, FollowsTheRules) {
  for (const std::vector<Case>& cases :
       {FieldCases(), TypeCases(), EnumCases(), OtherCases(), TableCases()}) {
    for (const Case& each : cases) {
      SCOPED_TRACE(each.name);
      const std::vector<SchemaChange> changes = CompareSchemas(each.before, each.after);
      EXPECT_EQ(changes.size(), each.expected.size());
      for (std::size_t at = 0; at < std::min(changes.size(), each.expected.size()); ++at) {
        EXPECT_EQ(changes[at], each.expected[at]) << ToText(changes[at]) << "\n instead of \n"
                                                  << ToText(each.expected[at]);
      }
    }
  }
}

TEST(CompareSchemas, HasARuleForEveryRowOfTheTable) {
  using enum Demand;
  const std::vector<std::pair<Change, Demand>> rows = {
      {Change::kOptionalFieldAdded, kUpdate},
      {Change::kRequiredFieldAdded, kBumpAndStep},
      {Change::kFieldRemoved, kBump},
      {Change::kFieldRenamed, kBumpAndStep},
      {Change::kTypeWidened, kBump},
      {Change::kTypeChanged, kBumpAndStep},
      {Change::kEnumeratorAdded, kBump},
      {Change::kEnumeratorRemoved, kBumpAndStep},
      {Change::kBecameRequired, kBumpAndStep},
      {Change::kBecameOptional, kBump},
      {Change::kConstraintTightened, kBumpAndStep},
      {Change::kWordsChanged, kNothing},
      {Change::kTableChanged, kPlan},
      {Change::kIndexAdded, kApply},
      {Change::kIndexRemoved, kUpdate},
      {Change::kExpiryAdded, kApply},
      {Change::kUniqueAdded, kBackfill},
      {Change::kUniqueRemoved, kUpdate},
  };
  EXPECT_EQ(rows.size(), 18U);
  for (const auto& [change, demand] : rows) {
    EXPECT_EQ(RuleOf(change).demand, demand) << RuleOf(change).name;
  }
}

TEST(DescribeRules, IsWhatTheGuidesSay) {
  for (const char* guide : {"docs/changing-entities.md", "docs/schema.md"}) {
    std::ostringstream text;
    text << std::ifstream(std::string(STATOR_SOURCE_FOLDER) + "/" + guide).rdbuf();
    EXPECT_NE(text.str().find(DescribeRules()), std::string::npos) << guide << " should have\n"
                                                                   << DescribeRules();
  }
}

TEST(CompareSchemas, EndsWithTypesThatContainThemselves) {
  const auto tree = [](const std::string& more) {
    return Struct(R"("children": {"type": "array", "items": {"$ref": "#"}})" + more);
  };
  EXPECT_TRUE(CompareSchemas(tree(""), tree("")).empty());
  const auto changes = CompareSchemas(tree(""), tree(R"(, "a": {"type": "boolean"})"));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].path, "a");
}

TEST(CompareSchemas, LetsNothingThroughThatItDoesNotUnderstand) {
  const Map before = Struct(Field(R"({"type": "string"})"));
  const Map after = Struct(Field(R"({"type": "string", "x": 1, "contentMediaType": "a"})"));
  EXPECT_EQ(DemandOf(CompareSchemas(before, after)), Demand::kBumpAndStep);
}

TEST(ToText, NamesTheChangeAndWhatItNeeds) {
  EXPECT_EQ(ToText(At(Change::kTypeWidened, "balance", "int32", "int64", Demand::kBump)),
            "balance: type widened (int32 to int64); needs a new data version");
  EXPECT_EQ(ToText(At(Change::kWordsChanged, "", "", "", Demand::kNothing)),
            "words or order changed; needs nothing");
}

// Two random structs over a few names and types.
Map RandomStruct(const std::vector<int>& choices) {
  const std::vector<std::string> types = {
      R"({"type": "string"})",
      kInt32,
      kInt64,
      R"({"type": "number"})",
      R"({"type": "array", "items": {"type": "string"}})",
      R"({"type": "string", "title": "M", "enum": ["x", "y"]})"};
  std::string properties;
  std::string required;
  for (std::size_t at = 0; at < choices.size(); ++at) {
    const auto choice = static_cast<std::size_t>(choices[at]);
    if (choice == 0) {
      continue;
    }
    const std::string name = "\"f" + std::to_string(at) + "\"";
    properties += (properties.empty() ? "" : ", ") + name + ": " + types[(choice - 1) % 6];
    if (choice > 6) {
      required += (required.empty() ? "" : ", ") + name;
    }
  }
  return Struct(properties, required);
}

TEST(CompareSchemas, DemandsSomethingExactlyWhenTheShapeDiffers) {
  base::CheckProperty(500, [] {
    const auto choices = rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 13));
    const Map before = RandomStruct(*choices);
    const Map after = RandomStruct(*choices);
    const Demand demand = DemandOf(CompareSchemas(before, after));
    RC_ASSERT((demand == Demand::kNothing) == (ShapeHash(before) == ShapeHash(after)));
  });
}

}  // namespace
}  // namespace stator::schema
