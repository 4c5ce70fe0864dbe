// Verification: what the signer makes is genuine, any change is not; and every refusal has the
// error and the words that AWS gives, in AWS's order.

#include "wire/sigv4_verify.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "wire/sigv4.h"

namespace stator::wire {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kNow(seconds(1440938160));  // 2015-08-30T12:36:00Z
constexpr std::string_view kSecret = "very secret";
constexpr std::string_view kBody = R"({"TableName":"t"})";

// A request and what was added to it, with everything owned.
struct Signed {
  std::string method = "POST";
  std::string path = "/";
  std::string query;
  Signer::AddedFields owned = {{"Host", "localhost:8000"},
                               {"X-Amz-Target", "DynamoDB_20120810.GetItem"},
                               {"Content-Type", "application/x-amz-json-1.0"}};
  mutable std::vector<HttpField> fields;

  HttpMessage message() const {
    fields.clear();
    for (const auto& [name, value] : owned) {
      fields.push_back({.name = name, .value = value});
    }
    return {.method = method, .path = path, .query = query, .fields = fields};
  }

  std::string& field(std::string_view name) {
    for (auto& [key, value] : owned) {
      if (key == name) {
        return value;
      }
    }
    return owned.emplace_back(name, "").second;
  }
};

Signer TestSigner(std::string token = "", std::string service = "dynamodb") {
  return Signer({.access_key_id = "AKID",
                 .secret_access_key = std::string(kSecret),
                 .session_token = std::move(token)},
                "eu-west-1", std::move(service));
}

Signed InHeaders(TimePoint time = kNow) {
  Signed request;
  for (auto& field : TestSigner().Sign(request.message(), Hex(base::Sha256Of(kBody)), time)) {
    request.owned.push_back(std::move(field));
  }
  return request;
}

Signed InQuery(seconds lifetime, TimePoint time = kNow) {
  Signed request;
  request.query =
      TestSigner().Presign(request.message(), Hex(base::Sha256Of(kBody)), time, lifetime);
  return request;
}

constexpr SignatureRules kRules = {.now = kNow};

bool IsGenuine(const Signed& request, std::string_view body = kBody,
               std::string_view secret = kSecret) {
  const HttpMessage message = request.message();
  const Result<PresentedSignature> presented = ReadSignature(message, &kRules);
  EXPECT_TRUE(presented.has_value()) << presented.error().message;
  SignatureVerifier verifier;
  return presented && verifier.IsGenuine(message, *presented, body, secret);
}

Error Refusal(const Signed& request) {
  const HttpMessage message = request.message();
  const Result<PresentedSignature> presented = ReadSignature(message, &kRules);
  EXPECT_FALSE(presented.has_value());
  return presented ? Error{} : presented.error();
}

TEST(SignatureVerifier, AcceptsWhatTheSignerMakesInHeaderAndQueryForm) {
  EXPECT_TRUE(IsGenuine(InHeaders()));
  EXPECT_TRUE(IsGenuine(InQuery(seconds(60))));
}

TEST(SignatureVerifier, RefusesAnythingThatWasChanged) {
  EXPECT_FALSE(IsGenuine(InHeaders(), "{}"));
  EXPECT_FALSE(IsGenuine(InHeaders(), kBody, "another secret"));
  EXPECT_FALSE(IsGenuine(InQuery(seconds(60)), "{}"));
  Signed other_target = InHeaders();
  other_target.field("X-Amz-Target") = "DynamoDB_20120810.DeleteTable";
  EXPECT_FALSE(IsGenuine(other_target));
  Signed other_method = InHeaders();
  other_method.method = "PUT";
  EXPECT_FALSE(IsGenuine(other_method));
  Signed other_path = InHeaders();
  other_path.path = "/elsewhere";
  EXPECT_FALSE(IsGenuine(other_path));
  Signed longer_life = InQuery(seconds(60));
  longer_life.query.replace(longer_life.query.find("Expires=60"), 10, "Expires=99");
  EXPECT_FALSE(IsGenuine(longer_life));
}

TEST(SignatureVerifier, AHashStatedByTheClientProvesNothing) {
  Signed request;
  request.field("x-amz-content-sha256") = kUnsignedPayload;
  for (auto& field : TestSigner().Sign(request.message(), kUnsignedPayload, kNow)) {
    request.owned.push_back(std::move(field));
  }
  EXPECT_FALSE(IsGenuine(request));
}

TEST(SignatureVerifier, RefusesRepeatedSignedHeaders) {
  Signed request = InHeaders();
  std::string& authorization = request.field("authorization");
  authorization.replace(authorization.find("host;"), 5, "host;host;");
  EXPECT_FALSE(IsGenuine(request));
}

TEST(SignatureVerifier, KeepsKeysApart) {
  SignatureVerifier verifier;
  const Signed today = InHeaders();
  const Signed yesterday = InHeaders(kNow - std::chrono::days(1));
  for (const Signed* request : {&today, &yesterday, &today}) {
    const HttpMessage message = request->message();
    const Result<PresentedSignature> presented = ReadSignature(message, nullptr);
    ASSERT_TRUE(presented.has_value());
    EXPECT_TRUE(verifier.IsGenuine(message, *presented, kBody, kSecret));
  }
}

TEST(ReadSignature, ReadsTheClaim) {
  Signed request = InQuery(seconds(60));
  const HttpMessage message = request.message();
  const Result<PresentedSignature> presented = ReadSignature(message, &kRules);
  ASSERT_TRUE(presented.has_value());
  EXPECT_EQ(presented->access_key_id, "AKID");
  EXPECT_EQ(presented->region, "eu-west-1");
  EXPECT_EQ(presented->signed_at, kNow);
  EXPECT_EQ(presented->expires, seconds(60));
}

TEST(ReadSignature, TellsAMissingSignature) {
  Signed request;
  EXPECT_FALSE(IsSigned(request.message()));
  EXPECT_EQ(Refusal(request).code, ErrorCode::kMissingAuthenticationToken);
  EXPECT_EQ(Refusal(request).message, "Request is missing Authentication Token");
  request.field("Authorization") = "AWS4";
  EXPECT_EQ(Refusal(request).code, ErrorCode::kMissingAuthenticationToken);
  request.field("Authorization") = "Bearer x";
  EXPECT_EQ(Refusal(request).code, ErrorCode::kMissingAuthenticationToken);
}

TEST(ReadSignature, TakesBlanksBetweenThePartsOfAnAuthorization) {
  for (const std::string_view separator : {" ", "   ", ",", " , ", "\t", ",\t ", "\t,,\t"}) {
    Signed request = InHeaders();
    std::string& authorization = request.field("authorization");
    for (std::size_t at = authorization.find(", "); at != std::string::npos;
         at = authorization.find(", ", at + separator.size())) {
      authorization.replace(at, 2, separator);
    }
    EXPECT_TRUE(IsGenuine(request)) << authorization;
  }
}

TEST(ReadSignature, ListsWhatAnAuthorizationLacks) {
  Signed request;
  request.field("Authorization") = "AWS4-";
  EXPECT_EQ(Refusal(request).code, ErrorCode::kIncompleteSignature);
  EXPECT_EQ(Refusal(request).message,
            "Authorization header requires 'Credential' parameter. "
            "Authorization header requires 'Signature' parameter. "
            "Authorization header requires 'SignedHeaders' parameter. "
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            "Authorization=AWS4-");
  request.field("Authorization") = "AWS4-HMAC-SHA256 Signature=b,    Credential";
  EXPECT_EQ(Refusal(request).message,
            "'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: "
            "'AWS4-HMAC-SHA256 Signature=b,    Credential'.");
}

TEST(ReadSignature, ListsWhatAQueryLacks) {
  Signed request;
  request.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=x";
  EXPECT_EQ(Refusal(request).code, ErrorCode::kIncompleteSignature);
  EXPECT_EQ(Refusal(request).message,
            "AWS query-string parameters must include 'X-Amz-Credential'. "
            "AWS query-string parameters must include 'X-Amz-Signature'. "
            "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
            "Re-examine the query-string parameters.");
}

TEST(ReadSignature, RefusesBothFormsAtOnce) {
  Signed request = InHeaders();
  request.query = "X-Amz-Algorithm=x";
  EXPECT_EQ(Refusal(request).message,
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
            "header.");
}

TEST(ReadSignature, RefusesTimesOutsideTheWindow) {
  EXPECT_TRUE(IsGenuine(InHeaders(kNow - minutes(15))));
  EXPECT_TRUE(IsGenuine(InHeaders(kNow + minutes(15))));
  const Error expired = Refusal(InHeaders(kNow - minutes(16)));
  EXPECT_EQ(expired.code, ErrorCode::kInvalidSignature);
  EXPECT_EQ(expired.message,
            "Signature expired: 20150830T122000Z is now earlier than 20150830T122100Z "
            "(20150830T123600Z - 15 min.)");
  EXPECT_EQ(Refusal(InHeaders(kNow + minutes(16))).message,
            "Signature not yet current: 20150830T125200Z is still later than 20150830T125100Z "
            "(20150830T123600Z + 15 min.)");
  EXPECT_TRUE(IsGenuine(InQuery(std::chrono::hours(2), kNow - minutes(90))));
  EXPECT_EQ(Refusal(InQuery(seconds(60), kNow - seconds(61))).message,
            "Signature expired: 20150830T123459Z is now earlier than 20150830T123500Z "
            "(20150830T123600Z - 60 sec.)");
}

TEST(ReadSignature, RefusesUnreadableTimes) {
  Signed request = InHeaders();
  request.field("x-amz-date") = "201";
  EXPECT_EQ(Refusal(request).message,
            "Date must be in ISO-8601 'basic format'. Got '201'. See "
            "http://en.wikipedia.org/wiki/ISO_8601");
  Signed query = InQuery(seconds(60));
  query.query.replace(query.query.find("Expires=60"), 10, "Expires=-1");
  EXPECT_EQ(Refusal(query).code, ErrorCode::kIncompleteSignature);
}

TEST(ReadSignature, WantsHostAndTargetSigned) {
  Signed request = InHeaders();
  std::string& authorization = request.field("authorization");
  const std::string genuine = authorization;
  authorization.replace(authorization.find("host;"), 5, "");
  EXPECT_EQ(Refusal(request).message,
            "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  authorization = genuine;
  authorization.replace(authorization.find(";x-amz-target"), 13, "");
  EXPECT_EQ(Refusal(request).message,
            "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST(ReadSignature, RefusesOtherAlgorithmsAndScopes) {
  Signed request = InHeaders();
  std::string& authorization = request.field("authorization");
  const std::string genuine = authorization;
  authorization.replace(0, 16, "AWS4-HMAC-SHA25");
  EXPECT_EQ(Refusal(request).message,
            "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ");

  const std::string scope = "AKID/20150830/eu-west-1/dynamodb/aws4_request";
  authorization = genuine;
  authorization.replace(authorization.find(scope), scope.size(), "a/b/c/d");
  EXPECT_EQ(Refusal(request).code, ErrorCode::kIncompleteSignature);
  EXPECT_EQ(Refusal(request).message,
            "Credential must have exactly 5 slash-delimited elements, e.g. "
            "keyid/date/region/service/term, got 'a/b/c/d'");

  authorization = genuine;
  authorization.replace(authorization.find(scope), scope.size(), "a/b/C/d/e");
  EXPECT_EQ(Refusal(request).code, ErrorCode::kInvalidSignature);
  EXPECT_EQ(Refusal(request).message,
            "Credential should be scoped to a valid region, not 'C'. "
            "Credential should be scoped to correct service: 'dynamodb'. "
            "Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. "
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
            "HTTP: 'b' != '20150830', from '20150830T123600Z'.");
}

TEST(ReadSignature, WithoutRulesOnlyTheFormCounts) {
  const Signed old = InHeaders(kNow - std::chrono::days(400));
  EXPECT_TRUE(ReadSignature(old.message(), nullptr).has_value());
}

TEST(ReadSignature, MessagesRepeatNothingUnprintable) {
  Signed request;
  request.field("Authorization") = "AWS4-\xff\x01";
  EXPECT_TRUE(Refusal(request).message.ends_with("Authorization=AWS4-??"));
}

}  // namespace
}  // namespace stator::wire
