// Blobs in S3, against one in memory that can be told to fail: what is sent, what refusals mean,
// what is repeated. The real protocol over a network is test/blobs.

#include "stator/blobs/s3_blobs.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "blobs/fake_s3.h"
#include "blobs/s3_store.h"

namespace stator::blobs {
namespace {

constexpr std::size_t kPartBytes = std::size_t{5} << 20U;

class S3BlobsTest : public testing::Test {
 protected:
  std::unique_ptr<S3Blobs> Make(S3BlobOptions options = {.bucket = "b"}) {
    if (options.endpoint.empty()) {
      options.endpoint = "http://127.0.0.1:1";
    }
    if (!options.credentials) {
      options.credentials = [] {
        return S3Credentials{.access_key_id = "id", .secret_access_key = "secret"};
      };
    }
    options.part_bytes = kPartBytes;
    options.clock = &clock_;
    options.random = &random_;
    EXPECT_TRUE(CheckS3Options(options).has_value());
    return std::make_unique<S3Blobs>(std::move(options), s3_);
  }

  [[nodiscard]] std::vector<std::string> Methods() const {
    std::vector<std::string> methods;
    for (const FakeS3::Sent& sent : s3_->sent) {
      methods.push_back(sent.method);
    }
    return methods;
  }

  ManualClock clock_{TimePoint(std::chrono::seconds{1'794'744'000})};
  SeededRandom random_{1};
  std::shared_ptr<FakeS3> s3_ = std::make_shared<FakeS3>(clock_);
  const std::string key_ = MakeBlobKey("svc/p 1/v", "abc");
};

using Texts = std::vector<std::string>;

TEST_F(S3BlobsTest, GivesBackWhatWasWrittenUnderThePrefix) {
  const auto blobs = Make({.bucket = "b", .prefix = "pre/fix"});
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string("<Error><Code>SlowDown</Code></Error>")}) {
    const std::string key = MakeBlobKey("svc/p", bytes);
    ASSERT_TRUE(blobs->Write(key, bytes).has_value());
    EXPECT_EQ(*blobs->Read(key), bytes);
    EXPECT_TRUE(s3_->objects.contains("/b/pre/fix/" + key));
  }
  ASSERT_TRUE(blobs->Remove(MakeBlobKey("svc/p", "abc")).has_value());
  EXPECT_EQ(blobs->Read(MakeBlobKey("svc/p", "abc")).error().code, ErrorCode::kResourceNotFound);
  EXPECT_TRUE(blobs->Remove(MakeBlobKey("svc/p", "abc")).has_value());
}

TEST_F(S3BlobsTest, NamesTheBucketInThePathOrInTheHost) {
  ASSERT_TRUE(Make()->Write(key_, "abc").has_value());
  // A percent sign of a key is a character like others.
  EXPECT_EQ(s3_->sent.back().url, "http://127.0.0.1:1/b/svc/p%25201/v/" + key_.substr(12));
  const auto blobs =
      Make({.bucket = "b", .endpoint = "https://s3.example.org", .path_style = false});
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  EXPECT_EQ(s3_->sent.back().url, "https://b.s3.example.org/svc/p%25201/v/" + key_.substr(12));
  EXPECT_EQ(s3_->sent.back().Field("host"), "b.s3.example.org");
}

TEST_F(S3BlobsTest, SaysHowToEncryptAndWhatTheDigestIs) {
  ASSERT_TRUE(Make()->Write(key_, "abc").has_value());
  EXPECT_EQ(s3_->sent[0].Field("x-amz-server-side-encryption"), "AES256");
  EXPECT_EQ(s3_->sent[0].Field("x-amz-content-sha256"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(s3_->sent[0].Field("if-none-match"), "*");
  const auto blobs = Make({.bucket = "c", .encryption = "aws:kms", .kms_key_id = "k"});
  ASSERT_TRUE(blobs->Write(key_, std::string("abc")).has_value());
  EXPECT_EQ(s3_->sent.back().Field("x-amz-server-side-encryption"), "aws:kms");
  EXPECT_EQ(s3_->sent.back().Field("x-amz-server-side-encryption-aws-kms-key-id"), "k");
}

TEST_F(S3BlobsTest, WritesABlobOnceUntilItIsOld) {
  const auto blobs = Make();
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  const TimePoint first = clock_.Now();
  clock_.Advance(std::chrono::minutes(29));
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  EXPECT_EQ(s3_->objects.begin()->second.written_at, first);
  // A sweep must not take it for an old one: whoever wrote it has not stored its key yet.
  clock_.Advance(std::chrono::minutes(2));
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  EXPECT_EQ(s3_->objects.begin()->second.written_at, clock_.Now());
  EXPECT_EQ(Methods(), (Texts{"PUT", "PUT", "HEAD", "PUT", "HEAD", "PUT"}));
}

TEST_F(S3BlobsTest, DoesWithoutConditionsWhereThereAreNone) {
  s3_->knows_conditions = false;
  ASSERT_TRUE(Make()->Write(key_, "abc").has_value());
  EXPECT_EQ(s3_->objects.size(), 1U);
}

TEST_F(S3BlobsTest, LargeBlobsGoInParts) {
  const auto blobs = Make();
  const std::string bytes = std::string(kPartBytes, 'a') + std::string(kPartBytes, 'b') + "c";
  const std::string key = MakeBlobKey("svc/p", bytes);
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(*blobs->Read(key), bytes);
  EXPECT_TRUE(s3_->upload_paths.empty());
  Texts methods = Methods();
  EXPECT_EQ(methods, (Texts{"HEAD", "POST", "PUT", "PUT", "PUT", "POST", "GET"}));
  // It is there: nothing is sent again.
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(s3_->sent.back().method, "HEAD");
}

TEST_F(S3BlobsTest, AFailedUploadIsAbortedAndShowsNothing) {
  const auto blobs = Make();
  const std::string bytes(2 * kPartBytes, 'a');
  for (int attempt = 0; attempt < 2; ++attempt) {
    s3_->BreakWith(403, "AccessDenied", "PUT");
  }
  EXPECT_EQ(blobs->Write(MakeBlobKey("svc/p", bytes), bytes).error().code,
            ErrorCode::kAccessDenied);
  EXPECT_TRUE(s3_->objects.empty());
  EXPECT_TRUE(s3_->upload_paths.empty());
}

TEST_F(S3BlobsTest, ALostAnswerToTheEndOfAnUploadIsUnderstood) {
  const auto blobs = Make();
  const std::string bytes(kPartBytes + 1, 'a');
  const std::string key = MakeBlobKey("svc/p", bytes);
  s3_->Break({.method = "HEAD", .status = 404});
  s3_->Break({.method = "POST", .was_done = true});  // the upload that nobody will finish
  s3_->Break({.method = "POST", .status = 500});
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(*blobs->Read(key), bytes);

  s3_->objects.clear();
  s3_->Break({.method = "HEAD", .status = 404});
  s3_->Break({.method = "PUT", .was_done = true});
  s3_->Break({.method = "PUT"});
  s3_->Break({.method = "POST", .was_done = true});
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(*blobs->Read(key), bytes);
}

TEST_F(S3BlobsTest, AnErrorBehindAGoodStatusIsOne) {
  const auto blobs = Make();
  const std::string bytes(kPartBytes + 1, 'a');
  const std::string key = MakeBlobKey("svc/p", bytes);
  s3_->Break({.method = "HEAD", .status = 404});
  s3_->Break({.method = "POST",
              .status = 200,
              .body = "<UploadId>upload&amp;0</UploadId>",
              .was_done = true});
  for (int part = 0; part < 2; ++part) {
    s3_->Break({.method = "PUT",
                .status = 200,
                .was_done = true,
                .fields = {{"etag", "\"" + std::to_string(part) + "\""}}});
  }
  s3_->BreakWith(200, "InternalError", "POST");
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_EQ(*blobs->Read(key), bytes);
}

TEST_F(S3BlobsTest, PassingTroubleIsRepeated) {
  const auto blobs = Make();
  for (const auto& [status, name] : {std::pair{503, "SlowDown"},
                                     {500, "InternalError"},
                                     {400, "RequestTimeout"},
                                     {409, "ConditionalRequestConflict"},
                                     {400, "ExpiredToken"},
                                     {502, ""}}) {
    s3_->BreakWith(status, name);
    EXPECT_TRUE(blobs->Write(key_, "abc").has_value()) << name;
  }
  s3_->Break({.method = "PUT", .was_done = true});
  EXPECT_TRUE(blobs->Write(MakeBlobKey("svc/p", "d"), "d").has_value());
  s3_->Break({.method = "GET"});
  EXPECT_EQ(*blobs->Read(key_), "abc");
}

TEST_F(S3BlobsTest, TroubleThatStaysIsReportedAfterSoManyAttempts) {
  const auto blobs = Make({.bucket = "b", .attempts_max = 3});
  for (int attempt = 0; attempt < 3; ++attempt) {
    s3_->BreakWith(503, "SlowDown");
  }
  EXPECT_EQ(blobs->Read(key_).error().code, ErrorCode::kThrottled);
  EXPECT_EQ(s3_->sent.size(), 3U);
}

TEST_F(S3BlobsTest, RefusalsAreNotRepeatedAndSayWhy) {
  const auto blobs = Make();
  for (const auto& [status, name, code] :
       {std::tuple{403, "AccessDenied", ErrorCode::kAccessDenied},
        {403, "InvalidAccessKeyId", ErrorCode::kUnrecognizedClient},
        {403, "SignatureDoesNotMatch", ErrorCode::kInvalidSignature},
        {404, "NoSuchBucket", ErrorCode::kValidation},
        {301, "PermanentRedirect", ErrorCode::kValidation},
        {400, "EntityTooLarge", ErrorCode::kValidation}}) {
    s3_->sent.clear();
    s3_->BreakWith(status, name);
    EXPECT_EQ(blobs->Read(key_).error().code, code) << name;
    EXPECT_EQ(s3_->sent.size(), 1U) << name;
  }
}

TEST_F(S3BlobsTest, AClockThatIsWrongIsSetRight) {
  const auto blobs = Make();
  s3_->Break({.method = "PUT",
              .status = 403,
              .body = "<Error><Code>RequestTimeTooSkewed</Code></Error>",
              .fields = {{"date", "Tue, 17 Nov 2026 00:00:00 GMT"}}});
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  EXPECT_TRUE(s3_->sent.back().Field("x-amz-date").starts_with("20261117T000"));
}

TEST_F(S3BlobsTest, CredentialsAreAskedForAndTheirTokenIsSigned) {
  int asked = 0;
  const auto blobs = Make({.bucket = "b", .credentials = [&]() -> Result<S3Credentials> {
                             if (++asked == 3) {
                               return Fail(ErrorCode::kMissingAuthenticationToken, "none");
                             }
                             return S3Credentials{"id" + std::to_string(asked), "secret", "token"};
                           }});
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  ASSERT_TRUE(blobs->Remove(key_).has_value());
  EXPECT_EQ(s3_->sent[0].Field("x-amz-security-token"), "token");
  EXPECT_NE(s3_->sent[0].Field("authorization").find("Credential=id1/"), std::string::npos);
  EXPECT_NE(s3_->sent[1].Field("authorization").find("Credential=id2/"), std::string::npos);
  EXPECT_NE(s3_->sent[1].Field("authorization").find("/us-east-1/s3/aws4_request"),
            std::string::npos);
  EXPECT_EQ(blobs->Remove(key_).error().code, ErrorCode::kMissingAuthenticationToken);
  EXPECT_EQ(s3_->sent.size(), 2U);
}

TEST_F(S3BlobsTest, DamageIsNoticed) {
  const auto blobs = Make();
  ASSERT_TRUE(blobs->Write(key_, "abc").has_value());
  s3_->objects.begin()->second.bytes = "abd";
  EXPECT_EQ(blobs->Read(key_).error().code, ErrorCode::kCorruption);
}

TEST_F(S3BlobsTest, ListsAFolderPageByPage) {
  const auto blobs = Make({.bucket = "b", .prefix = "pre"});
  s3_->page = 2;
  Texts keys;
  for (int number = 0; number < 5; ++number) {
    const std::string bytes = std::to_string(number);
    keys.push_back(MakeBlobKey("svc/p", bytes));
    ASSERT_TRUE(blobs->Write(keys.back(), bytes).has_value());
  }
  ASSERT_TRUE(blobs->Write(MakeBlobKey("svc2/p", "x"), "x").has_value());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(*blobs->List("svc"), keys);
  EXPECT_EQ((*blobs->Describe("svc/p"))[0].bytes, 1U);
  EXPECT_EQ(blobs->List("../x").error().code, ErrorCode::kValidation);
}

TEST_F(S3BlobsTest, UploadsThatNobodyFinishedAreRemoved) {
  const auto blobs = Make();
  const std::string bytes(kPartBytes + 1, 'a');
  s3_->upload_paths["left"] = "/b/" + MakeBlobKey("svc/p", bytes);
  s3_->upload_paths["foreign"] = "/b/other";
  const TimePoint begun{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};
  EXPECT_EQ(*blobs->RemoveUnfinished(begun), 0U);
  EXPECT_EQ(*blobs->RemoveUnfinished(begun + std::chrono::seconds(1)), 1U);
  EXPECT_EQ(s3_->upload_paths.size(), 1U);
}

TEST_F(S3BlobsTest, RefusesOtherKeysAndOptionsBeforeAnythingIsSent) {
  const auto blobs = Make();
  EXPECT_EQ(blobs->Write(key_, "other").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs->Read("../x").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs->Remove("x").error().code, ErrorCode::kValidation);
  EXPECT_TRUE(s3_->sent.empty());
  const auto credentials = [] { return S3Credentials{"id", "secret"}; };
  const S3BlobOptions good{.bucket = "b", .credentials = credentials};
  EXPECT_TRUE(OpenS3Blobs(good).has_value());
  const auto refuses = [&](const std::function<void(S3BlobOptions&)>& change) {
    S3BlobOptions options = good;
    change(options);
    return OpenS3Blobs(std::move(options)).error().code == ErrorCode::kValidation;
  };
  EXPECT_TRUE(refuses([](auto& options) { options.bucket = "a/b"; }));
  EXPECT_TRUE(refuses([](auto& options) { options.region = ""; }));
  EXPECT_TRUE(refuses([](auto& options) { options.prefix = "a/../b"; }));
  EXPECT_TRUE(refuses([](auto& options) { options.endpoint = "ftp://x"; }));
  EXPECT_TRUE(refuses([](auto& options) { options.credentials = nullptr; }));
  EXPECT_TRUE(refuses([](auto& options) { options.part_bytes = 1; }));
  EXPECT_TRUE(refuses([](auto& options) { options.encryption = "rot13"; }));
}

}  // namespace
}  // namespace stator::blobs
