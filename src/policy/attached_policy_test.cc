// Policies that are attached to a resource: whom they are about, what they decide together with those of
// the caller, and which are refused.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "policy/policy.h"

namespace stator::policy {
namespace {

constexpr std::string_view kOrders = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";

Policy Attached(std::string_view json) {
  const Result<Policy> policy = Policy::ParseAttached(json);
  EXPECT_TRUE(policy.has_value()) << policy.error().message;
  return policy.value_or(Policy());
}

// One statement on everything, with more members.
std::string One(std::string_view effect, std::string_view members) {
  return R"({"Statement": {"Effect": ")" + std::string(effect) +
         R"(", "Action": "dynamodb:*", "Resource": "*", )" + std::string(members) + "}}";
}

Identity User(const std::string& name) {
  const std::string arn = "arn:aws:iam::000000000000:user/" + name;
  return {.arn = arn,
          .principal_arn = arn,
          .account = "000000000000",
          .variables = {{"aws:username", name}}};
}

Identity Session(const std::string& role) {
  return {.arn = "arn:aws:sts::000000000000:assumed-role/" + role + "/one",
          .principal_arn = "arn:aws:iam::000000000000:role/" + role,
          .account = "000000000000"};
}

Decision Says(const std::string& json, const Identity& who,
              std::string_view action = "dynamodb:GetItem", std::string_view resource = kOrders) {
  return Attached(json).Evaluate({action, resource}, &who);
}

std::string Refusal(std::string_view json, std::string_view arn = kOrders) {
  const Result<Policy> policy = Policy::ParseAttached(json);
  const Result<void> fits = policy ? policy->CheckFor(arn) : std::unexpected(policy.error());
  EXPECT_FALSE(fits.has_value()) << json;
  return fits ? "" : fits.error().message;
}

TEST(AttachedPolicy, AllowsThoseWhomItNames) {
  const std::string ann =
      One("Allow", R"("Principal": {"AWS": "arn:aws:iam::000000000000:user/ann"})");
  EXPECT_EQ(Says(ann, User("ann")), Decision::kAllow);
  EXPECT_EQ(Says(ann, User("ben")), Decision::kImplicitDeny);
  EXPECT_EQ(Says(ann, Session("ann")), Decision::kImplicitDeny);
  const std::string several = One("Allow", R"("Principal": {"AWS": [
      "arn:aws:iam::000000000000:role/reader",
      "arn:aws:sts::000000000000:assumed-role/writer/one"]})");
  EXPECT_EQ(Says(several, Session("reader")), Decision::kAllow);
  EXPECT_EQ(Says(several, Session("writer")), Decision::kAllow);
  EXPECT_EQ(Says(several, Session("other")), Decision::kImplicitDeny);
  const std::string anybody = One("Deny", R"("Principal": "*")");
  EXPECT_EQ(Says(anybody, User("ann")), Decision::kExplicitDeny);
  EXPECT_EQ(Says(One("Deny", R"("Principal": {"AWS": ["*"]})"), Session("a")),
            Decision::kExplicitDeny);
}

// As IAM has it: an account is allowed to allow its users something, and denied for all of them.
TEST(AttachedPolicy, LeavesItToAnAccountWhatItsUsersMay) {
  for (const char* account : {"\"000000000000\"", "\"arn:aws:iam::000000000000:root\""}) {
    const std::string principal = R"("Principal": {"AWS": )" + std::string(account) + "}";
    EXPECT_EQ(Says(One("Allow", principal), User("ann")), Decision::kImplicitDeny);
    EXPECT_EQ(Says(One("Deny", principal), User("ann")), Decision::kExplicitDeny);
  }
  EXPECT_EQ(Says(One("Deny", R"("Principal": {"AWS": "111122223333"})"), User("ann")),
            Decision::kImplicitDeny);
  EXPECT_EQ(Says(One("Deny", R"("Principal": {"Service": "redshift.amazonaws.com"})"), User("ann")),
            Decision::kImplicitDeny);
}

TEST(AttachedPolicy, HasConditionsOnWhoAsks) {
  const std::string all_but = One("Deny", R"("Principal": "*", "Condition": {"ArnNotEquals":
      {"aws:PrincipalArn": ["arn:aws:iam::000000000000:user/ann", "arn:*:role/admin*"]}})");
  EXPECT_EQ(Says(all_but, User("ann")), Decision::kImplicitDeny);
  EXPECT_EQ(Says(all_but, Session("admins")), Decision::kImplicitDeny);
  EXPECT_EQ(Says(all_but, User("ben")), Decision::kExplicitDeny);
  const std::string exact = One("Allow", R"("Principal": "*", "Condition": {"StringEquals":
      {"aws:PrincipalArn": "arn:aws:iam::000000000000:user/ann",
       "aws:PrincipalAccount": "000000000000"}})");
  EXPECT_EQ(Says(exact, User("ann")), Decision::kAllow);
  EXPECT_EQ(Says(exact, User("ben")), Decision::kImplicitDeny);
  const std::string wildcards_are_text = One("Allow", R"("Principal": "*", "Condition":
      {"StringEquals": {"aws:PrincipalArn": "*"}})");
  EXPECT_EQ(Says(wildcards_are_text, User("ann")), Decision::kImplicitDeny);
}

TEST(AttachedPolicy, VariablesAreThoseOfWhoeverAsks) {
  const Policy policy = Attached(R"({"Statement": {"Effect": "Allow", "Action": "dynamodb:GetItem",
      "Resource": "*", "Principal": {"AWS": ["arn:aws:iam::000000000000:user/ann",
      "arn:aws:iam::000000000000:role/reader"]}, "Condition": {"ForAllValues:StringLike":
      {"dynamodb:LeadingKeys": "${aws:username}#*"}}}})");
  EXPECT_TRUE(policy.AsksForKeys());
  const auto says = [&](const Identity& who, const std::string& key) {
    const std::vector<std::string> keys = {key};
    return policy.Evaluate({"dynamodb:GetItem", kOrders, keys}, &who);
  };
  EXPECT_EQ(says(User("ann"), "ann#1"), Decision::kAllow);
  EXPECT_EQ(says(User("ann"), "ben#1"), Decision::kImplicitDeny);
  EXPECT_EQ(says(Session("reader"), "${aws:username}#1"), Decision::kImplicitDeny);
}

TEST(AttachedPolicy, DecidesTogetherWithThatOfTheCaller) {
  const Policy reads = Policy::Parse(R"({"Statement": [
      {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*"},
      {"Effect": "Deny", "Action": "dynamodb:Scan", "Resource": "*"}]})")
                           .value();
  const Policy attached = Attached(R"({"Statement": [
      {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:Scan"], "Resource": "*",
       "Principal": {"AWS": "arn:aws:iam::000000000000:user/ann"}},
      {"Effect": "Deny", "Action": "dynamodb:DeleteItem", "Resource": "*", "Principal": "*"}]})");
  const auto decide = [&](const Policy* own, std::string_view action) {
    return Decide(own, User("ann"), {.action = action, .resource = kOrders, .attached = &attached});
  };
  EXPECT_EQ(decide(&reads, "dynamodb:GetItem").decision, Decision::kAllow);
  EXPECT_EQ(decide(&reads, "dynamodb:PutItem").decision, Decision::kAllow);
  EXPECT_EQ(decide(&reads, "dynamodb:Query").decision, Decision::kImplicitDeny);
  EXPECT_EQ(decide(&reads, "dynamodb:Scan").decision, Decision::kExplicitDeny);
  EXPECT_FALSE(decide(&reads, "dynamodb:Scan").is_of_resource);
  EXPECT_EQ(decide(nullptr, "dynamodb:Query").decision, Decision::kAllow);
  EXPECT_EQ(decide(nullptr, "dynamodb:DeleteItem").decision, Decision::kExplicitDeny);
  EXPECT_TRUE(decide(nullptr, "dynamodb:DeleteItem").is_of_resource);
}

TEST(AttachedPolicy, IsAboutItsResource) {
  const auto about = [](std::string_view resource) {
    return R"({"Statement": {"Effect": "Deny", "Principal": "*", "Action": "*", "Resource": ")" +
           std::string(resource) + R"("}})";
  };
  const std::string orders(kOrders);
  for (const std::string& good :
       {orders, orders + "/index/by-date", orders + "/*", std::string("*"),
        std::string("arn:aws:dynamodb:*:*:table/orders/index/by-date"), orders + "*"}) {
    EXPECT_TRUE(Attached(about(good)).CheckFor(kOrders).has_value()) << good;
  }
  EXPECT_EQ(Refusal(about(orders + "2")), "statement 1 of the policy has the Resource " + orders +
                                              "2, which is not " + orders + " nor an index of it");
  EXPECT_FALSE(Refusal(about("arn:aws:dynamodb:eu-west-1:000000000000:table/orders")).empty());
  EXPECT_FALSE(Refusal(about(orders), orders + "/stream/2026-11-16T00:00:00.000").empty());
}

TEST(AttachedPolicy, GrantsNothingToTheWorld) {
  const std::string_view kPublic =
      "statement 1 of the policy grants public access: name the accounts, users and roles in "
      "Principal, or those in a condition on aws:PrincipalArn or aws:PrincipalAccount";
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": "*")")), kPublic);
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": {"AWS": ["111122223333", "*"]})")), kPublic);
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": "*", "Condition": {"ArnLike":
      {"aws:PrincipalArn": "arn:aws:iam::*:user/ann"}})")),
            kPublic);
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": "*", "Condition": {"StringNotEquals":
      {"aws:PrincipalAccount": "111122223333"}})")),
            kPublic);
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": "*", "Condition": {"ForAllValues:StringEquals":
      {"dynamodb:LeadingKeys": "a"}})")),
            kPublic);
  EXPECT_TRUE(Attached(One("Allow", R"("Principal": "*", "Condition": {"StringEquals":
      {"aws:PrincipalAccount": "111122223333"}})"))
                  .CheckFor(kOrders)
                  .has_value());
  EXPECT_TRUE(Attached(One("Deny", R"("Principal": "*")")).CheckFor(kOrders).has_value());
}

TEST(AttachedPolicy, RefusesWhatItWouldOnlyHalfUnderstand) {
  EXPECT_EQ(Refusal(R"({"Statement": []})"), "a policy needs a statement");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}})"),
            "statement 1 of the policy needs a Principal");
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": "ann")")),
            R"(statement 1 of the policy has a Principal that is neither "*" nor {"AWS": ...})");
  EXPECT_EQ(Refusal(One("Allow", R"("Principal": {"Federated": "x"})")),
            "statement 1 of the policy has a Principal of the kind 'Federated', which is not "
            "supported");
  for (const char* wrong : {"ann", "12345678901", "arn:aws:iam::000000000000:user/*",
                            "arn:aws:iam::000000000000:group/all", "arn:aws:iam::0:user/ann",
                            "arn:aws:iam::000000000000:user/"}) {
    EXPECT_EQ(Refusal(One("Allow", R"("Principal": {"AWS": ")" + std::string(wrong) + R"("})")),
              "Invalid principal in policy: " + std::string(wrong) +
                  " is neither an account nor the ARN of a user or a role");
  }
  EXPECT_EQ(Refusal(One("Allow", R"("NotPrincipal": "*")")),
            "statement 1 of the policy has 'NotPrincipal', which is not supported");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Deny", "Principal": "*", "Resource": "*",
      "Action": ["dynamodb:GetItem", "dynamodb:GetItm"]}})"),
            "The following action names are invalid: \"dynamodb:GetItm\"");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Deny", "Principal": "*", "Resource": "*",
      "Action": "s3:*"}})"),
            "The following action names are invalid: \"s3:*\"");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Deny", "Principal": "*", "Resource": "*",
      "Action": []}})"),
            "statement 1 of the policy has a Action of nothing");
  EXPECT_EQ(Refusal(One("Deny", R"("Principal": "*", "Condition": {"StringEquals":
      {"aws:SourceVpc": "v"}})")),
            "statement 1 of the policy has a Condition that is not supported: StringEquals");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Deny", "Principal": "*", "Action": "*",
      "Resource": "*${aws:userid}"}})"),
            "statement 1 of the policy uses a policy variable, which is not supported");
  EXPECT_EQ(Refusal(R"({"Statement": {"Effect": "Deny", "Principal": "*", "Action": "*",
      "Resource": "*${aws:username"}})"),
            "statement 1 of the policy uses a policy variable, which is not supported");
}

}  // namespace
}  // namespace stator::policy
