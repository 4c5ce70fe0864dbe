// What json_schema.h promises: every keyword that it understands refuses something and says what.

#include "mcp/json_schema.h"

#include <gtest/gtest.h>

#include <vector>

namespace stator::mcp {
namespace {

using tasks::Json;

std::string Problem(std::string_view schema, std::string_view value) {
  return ProblemWith(*Json::Parse(value), *Json::Parse(schema), "it");
}

struct Example {
  std::string_view schema;
  std::vector<std::string_view> good;
  std::string_view bad;
  std::string_view problem;
};

void Check(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    for (const std::string_view value : example.good) {
      EXPECT_EQ(Problem(example.schema, value), "") << example.schema << " " << value;
    }
    EXPECT_EQ(Problem(example.schema, example.bad), example.problem) << example.schema;
  }
}

TEST(JsonSchema, ChecksTypesAndValues) {
  Check({
      {R"({"type":"object"})", {"{}"}, "[]", "it must be an object"},
      {R"({"type":"array"})", {"[]"}, "{}", "it must be an array"},
      {R"({"type":"string"})", {R"("")"}, "1", "it must be a string"},
      {R"({"type":"number"})", {"1", "1.5"}, R"("1")", "it must be a number"},
      {R"({"type":"integer"})", {"1", "1.0", "1e30", "-0"}, "1.5", "it must be an integer"},
      {R"({"type":"boolean"})", {"true"}, "0", "it must be a boolean"},
      {R"({"type":"null"})", {"null"}, "0", "it must be null"},
      {R"({"type":["string","null"]})",
       {"null", R"("x")"},
       "1",
       R"(it must be of one of the types ["string","null"])"},
      {R"({"enum":["a",1]})", {R"("a")", "1.0"}, R"("b")", R"(it must be one of ["a",1])"},
      {R"({"const":{"a":1}})", {R"({"a":1})"}, "{}", R"(it must be {"a":1})"},
      {"false", {}, "1", "it is not allowed"},
      {"true", {"1"}, "", ""},
  });
}

TEST(JsonSchema, ChecksNumbersAndTexts) {
  Check({
      {R"({"minimum":2})", {"2", R"("x")"}, "1.9", "it must not be less than 2"},
      {R"({"maximum":2})", {"2"}, "2.1", "it must not be more than 2"},
      {R"({"exclusiveMinimum":2})", {"2.1"}, "2", "it must be more than 2"},
      {R"({"exclusiveMaximum":2})", {"1.9"}, "2", "it must be less than 2"},
      {R"({"multipleOf":0.5})", {"1.5"}, "1.4", "it must be a multiple of 0.5"},
      {R"({"minLength":2})", {R"("ää")", "1"}, R"("ä")", "it must have at least 2 characters"},
      {R"({"maxLength":2})", {R"("ää")"}, R"("xyz")", "it must have at most 2 characters"},
  });
}

TEST(JsonSchema, ChecksObjects) {
  Check({
      {R"({"properties":{"a":{"properties":{"b":{"type":"string"}}}}})",
       {"{}", R"({"a":{"b":"x","c":1}})"},
       R"({"a":{"b":1}})",
       "it.a.b must be a string"},
      {R"({"required":["a"]})", {R"({"a":null})", "[]"}, "{}", "it.a is missing"},
      {R"({"properties":{"a":{}},"additionalProperties":false})",
       {R"({"a":1})"},
       R"({"b":1})",
       "it.b is not allowed"},
      {R"({"additionalProperties":{"type":"string"}})",
       {R"({"a":"x"})"},
       R"({"a":1})",
       "it.a must be a string"},
      {R"({"propertyNames":{"maxLength":1}})",
       {R"({"a":1})"},
       R"({"ab":1})",
       R"(the name "ab" must have at most 1 characters)"},
      {R"({"dependentRequired":{"a":["b"]}})",
       {"{}", R"({"a":1,"b":1})"},
       R"({"a":1})",
       "it.b is missing"},
      {R"({"minProperties":1})", {R"({"a":1})"}, "{}", "it must have at least 1 members"},
      {R"({"maxProperties":0})", {"{}"}, R"({"a":1})", "it must have at most 0 members"},
  });
  // Names that a pattern may allow are not refused.
  EXPECT_EQ(
      Problem(R"({"patternProperties":{"^x":{}},"additionalProperties":false})", R"({"xy":1})"),
      "");
}

TEST(JsonSchema, ChecksArrays) {
  Check({
      {R"({"items":{"type":"string"}})",
       {"[]", R"(["x"])"},
       R"(["x",1])",
       "it[1] must be a string"},
      {R"({"prefixItems":[{"type":"null"}],"items":{"type":"string"}})",
       {R"([null,"x"])"},
       "[null,1]",
       "it[1] must be a string"},
      {R"({"prefixItems":[{"type":"null"}]})", {"[]", "[null,1]"}, "[1]", "it[0] must be null"},
      {R"({"contains":{"type":"null"}})",
       {"[1,null]"},
       "[1]",
       "it lacks an element that it must have"},
      {R"({"minItems":1})", {"[1]"}, "[]", "it must have at least 1 elements"},
      {R"({"maxItems":1})", {"[1]"}, "[1,2]", "it must have at most 1 elements"},
      {R"({"uniqueItems":true})", {"[1,2]"}, "[1,2,1.0]", "it[2] is there twice"},
  });
}

TEST(JsonSchema, ChecksCombinations) {
  Check({
      {R"({"allOf":[{"minimum":1},{"maximum":2}]})", {"1"}, "3", "it must not be more than 2"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})",
       {"null"},
       "1",
       "it fits none of its forms"},
      {R"({"oneOf":[{"minimum":1},{"maximum":2}]})",
       {"0", "3"},
       "1",
       "it must fit exactly one of its forms"},
      {R"({"not":{"type":"string"}})", {"1"}, R"("x")", "it has a form that is not allowed"},
      {R"({"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"null"}})",
       {R"("x")", "null"},
       "1",
       "it must be null"},
      {R"({"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}})",
       {R"({"a":1})"},
       R"({"a":"x"})",
       "it.a must be a number"},
      {R"({"type":["array"],"items":{"$ref":"#"}})",
       {"[[[]]]"},
       "[[1]]",
       R"(it[0][0] must be of one of the types ["array"])"},
  });
}

TEST(JsonSchema, EndsHoweverItRefersToItself) {
  EXPECT_EQ(Problem(R"({"$ref":"#"})", "1"), "");
  EXPECT_EQ(Problem(R"({"$ref":"#/nowhere"})", "1"), "");
  EXPECT_EQ(Problem(R"({"$ref":"https://example.org/x"})", "1"), "");
}

TEST(JsonSchema, PassesOverWhatItDoesNotUnderstand) {
  EXPECT_EQ(
      Problem(R"({"pattern":"^a","format":"date","title":1,"type":7,"required":"x"})", R"("b")"),
      "");
}

}  // namespace
}  // namespace stator::mcp
