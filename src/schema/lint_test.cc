// One schema for each rule of lint.h, and one that is fine.

#include "stator/schema/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/plain_json.h"

namespace stator::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Rules(const std::string& json) {
  std::vector<std::string> rules;
  for (const LintFinding& finding : LintSchemaText(json)) {
    rules.push_back(finding.rule + " " + finding.path);
  }
  return rules;
}

std::string Struct(const std::string& properties) {
  return R"({"type": "object", "properties": {)" + properties + "}}";
}

constexpr const char* kDouble = R"({"type": "number", "format": "double"})";

TEST(LintSchema, FindsMoneyInBinaryFractions) {
  EXPECT_THAT(Rules(Struct(std::string(R"("unitPrice": )") + kDouble)),
              ElementsAre("money-as-float unitPrice"));
  EXPECT_THAT(Rules(Struct(std::string(R"("fees": {"type": "array", "items": )") + kDouble + "}")),
              ElementsAre("money-as-float fees[]"));
  EXPECT_THAT(Rules(Struct(std::string(R"("coffee": )") + kDouble)), IsEmpty());
  EXPECT_THAT(Rules(Struct(R"("price": {"type": "number"})")), IsEmpty());
}

TEST(LintSchema, FindsSetsOfFractions) {
  EXPECT_THAT(
      Rules(Struct(std::string(R"("marks": {"type": "array", "uniqueItems": true, "items": )") +
                   kDouble + "}")),
      ElementsAre("set-of-floats marks"));
}

TEST(LintSchema, FindsWhatIsTooDeep) {
  std::string deep = R"({"type": "string"})";
  for (int level = 0; level < 33; ++level) {
    deep = R"({"type": "array", "items": )" + deep + "}";
  }
  EXPECT_EQ(Rules(Struct(R"("a": )" + deep)).size(), 1U);
  EXPECT_THAT(Rules(Struct(R"("a": {"type": "array", "items": {"$ref": "#"}})")),
              ElementsAre("too-deep a[]"));
}

TEST(LintSchema, FindsNumbersThatDynamoDbCannotHold) {
  EXPECT_THAT(Rules(Struct(R"("a": {"type": "integer", "maximum": )" + std::string(39, '9') + "}")),
              ElementsAre("unstorable "));
}

TEST(LintSchema, FindsNamesThatAreTooLong) {
  const std::string long_name(65536, 'a');
  EXPECT_THAT(Rules(Struct("\"" + long_name + R"(": {})")), ElementsAre("unstorable "));
  const std::vector<LintFinding> findings =
      LintSchema({{"type", "object"}, {"properties", Map{{long_name, Map()}}}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "name-too-long");
  EXPECT_THAT(
      Rules(R"({"type": "object", "properties": {}, "x-keys": {"partition": {"attribute": ")" +
            std::string(256, 'k') + R"("}}})")
          .front(),
      testing::StartsWith("name-too-long kkkk"));
}

TEST(LintSchema, FindsItemsThatCannotBeStored) {
  EXPECT_THAT(Rules(Struct(R"("a": {"type": "array", "maxItems": 1000,
                                    "items": {"type": "string", "maxLength": 200}})")),
              ElementsAre("item-too-large "));
  EXPECT_THAT(Rules(Struct(R"("a": {"type": "array", "maxItems": 100,
                                    "items": {"type": "string", "maxLength": 200}})")),
              IsEmpty());
}

TEST(LintSchema, FindsNamesThatDifferInCaseOnly) {
  EXPECT_THAT(Rules(Struct(R"("userId": {}, "userid": {})")), ElementsAre("names-alike userid"));
}

TEST(LintSchema, FindsNothingInAPlainSchema) {
  EXPECT_THAT(Rules(Struct(R"("id": {"type": "string"}, "total": {"type": "integer"})")),
              IsEmpty());
}

TEST(LintSchema, RefusesWhatIsNoSchema) {
  EXPECT_THAT(Rules("[]"), ElementsAre("no-schema "));
  EXPECT_THAT(Rules("{"), ElementsAre("no-schema "));
}

}  // namespace
}  // namespace stator::schema
