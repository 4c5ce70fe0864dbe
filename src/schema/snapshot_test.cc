// Snapshots of described entities, and the tables and policies that follow from them.

#include "stator/schema/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/mapping/schema.h"

namespace stator::schema {
namespace {

using entities::Verbs;

struct Order {
  std::string customer;
  std::int32_t number = 0;
  std::string day;
  std::optional<std::string> memo;
};
BOOST_DESCRIBE_STRUCT(Order, (), (customer, number, day, memo))

}  // namespace
}  // namespace stator::schema

template <>
struct stator::Mapping<stator::schema::Order> {
  static constexpr std::array<std::string_view, 1> kRetired = {"coupon"};
};

template <>
struct stator::entities::EntityTraits<stator::schema::Order> {
  static constexpr std::string_view kName = "order";
  static constexpr KeyTemplate kPartitionKey = {"USER#{customer}"};
  static constexpr KeyTemplate kSortKey = {"{number:08}"};
  static constexpr std::uint16_t kDataVersion = 2;
  static constexpr std::array<Index, 2> kIndexes = {
      Index{.name = "by_day",
            .partition_key = {"{day}"},
            .projection = ProjectionType::kInclude,
            .projected = {"memo"}},
      Index{.name = "a_local",
            .partition_key = {"USER#{customer}", "pk"},
            .sort_key = KeyTemplate{"{day}"},
            .local = true}};
  static constexpr std::string_view kExpiry = "ttl";
  static constexpr std::chrono::seconds kLife = kForever;
  static constexpr bool kOwnerPartitioned = true;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item&) {});
  }
};

namespace stator::schema {
namespace {

TEST(SnapshotOf, SaysWhatMustNotChangeByAccident) {
  const Map snapshot = SnapshotOf<Order>();
  EXPECT_EQ(EntityNameOf(snapshot), "order");
  EXPECT_EQ(DataVersionOf(snapshot), 2);
  EXPECT_EQ(snapshot.at("x-ttl"), AttributeValue("ttl"));
  EXPECT_EQ(snapshot.at("x-steps"), AttributeValue(List{1}));
  EXPECT_EQ(snapshot.at("x-retired"), AttributeValue(List{"coupon"}));
  EXPECT_EQ(snapshot.at("x-storage"),
            AttributeValue(Map{{"lock", "revision"}, {"naming", "plain"}}));
  EXPECT_EQ(
      snapshot.at("x-keys"),
      AttributeValue(Map{
          {"partition", Map{{"attribute", "pk"}, {"type", "S"}, {"template", "USER#{customer}"}}},
          {"sort", Map{{"attribute", "sk"}, {"type", "S"}, {"template", "{number:08}"}}}}));
  const List& indexes = *snapshot.at("x-indexes").If<List>();
  ASSERT_EQ(indexes.size(), 2U);
  EXPECT_EQ(indexes[0].If<Map>()->at("name"), AttributeValue("a_local"));
  EXPECT_EQ(indexes[1].If<Map>()->at("projected"), AttributeValue(List{"memo"}));
}

TEST(ParseSnapshot, ReadsWhatWasWritten) {
  const Map snapshot = SnapshotOf<Order>();
  EXPECT_EQ(ParseSnapshot(CanonicalJson(snapshot)).value(), snapshot);
}

TEST(ParseSnapshot, RefusesWhatSomebodyEdited) {
  std::string text = CanonicalJson(SnapshotOf<Order>());
  text.replace(text.find("\"memo\": {"), 9, "\"note\": {");
  const Result<Map> edited = ParseSnapshot(text);
  ASSERT_FALSE(edited.has_value());
  EXPECT_THAT(edited.error().message, testing::HasSubstr("somebody has edited"));
  EXPECT_FALSE(ParseSnapshot("[]").has_value());
  EXPECT_FALSE(ParseSnapshot(R"({"x-entity": "a"})").has_value());
  EXPECT_FALSE(ParseSnapshot(R"({"x-entity": "a", "x-data-version": 0})").has_value());
}

TEST(TableSpecOf, IsWhatTheEntityNeeds) {
  const provision::TableSpec spec = TableSpecOf(entities::Describe<Order>());
  EXPECT_EQ(spec.name, "order");
  EXPECT_EQ(spec.keys,
            (std::vector<KeySchemaElement>{{"pk", KeyType::kHash}, {"sk", KeyType::kRange}}));
  EXPECT_EQ(spec.attributes,
            (std::vector<AttributeDefinition>{{"pk", ScalarAttributeType::kString},
                                              {"sk", ScalarAttributeType::kString},
                                              {"day", ScalarAttributeType::kString}}));
  ASSERT_EQ(spec.global_indexes.size(), 1U);
  EXPECT_EQ(spec.global_indexes[0].index_name, "by_day");
  EXPECT_EQ(spec.global_indexes[0].projection, (Projection{ProjectionType::kInclude, {{"memo"}}}));
  ASSERT_EQ(spec.local_indexes.size(), 1U);
  EXPECT_EQ(spec.local_indexes[0].key_schema.back().attribute_name, "day");
  EXPECT_EQ(spec.ttl_attribute, "ttl");
  EXPECT_TRUE(spec.recovery.enabled);
  EXPECT_TRUE(spec.deletion_protection);
}

TEST(TableSpecOf, RefusesDeclarationsThatMakeNoTable) {
  Map snapshot = SnapshotOf<Order>();
  snapshot.Set("x-keys", Map{{"partition", Map{{"attribute", "pk"}, {"type", "BOOL"}}}});
  EXPECT_FALSE(TableSpecOf(snapshot).has_value());
  snapshot.Erase("x-keys");
  EXPECT_FALSE(TableSpecOf(snapshot).has_value());
}

TEST(AccessOf, IsThatOfTheVerbs) {
  entities::RepositoryDescription repository{.entity = entities::Describe<Order>(),
                                             .verbs = Verbs::kRead | Verbs::kQuery,
                                             .indexes = {"by_day"}};
  EXPECT_EQ(AccessOf(repository, "arn").leading_key, "USER#${aws:PrincipalTag/owner}");
  repository.entity.owner_partitioned = false;
  const provision::TableAccess access = AccessOf(repository, "arn");
  EXPECT_EQ(access.table_arn, "arn");
  EXPECT_THAT(access.actions, testing::ElementsAre("GetItem", "Query"));
  EXPECT_THAT(access.queried_indexes, testing::ElementsAre("by_day"));
  EXPECT_EQ(access.leading_key, "");
}

TEST(AccessOf, CountsWhatIsWrittenWhileReading) {
  const entities::RepositoryDescription repository{
      .entity = entities::Describe<Order>(), .verbs = Verbs::kRead, .writes_on_read = true};
  EXPECT_THAT(AccessOf(repository, "arn").actions, testing::ElementsAre("GetItem", "UpdateItem"));
}

TEST(AccessOf, FollowsFromTheSnapshotAsFromTheType) {
  entities::RepositoryDescription of_type{.entity = entities::Describe<Order>(),
                                          .verbs = Verbs::kUpsert | Verbs::kModify};
  entities::RepositoryDescription of_snapshot{.entity = DescriptionOf(SnapshotOf<Order>()).value(),
                                              .verbs = of_type.verbs};
  EXPECT_EQ(provision::MakePolicy({AccessOf(of_type, "arn")}),
            provision::MakePolicy({AccessOf(of_snapshot, "arn")}));
}

TEST(AccessOf, AnIndexHasItsOwnPartitions) {
  entities::RepositoryDescription repository{.entity = entities::Describe<Order>(),
                                             .verbs = Verbs::kQuery,
                                             .indexes = {"by_day", "by_owner"}};
  ASSERT_TRUE(repository.entity.owner_partitioned);
  const std::string owner = repository.entity.partition_key.fields.front();
  repository.entity.indexes = {
      {.name = "by_day", .partition_key = {.attribute = "day", .text = "{day}"}},
      {.name = "by_owner",
       .partition_key = {.attribute = "o", .text = "O#{day}#{" + owner + ":08}#{memo}"}}};
  const provision::TableAccess access = AccessOf(repository, "arn", "${me}");
  EXPECT_THAT(access.queried_indexes, testing::ElementsAre("by_owner"))
      << "an index of days shows the orders of all";
  EXPECT_EQ(access.leading_keys_of_indexes.at("by_owner"), "O#*#${me}#*");
  repository.entity.owner_partitioned = false;
  EXPECT_EQ(AccessOf(repository, "arn").queried_indexes.size(), 2U);
}

TEST(AccessOf, StarsStandForWhatIsNotTheOwner) {
  entities::RepositoryDescription repository{.entity = entities::Describe<Order>(),
                                             .verbs = Verbs::kRead};
  repository.entity.partition_key.text = "U#{customer}#{day}";
  EXPECT_EQ(AccessOf(repository, "arn", "${me}").leading_key, "U#${me}#*");
  repository.entity.owner_partitioned = false;
  EXPECT_EQ(AccessOf(repository, "arn").leading_key, "");
}

}  // namespace
}  // namespace stator::schema
