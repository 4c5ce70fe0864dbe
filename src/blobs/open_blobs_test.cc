// What the locations of blobs mean. What is sent to S3 is the subject of s3_blobs_test.cc and of
// test/blobs.

#include "stator/blobs/open_blobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace stator {
namespace {

namespace fs = std::filesystem;

using Variables = std::map<std::string, std::string>;

// The place of what was opened with these variables and no others, or why it was not.
std::string PlaceOf(const std::string& location, const Variables& variables = {}) {
  ClientOptions options;
  options.environment = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto blobs = OpenBlobs(location, options);
  return blobs ? std::string((*blobs)->provider()) + " " + (*blobs)->place()
               : blobs.error().message;
}

TEST(OpenBlobs, APathIsADirectory) {
  const std::string path = fs::path(testing::TempDir()) / "stator-open-blobs";
  EXPECT_EQ(PlaceOf(path), PlaceOf("file:" + path));
  EXPECT_TRUE(PlaceOf(path).starts_with("files "));
  EXPECT_TRUE(fs::is_directory(path));
  fs::remove_all(path);
}

TEST(OpenBlobs, S3HasABucketAPrefixAndParameters) {
  EXPECT_EQ(PlaceOf("s3://b?region=eu-central-1"), "s3 |b|");
  EXPECT_EQ(PlaceOf("s3://b/p/q/?region=eu-central-1"), "s3 |b|p/q");
  EXPECT_EQ(PlaceOf("s3://b/p?endpoint=http://127.0.0.1:9/&path-style=false&encryption=none"),
            "s3 http://127.0.0.1:9|b|p");
  EXPECT_EQ(PlaceOf("s3://b?endpoint=http%3A%2F%2F127.0.0.1%3A9&encryption=aws%3Akms&kms-key=k"),
            "s3 http://127.0.0.1:9|b|");
}

TEST(OpenBlobs, TheEnvironmentNamesTheRegion) {
  EXPECT_TRUE(PlaceOf("s3://b").contains("?region=eu-central-1"));
  EXPECT_EQ(PlaceOf("s3://b", {{"AWS_REGION", "eu-central-1"}}), "s3 |b|");
  EXPECT_EQ(PlaceOf("s3://b", {{"AWS_DEFAULT_REGION", "eu-central-1"}}), "s3 |b|");
  EXPECT_TRUE(PlaceOf("s3://b?region=Nowhere/").contains("cannot open s3://b?region=Nowhere/"));
}

TEST(OpenBlobs, TheEnvironmentNamesTheEndpointUnlessTheLocationDoes) {
  const Variables variables = {{"AWS_REGION", "eu-central-1"},
                               {"AWS_ENDPOINT_URL", "http://127.0.0.1:1"},
                               {"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:2"}};
  EXPECT_EQ(PlaceOf("s3://b", variables), "s3 http://127.0.0.1:1|b|");
  Variables own = variables;
  own["AWS_ENDPOINT_URL_S3"] = "http://127.0.0.1:3";
  EXPECT_EQ(PlaceOf("s3://b", own), "s3 http://127.0.0.1:3|b|");
  EXPECT_EQ(PlaceOf("s3://b?endpoint=http://127.0.0.1:4", own), "s3 http://127.0.0.1:4|b|");
  own["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  EXPECT_EQ(PlaceOf("s3://b", own), "s3 |b|");
}

TEST(OpenBlobs, OtherLocationsMeanNothing) {
  EXPECT_TRUE(PlaceOf("").starts_with("cannot open blobs at ''"));
  EXPECT_TRUE(PlaceOf("file:").starts_with("cannot open blobs at 'file:'"));
  EXPECT_TRUE(PlaceOf("https://bucket").contains("give a path or s3://BUCKET/PREFIX"));
  EXPECT_TRUE(PlaceOf("s3://?region=eu-central-1").contains("bucket"));
  EXPECT_TRUE(PlaceOf("s3://b?reigon=eu-central-1").contains("no 'reigon=eu-central-1'"));
  EXPECT_TRUE(PlaceOf("s3://b?path-style=perhaps").contains("path-style=true|false"));
  EXPECT_TRUE(PlaceOf("s3://b?region=eu-central-1&encryption=rot13").contains("AES256"));
  EXPECT_TRUE(PlaceOf("s3://b?endpoint=somewhere").contains("an endpoint is a URL"));
}

}  // namespace
}  // namespace stator
