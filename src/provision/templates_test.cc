// Calls, CloudFormation and Terraform: complete texts for a table that has everything, and what a
// plain one leaves out.

#include "stator/provision/templates.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::provision {
namespace {

TableSpec Everything() {
  return {.name = "user.orders",
          .keys = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
          .attributes = {{"pk", ScalarAttributeType::kString},
                         {"sk", ScalarAttributeType::kBinary},
                         {"day", ScalarAttributeType::kNumber}},
          .global_indexes = {{.index_name = "by_day",
                              .key_schema = {{"day", KeyType::kHash}},
                              .projection = {.projection_type = ProjectionType::kInclude,
                                             .non_key_attributes = {{"total"}}},
                              .provisioned_throughput = {{3, 4}}}},
          .local_indexes = {{.index_name = "in_day",
                             .key_schema = {{"pk", KeyType::kHash}, {"day", KeyType::kRange}},
                             .projection = {.projection_type = ProjectionType::kKeysOnly}}},
          .throughput = {{5, 6}},
          .ttl_attribute = "ttl",
          .recovery = {.days = 7},
          .stream = StreamViewType::kNewAndOldImages,
          .encryption = Encryption{.kms_key_id = "arn:aws:kms:x:y:key/z"},
          .tags = {{"team", "billing"}}};
}

TableSpec Plain() {
  return {.name = "orders",
          .keys = {{"pk", KeyType::kHash}},
          .attributes = {{"pk", ScalarAttributeType::kString}},
          .recovery = {.enabled = false},
          .deletion_protection = false};
}

const Map& PropertiesOf(const Map& document, const char* logical_id) {
  const Map& resources = *document.at("Resources").If<Map>();
  return *resources.at(logical_id).If<Map>()->at("Properties").If<Map>();
}

TEST(MakeCalls, NeedsThreeForEverything) {
  const std::vector<ServiceCall> calls = MakeCalls(Everything());
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0].operation, "CreateTable");
  EXPECT_EQ(calls[0].input.at("StreamSpecification"),
            AttributeValue(Map{{"StreamEnabled", true}, {"StreamViewType", "NEW_AND_OLD_IMAGES"}}));
  EXPECT_EQ(
      calls[0].input.at("SSESpecification"),
      AttributeValue(
          Map{{"Enabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", "arn:aws:kms:x:y:key/z"}}));
  EXPECT_EQ(calls[1].operation, "UpdateTimeToLive");
  EXPECT_EQ(calls[1].input,
            (Map{{"TableName", "user.orders"},
                 {"TimeToLiveSpecification", Map{{"AttributeName", "ttl"}, {"Enabled", true}}}}));
  EXPECT_EQ(calls[2].operation, "UpdateContinuousBackups");
  EXPECT_EQ(calls[2].input,
            (Map{{"TableName", "user.orders"},
                 {"PointInTimeRecoverySpecification",
                  Map{{"PointInTimeRecoveryEnabled", true}, {"RecoveryPeriodInDays", 7}}}}));
}

TEST(MakeCalls, NeedsOneForAPlainTable) {
  const std::vector<ServiceCall> calls = MakeCalls(Plain());
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(CanonicalJson(calls[0].input), R"({
  "AttributeDefinitions": [
    {
      "AttributeName": "pk",
      "AttributeType": "S"
    }
  ],
  "BillingMode": "PAY_PER_REQUEST",
  "KeySchema": [
    {
      "AttributeName": "pk",
      "KeyType": "HASH"
    }
  ],
  "TableName": "orders"
}
)");
}

TEST(MakeCloudFormation, HasEverythingInOneResource) {
  const Map document = MakeCloudFormation(Everything());
  const Map& properties = PropertiesOf(document, "UserOrdersTable");
  EXPECT_EQ(properties.at("TimeToLiveSpecification"),
            AttributeValue(Map{{"AttributeName", "ttl"}, {"Enabled", true}}));
  EXPECT_EQ(properties.at("PointInTimeRecoverySpecification"),
            AttributeValue(Map{{"PointInTimeRecoveryEnabled", true}, {"RecoveryPeriodInDays", 7}}));
  EXPECT_EQ(properties.at("StreamSpecification"),
            AttributeValue(Map{{"StreamViewType", "NEW_AND_OLD_IMAGES"}}));
  EXPECT_EQ(
      properties.at("SSESpecification"),
      AttributeValue(Map{
          {"SSEEnabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", "arn:aws:kms:x:y:key/z"}}));
  EXPECT_EQ(properties.at("DeletionProtectionEnabled"), AttributeValue(true));
  EXPECT_EQ(properties.at("ProvisionedThroughput"),
            AttributeValue(Map{{"ReadCapacityUnits", 5}, {"WriteCapacityUnits", 6}}));
  EXPECT_EQ(
      properties.at("GlobalSecondaryIndexes"),
      AttributeValue(List{Map{
          {"IndexName", "by_day"},
          {"KeySchema", List{Map{{"AttributeName", "day"}, {"KeyType", "HASH"}}}},
          {"Projection", Map{{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", List{"total"}}}},
          {"ProvisionedThroughput", Map{{"ReadCapacityUnits", 3}, {"WriteCapacityUnits", 4}}}}}));
  EXPECT_EQ(properties.at("LocalSecondaryIndexes").If<List>()->size(), 1U);
  EXPECT_EQ(properties.at("Tags"),
            AttributeValue(List{Map{{"Key", "team"}, {"Value", "billing"}}}));
}

TEST(MakeCloudFormation, KeepsTablesWhenTheStackGoes) {
  const Map document = MakeCloudFormation({{"A", Plain()}, {"B", Everything()}});
  const Map& resources = *document.at("Resources").If<Map>();
  ASSERT_EQ(resources.size(), 2U);
  for (const auto& [id, resource] : resources) {
    EXPECT_EQ(resource.If<Map>()->at("DeletionPolicy"), AttributeValue("Retain"));
    EXPECT_EQ(resource.If<Map>()->at("UpdateReplacePolicy"), AttributeValue("Retain"));
  }
}

TEST(MakeTerraform, HasEverythingInOneResource) {
  EXPECT_EQ(CanonicalJson(MakeTerraform(Everything())), R"({
  "resource": {
    "aws_dynamodb_table": {
      "user_orders": {
        "attribute": [
          {
            "name": "pk",
            "type": "S"
          },
          {
            "name": "sk",
            "type": "B"
          },
          {
            "name": "day",
            "type": "N"
          }
        ],
        "billing_mode": "PROVISIONED",
        "deletion_protection_enabled": true,
        "global_secondary_index": [
          {
            "hash_key": "day",
            "name": "by_day",
            "non_key_attributes": [
              "total"
            ],
            "projection_type": "INCLUDE",
            "read_capacity": 3,
            "write_capacity": 4
          }
        ],
        "hash_key": "pk",
        "lifecycle": {
          "prevent_destroy": true
        },
        "local_secondary_index": [
          {
            "name": "in_day",
            "projection_type": "KEYS_ONLY",
            "range_key": "day"
          }
        ],
        "name": "user.orders",
        "point_in_time_recovery": {
          "enabled": true,
          "recovery_period_in_days": 7
        },
        "range_key": "sk",
        "read_capacity": 5,
        "server_side_encryption": {
          "enabled": true,
          "kms_key_arn": "arn:aws:kms:x:y:key/z"
        },
        "stream_enabled": true,
        "stream_view_type": "NEW_AND_OLD_IMAGES",
        "tags": {
          "team": "billing"
        },
        "ttl": {
          "attribute_name": "ttl",
          "enabled": true
        },
        "write_capacity": 6
      }
    }
  }
}
)");
}

TEST(LogicalId, HasLettersAndDigitsOnly) {
  EXPECT_EQ(LogicalId("user-profiles"), "UserProfilesTable");
  EXPECT_EQ(LogicalId("a.b_2"), "AB2Table");
}

TEST(ResourceName, IsOneThatTerraformAccepts) {
  EXPECT_EQ(ResourceName("user.profiles-2"), "user_profiles_2");
  EXPECT_EQ(ResourceName("2fast"), "_2fast");
}

}  // namespace
}  // namespace stator::provision
