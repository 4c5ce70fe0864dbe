// Each provider of credentials against a server that speaks its protocol, and the chain of them.
// Time, environment, files and programs are the test's own.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "client/assumed_role.h"
#include "client/container_credentials.h"
#include "client/default_credentials.h"
#include "client/instance_credentials.h"
#include "client/profile_credentials.h"
#include "client/scripted_server.h"
#include "transport/curl_transport.h"

namespace stator::client {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr TimePoint kNow{seconds(1'794'744'000)};  // 2026-11-15T12:00:00Z
constexpr std::string_view kKeys =
    R"({"Code":"Success","AccessKeyId":"AKID","SecretAccessKey":"secret","Token":"token",)"
    R"("Expiration":"2026-11-15T13:00:00Z"})";
constexpr std::string_view kStsAnswer =
    "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA</AccessKeyId>"
    "<SecretAccessKey>of role</SecretAccessKey><SessionToken>session</SessionToken>"
    "<Expiration>2026-11-15T13:00:00Z</Expiration></Credentials></AssumeRoleResult>"
    "</AssumeRoleResponse>";

class CredentialsTest : public testing::Test {
 protected:
  ProcessContext Here() {
    ProcessContext here;
    here.environment = [this](const std::string& name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
    here.read_file = [this](const std::string& path) -> Result<std::string> {
      const auto found = files_.find(path);
      if (found == files_.end()) {
        return Fail(ErrorCode::kResourceNotFound, "no such file");
      }
      return found->second;
    };
    here.run = [this](const std::string& command) -> Result<std::string> {
      commands_.push_back(command);
      return printed_;
    };
    here.transport = transport_;
    here.clock = &clock_;
    here.random = &random_;
    return here;
  }

  static Credentials Must(Result<std::optional<Credentials>> fetched) {
    if (!fetched || !*fetched) {
      ADD_FAILURE() << (fetched ? "nothing" : fetched.error().message);
      return {};
    }
    return **std::move(fetched);
  }

  std::map<std::string, std::string> variables_ = {{"HOME", "/users/u"}};
  std::map<std::string, std::string> files_;
  std::vector<std::string> commands_;
  std::string printed_;
  ManualClock clock_{kNow};
  SeededRandom random_{1};
  std::shared_ptr<transport::CurlTransport> transport_ =
      std::make_shared<transport::CurlTransport>();
};

TEST_F(CredentialsTest, AnInstanceIsAskedWithASessionToken) {
  ScriptedServer server([](const ReceivedRequest& request) {
    if (request.method == "PUT" && request.path == "/latest/api/token") {
      return Answer(200, "session");
    }
    if (request.Field("x-aws-ec2-metadata-token") != "session") {
      return Answer(401, "");
    }
    return request.path.ends_with("/security-credentials/") ? Answer(200, "the-role")
                                                            : Answer(200, kKeys);
  });
  variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = server.url() + "/";
  const Credentials credentials = Must(InstanceCredentials(Here()).Fetch());
  EXPECT_EQ(credentials.key.access_key_id, "AKID");
  EXPECT_EQ(credentials.key.secret_access_key, "secret");
  EXPECT_EQ(credentials.key.session_token, "token");
  EXPECT_EQ(credentials.expiration, kNow + hours(1));
  EXPECT_EQ(server.requests().back().path, "/latest/meta-data/iam/security-credentials/the-role");
  EXPECT_EQ(server.requests().front().Field("x-aws-ec2-metadata-token-ttl-seconds"), "21600");
}

TEST_F(CredentialsTest, AnInstanceWithoutARoleHasNone) {
  ScriptedServer server([](const ReceivedRequest& request) {
    return request.method == "PUT" ? Answer(200, "session") : Answer(404, "");
  });
  variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = server.url();
  const auto fetched = InstanceCredentials(Here()).Fetch();
  ASSERT_TRUE(fetched);
  EXPECT_FALSE(*fetched);
}

TEST_F(CredentialsTest, NoInstanceHasNone) {
  variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1";
  const auto fetched = InstanceCredentials(Here()).Fetch();
  ASSERT_TRUE(fetched);
  EXPECT_FALSE(*fetched);
}

TEST_F(CredentialsTest, TheInstanceCanBeLeftAlone) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, kKeys); });
  variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = server.url();
  variables_["AWS_EC2_METADATA_DISABLED"] = "true";
  const auto fetched = InstanceCredentials(Here()).Fetch();
  ASSERT_TRUE(fetched);
  EXPECT_FALSE(*fetched);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CredentialsTest, AContainerShowsItsToken) {
  ScriptedServer server([](const ReceivedRequest& request) {
    return request.Field("authorization") == "let me in" ? Answer(200, kKeys) : Answer(403, "");
  });
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = server.url() + "/v1/credentials";
  EXPECT_FALSE(ContainerCredentials(Here()).Fetch());
  variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "let me in";
  EXPECT_EQ(Must(ContainerCredentials(Here()).Fetch()).key.access_key_id, "AKID");
  variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/token";
  files_["/token"] = "another";
  EXPECT_FALSE(ContainerCredentials(Here()).Fetch());
  EXPECT_EQ(server.requests().back().path, "/v1/credentials");
}

TEST_F(CredentialsTest, ATokenIsNotSentInTheOpenToAnotherMachine) {
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://192.0.2.1/credentials";
  const auto fetched = ContainerCredentials(Here()).Fetch();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kValidation);
}

TEST_F(CredentialsTest, AWebIdentityBecomesARole) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, kStsAnswer); });
  variables_["AWS_ENDPOINT_URL_STS"] = server.url();
  variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  variables_["AWS_ROLE_ARN"] = "arn:aws:iam::123456789012:role/r";
  variables_["AWS_ROLE_SESSION_NAME"] = "me";
  files_["/token"] = "web/token\n";
  const Credentials credentials = Must(WebIdentityCredentials(Here(), "eu-central-1").Fetch());
  EXPECT_EQ(credentials.key.access_key_id, "ASIA");
  EXPECT_EQ(credentials.key.session_token, "session");
  EXPECT_EQ(credentials.expiration, kNow + hours(1));
  EXPECT_EQ(server.requests().back().body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A"
            "123456789012%3Arole%2Fr&RoleSessionName=me&DurationSeconds=3600&WebIdentityToken="
            "web%2Ftoken");
  EXPECT_EQ(server.requests().back().Field("authorization"), "");
}

TEST_F(CredentialsTest, AProfileTakesARoleOnWithTheKeysOfAnother) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, kStsAnswer); });
  variables_["AWS_ENDPOINT_URL_STS"] = server.url();
  files_["/users/u/.aws/config"] =
      "[profile build]\nrole_arn = arn:role\nsource_profile = base\nexternal_id = x\n"
      "region = eu-central-1\n";
  files_["/users/u/.aws/credentials"] =
      "[base]\naws_access_key_id = AKBASE\naws_secret_access_key = s\n";
  const Credentials credentials = Must(ProfileCredentials(Here(), "build", true).Fetch());
  EXPECT_EQ(credentials.key.access_key_id, "ASIA");
  const ReceivedRequest request = server.requests().back();
  EXPECT_TRUE(request.body.starts_with("Action=AssumeRole&")) << request.body;
  EXPECT_TRUE(request.body.ends_with("&ExternalId=x")) << request.body;
  EXPECT_TRUE(request.Field("authorization")
                  .contains("Credential=AKBASE/20261115/eu-central-1/sts/aws4_request"))
      << request.Field("authorization");
}

TEST_F(CredentialsTest, SourceProfilesInACircleEnd) {
  files_["/users/u/.aws/config"] =
      "[profile a]\nrole_arn = arn:a\nsource_profile = b\n"
      "[profile b]\nrole_arn = arn:b\nsource_profile = a\n";
  const auto fetched = ProfileCredentials(Here(), "a", true).Fetch();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kValidation);
}

TEST_F(CredentialsTest, AProgramPrintsThem) {
  files_["/users/u/.aws/config"] = "[default]\ncredential_process = /opt/keys --for \"me\"\n";
  printed_ = R"({"Version":1,"AccessKeyId":"AK","SecretAccessKey":"s","SessionToken":"t"})";
  const Credentials credentials = Must(ProfileCredentials(Here(), "default", false).Fetch());
  EXPECT_EQ(credentials.key.access_key_id, "AK");
  EXPECT_EQ(credentials.key.session_token, "t");
  EXPECT_FALSE(credentials.expiration);
  EXPECT_EQ(commands_, std::vector<std::string>{"/opt/keys --for \"me\""});
  printed_ = R"({"Version":2,"AccessKeyId":"AK","SecretAccessKey":"s"})";
  EXPECT_FALSE(ProfileCredentials(Here(), "default", false).Fetch());
}

TEST_F(CredentialsTest, AnSsoLoginIsTakenFromItsCache) {
  ScriptedServer server([](const ReceivedRequest& request) {
    return request.Field("x-amz-sso_bearer_token") == "bearer"
               ? Answer(200, R"({"roleCredentials":{"accessKeyId":"ASSO","secretAccessKey":"s",)"
                             R"("sessionToken":"t","expiration":1794747600000}})")
               : Answer(401, "");
  });
  variables_["AWS_ENDPOINT_URL_SSO"] = server.url();
  files_["/users/u/.aws/config"] =
      "[default]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = reader\n"
      "[sso-session corp]\nsso_region = eu-central-1\nsso_start_url = https://corp/start\n";
  const std::string cache =
      "/users/u/.aws/sso/cache/ee0bfd2552fbd840c02cc48b6e823320543c450f.json";  // sha1("corp")
  EXPECT_EQ(ProfileCredentials(Here(), "default", false).Fetch().error().code,
            ErrorCode::kExpiredToken);
  files_[cache] = R"({"accessToken":"bearer","expiresAt":"2026-11-15T12:30:00Z"})";
  const Credentials credentials = Must(ProfileCredentials(Here(), "default", false).Fetch());
  EXPECT_EQ(credentials.key.access_key_id, "ASSO");
  EXPECT_EQ(credentials.expiration, kNow + hours(1));
  EXPECT_EQ(server.requests().back().path,
            "/federation/credentials?role_name=reader&account_id=123456789012");
  clock_.Advance(hours(1));
  EXPECT_EQ(ProfileCredentials(Here(), "default", false).Fetch().error().code,
            ErrorCode::kExpiredToken);
}

TEST_F(CredentialsTest, TheFirstPlaceThatIsConfiguredCounts) {
  ScriptedServer server([](const ReceivedRequest&) { return Answer(200, kKeys); });
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = server.url();
  const auto key_of = [this](const std::string& profile) {
    return Must(DefaultCredentials(Here(), profile, "us-east-1", false)->Fetch()).key.access_key_id;
  };
  EXPECT_EQ(key_of(""), "AKID");
  files_["/users/u/.aws/credentials"] =
      "[default]\naws_access_key_id = DEFAULT\naws_secret_access_key = s\n"
      "[other]\naws_access_key_id = OTHER\naws_secret_access_key = s\n";
  EXPECT_EQ(key_of(""), "DEFAULT");
  variables_["AWS_PROFILE"] = "other";
  EXPECT_EQ(key_of(""), "OTHER");
  variables_["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  variables_["AWS_SECRET_ACCESS_KEY"] = "s";
  EXPECT_EQ(key_of(""), "ENVIRONMENT");
  EXPECT_EQ(key_of("default"), "DEFAULT");
}

TEST_F(CredentialsTest, HalfOfAKeyIsAnErrorAndNotTheNextPlace) {
  variables_["AWS_ACCESS_KEY_ID"] = "AK";
  const auto fetched = DefaultCredentials(Here(), "", "us-east-1", true)->Fetch();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kValidation);
}

TEST_F(CredentialsTest, AProfileThatIsNamedMustBeThere) {
  variables_["AWS_PROFILE"] = "missing";
  EXPECT_FALSE(DefaultCredentials(Here(), "", "us-east-1", true)->Fetch());
}

TEST_F(CredentialsTest, AnEndpointOnThisMachineNeedsNone) {
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://127.0.0.1:1";
  EXPECT_EQ(Must(DefaultCredentials(Here(), "", "us-east-1", true)->Fetch()).key.access_key_id,
            "stator");
}

// Refuses like a service that is confused, with the secret in its words.
TEST_F(CredentialsTest, ErrorsDoNotRepeatSecrets) {
  ScriptedServer server([](const ReceivedRequest&) {
    return Answer(200, R"({"AccessKeyId":"","SecretAccessKey":"topsecret","Token":"toptoken"})");
  });
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = server.url();
  const auto fetched = ContainerCredentials(Here()).Fetch();
  ASSERT_FALSE(fetched);
  EXPECT_FALSE(fetched.error().message.contains("top")) << fetched.error().message;
}

}  // namespace
}  // namespace stator::client
