// The policy of who makes and checks tables is necessary and sufficient for EnsureTable, in each of
// its modes, and says nothing of what is in the tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/mapping/schema.h"
#include "stator/provision/policy.h"
#include "support/limited_server.h"

namespace stator::provision {
namespace {

using support::LimitedServer;
using support::WithOneLess;

TableSpec Parcels() {
  return {
      .name = "parcels",
      .keys = {{"pk", KeyType::kHash}},
      .attributes = {{"pk", ScalarAttributeType::kString}, {"day", ScalarAttributeType::kString}},
      .global_indexes = {{.index_name = "by_day",
                          .key_schema = {{"day", KeyType::kHash}},
                          .projection = {.projection_type = ProjectionType::kAll}}},
      .ttl_attribute = "ttl",
      .deletion_protection = false,
      .tags = {{"team", "post"}}};
}

// What can be added to a table: all but its keys.
TableSpec BareParcels() {
  TableSpec spec = Parcels();
  spec.global_indexes.clear();
  spec.attributes.pop_back();
  spec.ttl_attribute.reset();
  spec.recovery.enabled = false;
  return spec;
}

Map PolicyOf(const TableSpec& spec, EnsureMode mode) {
  return MakePolicy(
      {ProvisioningAccess(spec, TableArn(spec.name, "us-east-1", "000000000000"), mode)});
}

// Ensures Parcels() with that policy; `prepared` is a table that is there before.
Result<EnsureReport> EnsureWith(const Map& policy, EnsureMode mode,
                                const std::optional<TableSpec>& prepared = std::nullopt) {
  LimitedServer server(policy);
  if (prepared) {
    const auto made = EnsureTable(server.admin(), *prepared, EnsureMode::kCreate);
    EXPECT_TRUE(made.has_value()) << made.error().message;
    server.Settle();
  }
  Result<EnsureReport> report = EnsureTable(server.limited(), Parcels(), mode);
  server.Settle();
  return report;
}

TEST(ProvisioningPolicy, IsNecessaryAndSufficientToVerify) {
  const Map policy = PolicyOf(Parcels(), EnsureMode::kVerify);
  const auto verified = EnsureWith(policy, EnsureMode::kVerify, BareParcels());
  EXPECT_TRUE(verified.has_value()) << verified.error().message;
  for (const Map& less : WithOneLess(policy)) {
    EXPECT_FALSE(EnsureWith(less, EnsureMode::kVerify, BareParcels())) << CanonicalJson(less);
  }
}

TEST(ProvisioningPolicy, IsNecessaryAndSufficientToCreate) {
  const Map policy = PolicyOf(Parcels(), EnsureMode::kCreate);
  const auto created = EnsureWith(policy, EnsureMode::kCreate);
  ASSERT_TRUE(created.has_value()) << created.error().message;
  EXPECT_TRUE(created->created);
  for (const Map& less : WithOneLess(policy)) {
    EXPECT_FALSE(EnsureWith(less, EnsureMode::kCreate)) << CanonicalJson(less);
  }
}

// What it needs beyond creation is to change what is there.
TEST(ProvisioningPolicy, IsNecessaryAndSufficientToApply) {
  const Map policy = PolicyOf(Parcels(), EnsureMode::kApplySafe);
  const auto applied = EnsureWith(policy, EnsureMode::kApplySafe, BareParcels());
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(applied->applied.size(), 3U);
  for (const Map& less : WithOneLess(policy)) {
    const bool applies = EnsureWith(less, EnsureMode::kApplySafe, BareParcels()).has_value();
    const bool creates = EnsureWith(less, EnsureMode::kApplySafe).has_value();
    EXPECT_FALSE(applies && creates) << CanonicalJson(less);
  }
}

TEST(ProvisioningPolicy, AsksOnlyForWhatTheTableHas) {
  TableSpec bare = BareParcels();
  bare.tags.clear();
  EXPECT_THAT(ProvisioningAccess(bare, "arn", EnsureMode::kApplySafe).actions,
              testing::ElementsAre("CreateTable", "DescribeTable", "DescribeTimeToLive"));
}

TEST(ProvisioningPolicy, DoesNotLookIntoTheTable) {
  LimitedServer server(PolicyOf(Parcels(), EnsureMode::kApplySafe));
  ASSERT_TRUE(EnsureTable(server.limited(), Parcels(), EnsureMode::kApplySafe).has_value());
  server.Settle();
  const auto denied = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kAccessDenied;
  };
  EXPECT_TRUE(denied(server.limited().GetItem({.table_name = "parcels", .key = {{"pk", "a"}}})));
  EXPECT_TRUE(denied(server.limited().PutItem({.table_name = "parcels", .item = {{"pk", "a"}}})));
  EXPECT_TRUE(denied(server.limited().Scan({.table_name = "parcels"})));
  EXPECT_TRUE(denied(server.limited().DeleteTable({.table_name = "parcels"})));
}

}  // namespace
}  // namespace stator::provision
