// Blobs in a real S3 server, over real connections: s3rver, with signatures checked by Amazon's own
// signer, started by s3_server.mjs, which can also be told to cut connections.
//
// Without its npm packages every test is skipped, unless STATOR_NEEDS_S3 is set.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "blobs/s3_process.h"
#include "stator/base/random.h"
#include "stator/blobs/cached_blobs.h"
#include "stator/blobs/open_blobs.h"
#include "stator/blobs/s3_blobs.h"
#include "transport/curl_transport.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

class S3Test : public testing::Test {
 public:
  S3Test(const S3Test&) = delete;
  S3Test& operator=(const S3Test&) = delete;

  static void SetUpTestSuite() { server_ = new S3ServerProcess; }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }

 protected:
  S3Test() = default;
  ~S3Test() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  void SetUp() override {
    if (!server_->port()) {
      ASSERT_EQ(std::getenv("STATOR_NEEDS_S3"), nullptr) << "s3rver is missing";
      GTEST_SKIP() << "s3rver is not installed: npm ci in test/blobs";
    }
  }

  static S3BlobOptions Options() {
    return {
        .bucket = "blobs",
        .prefix = SystemRandom().Uuid(),  // of every test its own
        .region = "eu-central-1",
        .endpoint = Endpoint(),
        .credentials =
            [] { return S3Credentials{.access_key_id = "S3RVER", .secret_access_key = "S3RVER"}; },
        .part_bytes = kPartBytes};
  }

  static std::unique_ptr<BlobStore> Open(S3BlobOptions options) {
    auto blobs = OpenS3Blobs(std::move(options));
    CHECK_THAT(blobs.has_value(), blobs.error().message);
    return *std::move(blobs);
  }

  static std::string Endpoint() { return "http://127.0.0.1:" + std::to_string(*server_->port()); }

  // What happens to the next requests; see s3_server.mjs.
  static void Break(const std::string& faults) {
    const auto told = transport::CurlTransport().Send(
        {.method = "POST", .url = Endpoint() + "/_faults", .body = faults});
    CHECK(told.has_value() && told->status == 200);
  }

  static constexpr std::size_t kPartBytes = std::size_t{5} << 20U;
  static S3ServerProcess* server_;
  fs::path directory_ = fs::temp_directory_path() / ("stator-s3-cache-" + SystemRandom().Uuid());
};

S3ServerProcess* S3Test::server_ = nullptr;

TEST_F(S3Test, GivesBackWhatWasWritten) {
  const auto blobs = Open(Options());
  std::string every;
  for (int byte = 0; byte < 256; ++byte) {
    every.push_back(static_cast<char>(byte));
  }
  for (const std::string& bytes : {std::string(), std::string("abc"), every}) {
    const std::string key = MakeBlobKey("svc/a b:ü/v1", bytes);
    ASSERT_TRUE(blobs->Write(key, bytes).has_value());
    EXPECT_EQ(*blobs->Read(key), bytes);
    EXPECT_TRUE(blobs->Write(key, bytes).has_value());
  }
  const std::string key = MakeBlobKey("svc/a b:ü/v1", "abc");
  ASSERT_TRUE(blobs->Remove(key).has_value());
  EXPECT_EQ(blobs->Read(key).error().code, ErrorCode::kResourceNotFound);
  EXPECT_TRUE(blobs->Remove(key).has_value());
}

TEST_F(S3Test, LargeBlobsGoInParts) {
  const auto blobs = Open(Options());
  std::string bytes(2 * kPartBytes + 12345, '\0');
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    bytes[index] = static_cast<char>(index * 2654435761U >> 24U);
  }
  const std::string key = MakeBlobKey("svc/p", bytes);
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(*blobs->Read(key), bytes);
  EXPECT_TRUE(blobs->Write(key, bytes).has_value());
}

TEST_F(S3Test, ListsAndSweepsAFolder) {
  const auto blobs = Open(Options());
  const std::string one = MakeBlobKey("svc/p q", "1");
  const std::string two = MakeBlobKey("svc/r", "22");
  for (const auto& [key, bytes] :
       {std::pair{one, "1"}, {two, "22"}, {MakeBlobKey("svc2/p", "3"), "3"}}) {
    ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  }
  const std::vector<BlobInfo> found = *blobs->Describe("svc");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].key, one);
  EXPECT_EQ(found[1].key, two);
  EXPECT_EQ(found[1].bytes, 2U);
  const TimePoint later = found[1].written_at + std::chrono::hours(1);
  EXPECT_EQ(*RemoveUnusedBlobs(*blobs, "svc", {one}, later), 1U);
  EXPECT_EQ(*blobs->List("svc"), std::vector<std::string>{one});
  EXPECT_EQ(blobs->List("svc2")->size(), 1U);
}

TEST_F(S3Test, AnotherPrefixIsAnotherStore) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  ASSERT_TRUE(Open(Options())->Write(key, "abc").has_value());
  EXPECT_EQ(Open(Options())->Read(key).error().code, ErrorCode::kResourceNotFound);
}

TEST_F(S3Test, AreOpenedByTheirLocation) {
  const std::string folder = SystemRandom().Uuid();
  const auto open = [&](const std::string& secret) {
    ClientOptions options;
    options.environment = [=](const std::string& name) -> std::optional<std::string> {
      if (name == "AWS_ACCESS_KEY_ID") {
        return "S3RVER";
      }
      return name == "AWS_SECRET_ACCESS_KEY" ? std::optional(secret) : std::nullopt;
    };
    return *OpenBlobs("s3://blobs/" + folder + "?region=eu-central-1&endpoint=" + Endpoint(),
                      options);
  };
  const std::string key = MakeBlobKey("svc/p", "abc");
  EXPECT_EQ(open("another")->Write(key, "abc").error().code, ErrorCode::kInvalidSignature);
  ASSERT_TRUE(open("S3RVER")->Write(key, "abc").has_value());
  S3BlobOptions same = Options();
  same.prefix = folder;
  EXPECT_EQ(*Open(std::move(same))->Read(key), "abc");
}

TEST_F(S3Test, AWrongSecretIsRefused) {
  S3BlobOptions options = Options();
  options.credentials = [] { return S3Credentials{"S3RVER", "another"}; };
  EXPECT_EQ(Open(std::move(options))->Write(MakeBlobKey("a", "b"), "b").error().code,
            ErrorCode::kInvalidSignature);
}

TEST_F(S3Test, AMissingBucketIsNamedAsOne) {
  S3BlobOptions options = Options();
  options.bucket = "nowhere";
  EXPECT_EQ(Open(std::move(options))->Read(MakeBlobKey("a", "b")).error().code,
            ErrorCode::kValidation);
}

TEST_F(S3Test, CutConnectionsAndFailuresDoNoHarm) {
  const auto blobs = Open(Options());
  const std::string key = MakeBlobKey("svc/p", "abc");
  Break(
      R"([{"method":"PUT","kind":"cut"},{"method":"PUT","kind":500},{"method":"PUT","kind":"lost"}])");
  ASSERT_TRUE(blobs->Write(key, "abc").has_value());
  Break(
      R"([{"method":"GET","kind":"cut"},{"method":"GET","kind":"half"},{"method":"GET","kind":503}])");
  EXPECT_EQ(*blobs->Read(key), "abc");

  const std::string bytes(kPartBytes + 1, 'x');
  const std::string large = MakeBlobKey("svc/p", bytes);
  Break(
      R"([{"method":"POST","kind":"lost"},{"method":"PUT","kind":"lost"},{"method":"PUT","kind":"cut"},
            {"method":"POST","kind":"lost"}])");
  ASSERT_TRUE(blobs->Write(large, bytes).has_value());
  EXPECT_EQ(*blobs->Read(large), bytes);
  Break(R"([{"method":"DELETE","kind":"lost"}])");
  ASSERT_TRUE(blobs->Remove(large).has_value());
  EXPECT_EQ(blobs->Read(large).error().code, ErrorCode::kResourceNotFound);
}

TEST_F(S3Test, ACacheInFrontNeedsTheServerOnce) {
  S3BlobOptions options = Options();
  options.attempts_max = 1;
  auto cached = OpenCachedBlobs(Open(std::move(options)), {.directory = directory_.string()});
  ASSERT_TRUE(cached.has_value());
  const std::string key = MakeBlobKey("svc/p", "abc");
  ASSERT_TRUE((*cached)->Write(key, "abc").has_value());
  Break(R"([{"method":"GET","kind":500}])");
  EXPECT_EQ(*(*cached)->Read(key), "abc");
  EXPECT_FALSE((*cached)->Read(MakeBlobKey("svc/p", "other")).has_value());
}

}  // namespace
}  // namespace stator
