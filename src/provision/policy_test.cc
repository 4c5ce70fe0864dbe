// The documents that policies are written as. That they are enough and not too much is the subject
// of test/provision/policy_test.cc.

#include "stator/provision/policy.h"

#include <gtest/gtest.h>

#include "stator/mapping/schema.h"
#include "stator/provision/table_keys.h"

namespace stator::provision {
namespace {

TEST(MakePolicy, NamesTheTableAndExactlyTheIndexesThatAreQueried) {
  const Map policy = MakePolicy({{.table_arn = TableArn("orders", "eu-central-1", "123456789012"),
                                  .actions = {"PutItem", "GetItem"},
                                  .queried_indexes = {"by_day"}}});
  EXPECT_EQ(CanonicalJson(policy), R"({
  "Statement": [
    {
      "Action": [
        "dynamodb:GetItem",
        "dynamodb:PutItem"
      ],
      "Effect": "Allow",
      "Resource": [
        "arn:aws:dynamodb:eu-central-1:123456789012:table/orders"
      ]
    },
    {
      "Action": [
        "dynamodb:Query"
      ],
      "Effect": "Allow",
      "Resource": [
        "arn:aws:dynamodb:eu-central-1:123456789012:table/orders/index/by_day"
      ]
    }
  ],
  "Version": "2012-10-17"
}
)");
}

TEST(MakePolicy, KeepsOwnersInTheirPartitions) {
  const Map policy = MakePolicy({{.table_arn = TableArn("orders"),
                                  .actions = {"Query"},
                                  .queried_indexes = {"by_day"},
                                  .leading_key = "OWNER#${aws:PrincipalTag/owner}"}});
  const Map condition{{"ForAllValues:StringEquals",
                       Map{{"dynamodb:LeadingKeys", List{"OWNER#${aws:PrincipalTag/owner}"}}}}};
  const List& statements = *policy.at("Statement").If<List>();
  ASSERT_EQ(statements.size(), 2U);
  for (const AttributeValue& statement : statements) {
    EXPECT_EQ(statement.If<Map>()->at("Condition"), AttributeValue(condition));
  }
}

TEST(MakePolicy, ComparesWithWildcardsWhereThereAreSome) {
  const Map policy = MakePolicy(
      {{.table_arn = TableArn("orders"), .actions = {"GetItem"}, .leading_key = "${me}#*"}});
  EXPECT_TRUE(policy.at("Statement")
                  .If<List>()
                  ->front()
                  .If<Map>()
                  ->at("Condition")
                  .If<Map>()
                  ->contains("ForAllValues:StringLike"));
}

TEST(AllowKey, AddsWhatTheKeyHasToAllow) {
  constexpr const char* kKey = "arn:aws:kms:eu-central-1:123456789012:key/1";
  for (const KeyUse use : {KeyUse::kItems, KeyUse::kTables}) {
    Map policy = MakePolicy({{.table_arn = TableArn("orders"), .actions = {"GetItem"}}});
    AllowKey(kKey, use, policy);
    const List& statements = *policy.at("Statement").If<List>();
    ASSERT_EQ(statements.size(), 2U);
    const std::string text = CanonicalJson(*statements.back().If<Map>());
    EXPECT_NE(text.find(kKey), std::string::npos);
    EXPECT_NE(text.find("kms:Decrypt"), std::string::npos);
    EXPECT_NE(text.find("dynamodb.*.amazonaws.com"), std::string::npos);
    EXPECT_EQ(text.find("kms:CreateGrant") != std::string::npos, use == KeyUse::kTables);
  }
}

TEST(MakePolicy, SaysNothingAboutWhatIsNotUsed) {
  EXPECT_EQ(MakePolicy({{.table_arn = TableArn("orders"), .actions = {}}}).at("Statement"),
            AttributeValue(List()));
}

}  // namespace
}  // namespace stator::provision
