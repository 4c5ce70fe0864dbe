// The credentials file, and the words in which access is denied.

#include "server/credentials.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace stator::server {
namespace {

Result<std::string> NoPolicies(std::string_view name) {
  return Fail(ErrorCode::kIo, "cannot read " + std::string(name));
}

std::string Refusal(std::string_view text) {
  Credentials credentials;
  const Result<void> added = credentials.AddProfiles(text, NoPolicies);
  EXPECT_FALSE(added.has_value()) << text;
  return added ? "" : added.error().message;
}

TEST(Credentials, ReadsTheFileThatAwsToolsUse) {
  Credentials credentials;
  const Result<void> added = credentials.AddProfiles(
      "# mine\r\n"
      "[default]\n"
      "aws_access_key_id = AKIDONE\n"
      "aws_secret_access_key=a/b+c=\n"
      "region = eu-west-1\n"
      "\n"
      "[ temporary ]\n"
      "aws_access_key_id = AKIDTWO\n"
      "aws_secret_access_key = two\n"
      "aws_session_token = token\n"
      "; a profile without a key\n"
      "[sso]\n"
      "sso_session = x",
      NoPolicies);
  ASSERT_TRUE(added.has_value()) << added.error().message;
  EXPECT_EQ(credentials.size(), 2);
  const Principal* const one = credentials.Find("AKIDONE");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->name(), "default");
  EXPECT_EQ(one->key().secret_access_key, "a/b+c=");
  EXPECT_TRUE(one->Authorize({"dynamodb:DeleteTable", "arn:anything"}).has_value());
  const Principal* const two = credentials.Find("AKIDTWO");
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->name(), "temporary");
  EXPECT_EQ(two->key().session_token, "token");
  EXPECT_EQ(credentials.Find("AKIDTHREE"), nullptr);
}

TEST(Credentials, RefusesWhatIsWrongWithoutTellingSecrets) {
  EXPECT_EQ(Refusal("aws_access_key_id = A"), "line 1: a value before the first [profile]");
  EXPECT_EQ(Refusal("[a"), "line 1: a profile is a name in brackets");
  EXPECT_EQ(Refusal("[a]\nsecret"), "line 2: neither a [profile] nor name = value");
  EXPECT_EQ(Refusal("[a]\nstator_polcy = x"), "line 2: unknown name 'stator_polcy'");
  EXPECT_EQ(Refusal("[a]\naws_secret_access_key = hidden"),
            "profile 'a': an access key needs aws_access_key_id and aws_secret_access_key");
  EXPECT_EQ(Refusal("[a]\naws_access_key_id=A\naws_secret_access_key=s\nstator_policy=p.json"),
            "cannot read p.json");
  EXPECT_EQ(Refusal("[a]\naws_access_key_id=A\naws_secret_access_key=s\n"
                    "[b]\naws_access_key_id=A\naws_secret_access_key=t\n"),
            "the access key A is given twice");
}

TEST(Credentials, TagsSayWhoseAKeyIs) {
  Credentials credentials;
  const auto policy = [](std::string_view /*name*/) -> Result<std::string> {
    return R"({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition":
        {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys":
        "${aws:username}#${aws:PrincipalTag/owner}"}}}})";
  };
  const std::string profile =
      "[app]\naws_access_key_id=A\naws_secret_access_key=s\n"
      "stator_policy=own.json\n";
  ASSERT_TRUE(credentials.AddProfiles(profile + "stator_tag_owner = ann", policy).has_value());
  const wire::Authorizer* const authorizer = credentials.Find("A");
  EXPECT_TRUE(authorizer->AsksForKeys());
  const auto may = [&](const std::string& key) {
    const std::vector<std::string> keys{key};
    return authorizer
        ->Authorize({.action = "dynamodb:GetItem", .resource = "arn", .leading_keys = keys})
        .has_value();
  };
  EXPECT_TRUE(may("app#ann"));
  EXPECT_FALSE(may("app#ben"));
  EXPECT_EQ(Credentials().AddProfiles(profile, policy).error().message,
            "profile 'app': own.json: statement 1 of the policy uses a policy variable, which is "
            "not supported");
  EXPECT_EQ(Refusal("[a]\nstator_tag_owner = a*"),
            "line 2: a tag has no *, ? and $, which mean something in policies");
}

TEST(Credentials, DeniesInTheWordsOfAws) {
  Credentials credentials;
  const auto policy = [](std::string_view name) -> Result<std::string> {
    EXPECT_EQ(name, "reading.json");
    return R"({"Statement": [{"Effect": "Allow", "Action": "dynamodb:Get*", "Resource": "*"},
                             {"Effect": "Deny", "Action": "*", "Resource": "*/secret"}]})";
  };
  ASSERT_TRUE(credentials
                  .AddProfiles("[reporting]\naws_access_key_id=A\naws_secret_access_key=s\n"
                               "stator_policy=reading.json",
                               policy)
                  .has_value());
  const wire::Authorizer* const authorizer = credentials.Find("A");
  ASSERT_NE(authorizer, nullptr);
  constexpr std::string_view kTable = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";
  EXPECT_TRUE(
      authorizer->Authorize({.action = "dynamodb:GetItem", .resource = kTable}).has_value());
  const Result<void> unnamed =
      authorizer->Authorize({.action = "dynamodb:PutItem", .resource = kTable});
  ASSERT_FALSE(unnamed.has_value());
  EXPECT_EQ(unnamed.error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(unnamed.error().message,
            "User: arn:aws:iam::000000000000:user/reporting is not authorized to perform: "
            "dynamodb:PutItem on resource: arn:aws:dynamodb:eu-west-1:000000000000:table/orders "
            "because no identity-based policy allows the dynamodb:PutItem action");
  const Result<void> denied =
      authorizer->Authorize({.action = "dynamodb:GetItem", .resource = "arn:table/secret"});
  ASSERT_FALSE(denied.has_value());
  EXPECT_EQ(denied.error().message,
            "User: arn:aws:iam::000000000000:user/reporting is not authorized to perform: "
            "dynamodb:GetItem on resource: arn:table/secret with an explicit deny in an "
            "identity-based policy");
}

TEST(Credentials, AFileThatIsNotThereIsAnError) {
  Credentials credentials;
  const Result<void> added = credentials.AddFile("no/such/file");
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().message, "cannot read no/such/file: No such file or directory");
}

}  // namespace
}  // namespace stator::server
