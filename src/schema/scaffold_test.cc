// What a scaffold consists of, and which requests make none. That it compiles and passes is the
// subject of test/scaffold.

#include "schema/scaffold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/schema/snapshot.h"
#include "value/dynamodb_json.h"

namespace stator::schema {
namespace {

using testing::HasSubstr;
using Type = ScaffoldField::Type;

ScaffoldRequest Profile() {
  return {.name = "user-profile",
          .partition_key = "USER#{id}",
          .sort_key = "{year:04}",
          .ttl = "ttl",
          .fields = {{"visits", Type::kInteger}, {"note", Type::kText, true}}};
}

std::string Refusal(const ScaffoldRequest& request) {
  const auto scaffold = MakeScaffold(request);
  EXPECT_FALSE(scaffold.has_value());
  return scaffold ? "" : scaffold.error().message;
}

TEST(MakeScaffold, HasEverythingThatAnEntityNeeds) {
  const auto scaffold = MakeScaffold(Profile());
  ASSERT_TRUE(scaffold.has_value()) << scaffold.error().message;
  std::vector<std::string> names;
  for (const auto& [name, text] : *scaffold) {
    names.push_back(name);
  }
  EXPECT_THAT(names, testing::ElementsAre("schema/fixtures/user-profile.v1.json",
                                          "schema/history/user-profile.v1.schema.json",
                                          "schema/user-profile.schema.json", "user_profile.h",
                                          "user_profile_test.cc"));
  EXPECT_THAT(scaffold->at("user_profile.h"), HasSubstr("std::optional<std::string> note;"));
  EXPECT_THAT(scaffold->at("user_profile.h"),
              HasSubstr("BOOST_DESCRIBE_STRUCT(UserProfile, (), (id, year, visits, note))"));
}

TEST(MakeScaffold, FixtureIsAnItemWithTheKeysOfTheTemplates) {
  const auto scaffold = MakeScaffold(Profile());
  const Item item =
      value::ParseDynamoDbItem(scaffold->at("schema/fixtures/user-profile.v1.json")).value();
  EXPECT_EQ(item.at("pk"), AttributeValue("USER#id-1"));
  EXPECT_EQ(item.at("sk"), AttributeValue("0001"));
  EXPECT_EQ(item.at("data_version"), AttributeValue(1));
  EXPECT_EQ(item.at("visits"), AttributeValue(1));
}

TEST(MakeScaffold, SnapshotIsOneAndDeclaresTheTable) {
  const auto scaffold = MakeScaffold(Profile());
  const Map snapshot = ParseSnapshot(scaffold->at("schema/user-profile.schema.json")).value();
  const provision::TableSpec spec = TableSpecOf(snapshot).value();
  EXPECT_EQ(spec.name, "user-profile");
  EXPECT_EQ(spec.keys.size(), 2U);
  EXPECT_EQ(spec.ttl_attribute, "ttl");
}

TEST(MakeScaffold, AKeyThatIsOneNumberIsANumber) {
  const auto scaffold = MakeScaffold(
      {.name = "invoice", .partition_key = "{number}", .fields = {{"number", Type::kInteger}}});
  const Map snapshot = ParseSnapshot(scaffold->at("schema/invoice.schema.json")).value();
  EXPECT_EQ(TableSpecOf(snapshot)->attributes[0].attribute_type, ScalarAttributeType::kNumber);
}

TEST(MakeScaffold, RefusesWhatMakesNoEntity) {
  EXPECT_THAT(Refusal({.name = "ab", .partition_key = "{id}"}), HasSubstr("name of an entity"));
  EXPECT_THAT(Refusal({.name = "Account", .partition_key = "{id}"}),
              HasSubstr("name of an entity"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "ACCOUNT"}), HasSubstr("no field"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{id"}), HasSubstr("wrong braces"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{id:99}"}), HasSubstr("digits"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{a}{b}"}), HasSubstr("two fields"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "\"{a}"}), HasSubstr("a quote"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{a}", .ttl = "\"; evil"}),
              HasSubstr("expires"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{class}"}), HasSubstr("word of C++"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{rev}"}),
              HasSubstr("attribute of every item"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{id}", .ttl = "id"}),
              HasSubstr("attribute of every item"));
  EXPECT_THAT(Refusal({.name = "account", .partition_key = "{id}", .fields = {{"a"}, {"a"}}}),
              HasSubstr("twice"));
}

TEST(ParseScaffoldField, KnowsFourTypes) {
  EXPECT_EQ(ParseScaffoldField("a").value(), (ScaffoldField{"a", Type::kText, false}));
  EXPECT_EQ(ParseScaffoldField("a?").value(), (ScaffoldField{"a", Type::kText, true}));
  EXPECT_EQ(ParseScaffoldField("a:integer").value(), (ScaffoldField{"a", Type::kInteger, false}));
  EXPECT_EQ(ParseScaffoldField("a:number?").value(), (ScaffoldField{"a", Type::kNumber, true}));
  EXPECT_EQ(ParseScaffoldField("a:boolean").value(), (ScaffoldField{"a", Type::kBoolean, false}));
  EXPECT_FALSE(ParseScaffoldField("a:float").has_value());
}

}  // namespace
}  // namespace stator::schema
