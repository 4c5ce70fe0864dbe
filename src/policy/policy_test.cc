// Policies: what they allow, that a Deny wins, and that nothing half understood is accepted.

#include "policy/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stator::policy {
namespace {

constexpr std::string_view kOrders = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";

Policy Parsed(std::string_view json) {
  const Result<Policy> policy = Policy::Parse(json);
  EXPECT_TRUE(policy.has_value()) << policy.error().message;
  return policy.value_or(Policy());
}

std::string Refusal(std::string_view json) {
  const Result<Policy> policy = Policy::Parse(json);
  EXPECT_FALSE(policy.has_value()) << json;
  return policy ? "" : policy.error().message;
}

TEST(Policy, AllowsWhatAStatementNamesAndNothingElse) {
  const Policy policy = Parsed(R"({"Version": "2012-10-17", "Statement": [
      {"Sid": "a", "Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Batch*"],
       "Resource": "arn:aws:dynamodb:*:*:table/ord?rs"}]})");
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", kOrders}), Decision::kAllow);
  EXPECT_EQ(policy.Evaluate({"dynamodb:BatchGetItem", kOrders}), Decision::kAllow);
  EXPECT_EQ(policy.Evaluate({"DynamoDB:getitem", kOrders}), Decision::kAllow);
  EXPECT_EQ(policy.Evaluate({"dynamodb:PutItem", kOrders}), Decision::kImplicitDeny);
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:0:table/ORDERS"}),
            Decision::kImplicitDeny);
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", std::string(kOrders) + "/index/by-date"}),
            Decision::kImplicitDeny);
}

TEST(Policy, ADenyWinsWhereverItStands) {
  const Policy policy = Parsed(R"({"Statement": [
      {"Effect": "Deny", "Action": "dynamodb:Delete*", "Resource": "*"},
      {"Effect": "Allow", "Action": "*", "Resource": "*"}]})");
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", kOrders}), Decision::kAllow);
  EXPECT_EQ(policy.Evaluate({"dynamodb:DeleteItem", kOrders}), Decision::kExplicitDeny);
}

TEST(Policy, NegatedListsMatchEverythingElse) {
  const Policy policy = Parsed(R"({"Statement": {"Effect": "Allow",
      "NotAction": "dynamodb:DeleteTable", "NotResource": "*:table/secret*"}})");
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", kOrders}), Decision::kAllow);
  EXPECT_EQ(policy.Evaluate({"dynamodb:DeleteTable", kOrders}), Decision::kImplicitDeny);
  EXPECT_EQ(policy.Evaluate({"dynamodb:GetItem", "arn:x:table/secrets"}), Decision::kImplicitDeny);
}

TEST(Policy, RefusesWhatItWouldOnlyHalfUnderstand) {
  EXPECT_EQ(Refusal(R"({"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"},
      {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition":
      {"StringEquals": {"aws:SourceVpc": "v"}}}]})"),
            "statement 2 of the policy has a Condition that is not supported: StringEquals");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*",
      "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "a",
      "dynamodb:Attributes": "b"}}}})"),
            "statement 1 of the policy has a Condition that is not supported: "
            "ForAllValues:StringEquals");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*",
      "Condition": "no"}})"),
            "statement 1 of the policy has a Condition that is no object");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Principal": "*", "Action": "*",
      "Resource": "*"}})"),
            "statement 1 of the policy has 'Principal', which is not supported");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*",
      "Resource": "*:table/${aws:username}"}})"),
            "statement 1 of the policy uses a policy variable, which is not supported");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "allow", "Action": "*", "Resource": "*"}})"),
            "statement 1 of the policy needs an Effect of Allow or Deny");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Resource": "*"}})"),
            "statement 1 of the policy needs one of Action and NotAction");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "NotAction": "*",
      "Resource": "*"}})"),
            "statement 1 of the policy needs one of Action and NotAction");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": [1], "Resource": "*"}})"),
            "statement 1 of the policy has a Action that is no text");
  EXPECT_EQ(Refusal(R"({"Statement": "Allow"})"),
            "the Statement of a policy is an object or a list of objects");
  EXPECT_EQ(Refusal("[]"), "a policy is a JSON object with a Statement");
  EXPECT_FALSE(Refusal("{").empty());
}

TEST(Policy, KeepsCallersInTheirPartitions) {
  const Policy policy = Parsed(R"({"Statement": [
      {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*",
       "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a", "b*"]}}},
      {"Effect": "Allow", "Action": "dynamodb:Query", "Resource": "*",
       "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "b*"}}}]})");
  EXPECT_TRUE(policy.AsksForKeys());
  const auto may = [&](std::string_view action, const std::vector<std::string>& keys) {
    return policy.Evaluate({action, kOrders, keys}) == Decision::kAllow;
  };
  EXPECT_TRUE(may("dynamodb:GetItem", {"a"}));
  EXPECT_TRUE(may("dynamodb:GetItem", {"a", "b*"}));
  EXPECT_FALSE(may("dynamodb:GetItem", {"a", "c"}));
  EXPECT_FALSE(may("dynamodb:GetItem", {"bc"}));
  EXPECT_TRUE(may("dynamodb:Query", {"bc"}));
  EXPECT_FALSE(may("dynamodb:Query", {"cb"}));
  EXPECT_TRUE(may("dynamodb:Query", {}));  // As IAM has it: no key is outside.
  EXPECT_FALSE(Parsed(R"({"Statement": []})").AsksForKeys());
}

TEST(Policy, KeepsCallersFromReadingWholeTables) {
  const Policy policy = Parsed(R"({"Statement": [
      {"Effect": "Deny", "Action": "dynamodb:PartiQLSelect", "Resource": "*",
       "Condition": {"Bool": {"dynamodb:FullTableScan": ["true"]}}},
      {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}]})");
  EXPECT_TRUE(policy.AsksForKeys());
  const auto decision = [&](std::optional<bool> full_table_scan) {
    return policy.Evaluate({"dynamodb:PartiQLSelect", kOrders, {}, full_table_scan});
  };
  EXPECT_EQ(decision(true), Decision::kExplicitDeny);
  EXPECT_EQ(decision(false), Decision::kAllow);
  EXPECT_EQ(decision(std::nullopt), Decision::kAllow);
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*",
      "Condition": {"Bool": {"dynamodb:FullTableScan": ["yes"]}}}})"),
            "statement 1 of the policy has a Condition that is neither true nor false");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*",
      "Condition": {"Bool": {"aws:SecureTransport": "true"}}}})"),
            "statement 1 of the policy has a Condition that is not supported: Bool");
}

TEST(Policy, VariablesSayWhoAsks) {
  const auto policy = Policy::Parse(R"({"Statement": {"Effect": "Allow", "Action": "*",
      "Resource": "*:table/${aws:username}-*", "Condition": {"ForAllValues:StringLike":
      {"dynamodb:LeadingKeys": "OWNER#${aws:PrincipalTag/owner}#*"}}}})",
                                    {{"aws:username", "app"}, {"aws:PrincipalTag/owner", "ann"}});
  ASSERT_TRUE(policy.has_value()) << policy.error().message;
  const auto decision = [&](std::string_view table, const std::string& key) {
    return policy->Evaluate(
        {"dynamodb:GetItem", "arn:table/" + std::string(table), std::vector<std::string>{key}});
  };
  EXPECT_EQ(decision("app-orders", "OWNER#ann#1"), Decision::kAllow);
  EXPECT_EQ(decision("app-orders", "OWNER#ben#1"), Decision::kImplicitDeny);
  EXPECT_EQ(decision("other-orders", "OWNER#ann#1"), Decision::kImplicitDeny);
}

TEST(Policy, AnEmptyOneDeniesEverything) {
  EXPECT_EQ(Parsed(R"({"Statement": []})").Evaluate({"dynamodb:GetItem", kOrders}),
            Decision::kImplicitDeny);
}

TEST(MatchesWildcards, GoesBackWhereItMust) {
  EXPECT_TRUE(MatchesWildcards("*", ""));
  EXPECT_TRUE(MatchesWildcards("a*b*c", "aXbYbZc"));
  EXPECT_TRUE(MatchesWildcards("a**", "a"));
  EXPECT_TRUE(MatchesWildcards("?*?", "ab"));
  EXPECT_FALSE(MatchesWildcards("?*?", "a"));
  EXPECT_FALSE(MatchesWildcards("a*b", "aXc"));
  EXPECT_FALSE(MatchesWildcards("", "a"));
  EXPECT_FALSE(MatchesWildcards("a", ""));
  // Quadratic at worst, not exponential.
  const std::string many_a(2000, 'a');
  EXPECT_FALSE(MatchesWildcards("*a*a*a*a*a*a*a*a*b", many_a));
}

}  // namespace
}  // namespace stator::policy
