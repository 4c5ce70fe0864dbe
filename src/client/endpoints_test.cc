// Where requests go. The names of Amazon's endpoints are those that botocore resolves.

#include "client/endpoints.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace stator::client {
namespace {

class EndpointsTest : public testing::Test {
 protected:
  Result<Endpoints> Resolve(std::string_view location) {
    return ResolveEndpoints(
        location, options_,
        [this](const std::string& name) {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        },
        profile_);
  }

  ClientOptions options_;
  std::map<std::string, std::string> variables_;
  ProfileEndpointSettings profile_;
};

TEST(AmazonUrl, KnowsPartitionsFipsAndDualStack) {
  struct Case {
    bool of_streams;
    std::string_view region;
    bool fips;
    bool dual_stack;
    std::string_view url;
  };
  for (const Case& known : {
           Case{false, "us-east-1", false, false, "https://dynamodb.us-east-1.amazonaws.com"},
           Case{false, "us-east-1", false, true, "https://dynamodb.us-east-1.api.aws"},
           Case{false, "us-east-1", true, false, "https://dynamodb-fips.us-east-1.amazonaws.com"},
           Case{false, "us-east-1", true, true, "https://dynamodb-fips.us-east-1.api.aws"},
           Case{true, "us-east-1", false, false,
                "https://streams.dynamodb.us-east-1.amazonaws.com"},
           Case{true, "us-east-1", false, true, "https://streams-dynamodb.us-east-1.api.aws"},
           Case{true, "us-east-1", true, false,
                "https://streams.dynamodb-fips.us-east-1.amazonaws.com"},
           Case{true, "us-east-1", true, true, "https://streams-dynamodb-fips.us-east-1.api.aws"},
           Case{false, "cn-north-1", false, false, "https://dynamodb.cn-north-1.amazonaws.com.cn"},
           Case{false, "cn-north-1", false, true,
                "https://dynamodb.cn-north-1.api.amazonwebservices.com.cn"},
           Case{false, "us-gov-west-1", true, false,
                "https://dynamodb.us-gov-west-1.amazonaws.com"},
           Case{true, "us-gov-west-1", true, true,
                "https://streams-dynamodb-fips.us-gov-west-1.api.aws"},
           Case{false, "us-iso-east-1", true, true,
                "https://dynamodb-fips.us-iso-east-1.api.aws.ic.gov"},
           Case{true, "us-isob-east-1", false, true,
                "https://streams.dynamodb.us-isob-east-1.api.aws.scloud"},
       }) {
    EXPECT_EQ(AmazonUrl(known.of_streams, known.region, known.fips, known.dual_stack), known.url);
  }
}

TEST_F(EndpointsTest, AUrlIsTakenAsItIs) {
  variables_["AWS_ENDPOINT_URL"] = "http://127.0.0.1:1";
  const auto endpoints = Resolve("https://db.example.org:8443/base/");
  ASSERT_TRUE(endpoints);
  EXPECT_EQ(endpoints->dynamodb_url, "https://db.example.org:8443/base");
  EXPECT_EQ(endpoints->streams_url, endpoints->dynamodb_url);
  EXPECT_EQ(endpoints->region, "us-east-1");
  EXPECT_FALSE(endpoints->on_this_machine);
}

TEST_F(EndpointsTest, LoopbackIsThisMachine) {
  for (const char* url : {"http://127.0.0.1:8000", "http://localhost", "http://[::1]:8000",
                          "http://db.localhost:8000"}) {
    const auto endpoints = Resolve(url);
    ASSERT_TRUE(endpoints) << url;
    EXPECT_TRUE(endpoints->on_this_machine) << url;
  }
  for (const char* url : {"http://127x.example.org", "http://localhost.example.org"}) {
    EXPECT_FALSE(Resolve(url)->on_this_machine) << url;
  }
}

TEST_F(EndpointsTest, TheRegionComesFromOptionsHostEnvironmentOrProfile) {
  profile_.region = "profile-1";
  EXPECT_EQ(Resolve("http://h")->region, "profile-1");
  EXPECT_EQ(Resolve("aws:")->region, "profile-1");
  variables_["AWS_DEFAULT_REGION"] = "default-1";
  EXPECT_EQ(Resolve("http://h")->region, "default-1");
  variables_["AWS_REGION"] = "environment-1";
  EXPECT_EQ(Resolve("aws:")->region, "environment-1");
  EXPECT_EQ(Resolve("https://dynamodb.ap-south-1.amazonaws.com")->region, "ap-south-1");
  EXPECT_EQ(Resolve("https://dynamodb-fips.ap-south-1.api.aws")->region, "ap-south-1");
  options_.region = "option-1";
  EXPECT_EQ(Resolve("https://dynamodb.ap-south-1.amazonaws.com")->region, "option-1");
  EXPECT_EQ(Resolve("aws:named-1")->region, "named-1");
}

TEST_F(EndpointsTest, TheEnvironmentReplacesAmazonsEndpoints) {
  variables_["AWS_ENDPOINT_URL_DYNAMODB"] = "http://127.0.0.1:8000/";
  auto endpoints = Resolve("aws:eu-central-1");
  EXPECT_EQ(endpoints->dynamodb_url, "http://127.0.0.1:8000");
  EXPECT_EQ(endpoints->streams_url, "http://127.0.0.1:8000");
  EXPECT_TRUE(endpoints->on_this_machine);
  variables_["AWS_ENDPOINT_URL"] = "http://general";
  EXPECT_EQ(Resolve("aws:eu-central-1")->dynamodb_url, "http://127.0.0.1:8000");
  EXPECT_EQ(Resolve("aws:eu-central-1")->streams_url, "http://general");
  variables_["AWS_ENDPOINT_URL_DYNAMODB_STREAMS"] = "http://streams";
  EXPECT_EQ(Resolve("aws:eu-central-1")->streams_url, "http://streams");
  variables_["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  EXPECT_EQ(Resolve("aws:eu-central-1")->dynamodb_url,
            "https://dynamodb.eu-central-1.amazonaws.com");
}

TEST_F(EndpointsTest, FipsAndDualStackAreOptionsOrVariables) {
  variables_["AWS_USE_FIPS_ENDPOINT"] = "true";
  options_.use_dual_stack = true;
  EXPECT_EQ(Resolve("aws:us-east-1")->dynamodb_url, "https://dynamodb-fips.us-east-1.api.aws");
}

TEST_F(EndpointsTest, NonsenseIsRefused) {
  for (const char* location :
       {"aws:", "aws:a.b", "aws:a/b", "aws:A", "http://", "ftp://h", "http://me:secret@h"}) {
    const auto endpoints = Resolve(location);
    ASSERT_FALSE(endpoints) << location;
    EXPECT_EQ(endpoints.error().code, ErrorCode::kValidation);
  }
  variables_["AWS_ENDPOINT_URL"] = "localhost:8000";
  EXPECT_FALSE(Resolve("aws:eu-central-1"));
}

}  // namespace
}  // namespace stator::client
