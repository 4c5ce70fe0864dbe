#include "hosting/access_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hosting/signing_key.h"

namespace stator::hosting {
namespace {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

constexpr TimePoint kNow(std::chrono::seconds(1'800'000'000));
constexpr std::int64_t kNowSeconds = 1'800'000'000;

JsonObject Claims() {
  return {{"iss", "https://id.example"},
          {"aud", "https://mcp.example/mcp"},
          {"sub", "ada"},
          {"exp", kNowSeconds + 300},
          {"scope", "a  b"}};
}

JsonObject With(std::string_view name, Json value) {
  JsonObject claims = Claims();
  claims.Set(name, std::move(value));
  return claims;
}

class AccessTokenTest : public testing::Test {
 protected:
  static SigningKey& Rsa() {
    static SigningKey key = SigningKey::Rsa("r");
    return key;
  }
  Result<AccessToken> Verify(const std::string& token) {
    return VerifyToken(token, keys_, {.issuer = "https://id.example"}, "https://mcp.example/mcp",
                       kNow);
  }
  ErrorCode CodeOf(const std::string& token) {
    const Result<AccessToken> verified = Verify(token);
    EXPECT_FALSE(verified) << token;
    return verified ? ErrorCode::kInternal : verified.error().code;
  }

  SigningKey ec_ = SigningKey::P256("e");
  KeySet keys_ = ParseKeySet(KeySetOf({Rsa().Public(), ec_.Public()})).value();
};

TEST_F(AccessTokenTest, BothAlgorithmsSayWhoAndWhat) {
  for (const SigningKey* const key : {&Rsa(), &ec_}) {
    const Result<AccessToken> token = Verify(key->Token(Claims()));
    ASSERT_TRUE(token) << token.error().message;
    EXPECT_EQ(token->owner, "ada");
    EXPECT_THAT(token->scopes, testing::ElementsAre("a", "b"));
    EXPECT_EQ(token->expires, kNow + std::chrono::seconds(300));
  }
}

TEST_F(AccessTokenTest, AudiencesAndScopesMayBeLists) {
  JsonObject claims = With("aud", JsonArray{"other", "https://mcp.example/mcp"});
  claims.Set("scp", JsonArray{"c", 3});
  EXPECT_THAT(Verify(ec_.Token(claims))->scopes, testing::ElementsAre("a", "b", "c"));
}

TEST_F(AccessTokenTest, ClaimsThatDoNotFitAreRefused) {
  EXPECT_EQ(CodeOf(ec_.Token(With("iss", "https://id.example/"))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("aud", "https://mcp.example"))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("aud", nullptr))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("sub", ""))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("sub", std::string(257, 'x')))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("sub", 7))), ErrorCode::kAccessDenied);
  EXPECT_EQ(CodeOf(ec_.Token(With("exp", kNowSeconds - 60))), ErrorCode::kExpiredToken);
  EXPECT_EQ(CodeOf(ec_.Token(With("exp", "never"))), ErrorCode::kExpiredToken);
  EXPECT_EQ(CodeOf(ec_.Token(With("exp", nullptr))), ErrorCode::kExpiredToken);
  EXPECT_EQ(CodeOf(ec_.Token(With("exp", 1e300))), ErrorCode::kExpiredToken);
  EXPECT_EQ(CodeOf(ec_.Token(With("nbf", kNowSeconds + 61))), ErrorCode::kAccessDenied);
  EXPECT_TRUE(Verify(ec_.Token(With("exp", kNowSeconds - 59))));
}

TEST_F(AccessTokenTest, TheKeySaysTheAlgorithm) {
  const std::string good = ec_.Token(Claims());
  const std::string unsigned_text = Base64Url(R"({"alg":"none"})") + good.substr(good.find('.'));
  EXPECT_EQ(CodeOf(unsigned_text), ErrorCode::kInvalidSignature);
  EXPECT_EQ(CodeOf(unsigned_text.substr(0, unsigned_text.rfind('.') + 1)),
            ErrorCode::kInvalidSignature);
  EXPECT_EQ(CodeOf(ec_.Token(JsonObject{{"alg", "HS256"}, {"kid", "e"}}, Claims())),
            ErrorCode::kInvalidSignature);
  EXPECT_EQ(CodeOf(ec_.Token(JsonObject{{"alg", "RS256"}, {"kid", "r"}}, Claims())),
            ErrorCode::kInvalidSignature);
  EXPECT_EQ(CodeOf(ec_.Token(JsonObject{{"alg", "RS256"}, {"kid", "e"}}, Claims())),
            ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(ec_.Token(JsonObject{{"alg", "ES256"}, {"kid", "e"}, {"crit", JsonArray{"x"}}},
                             Claims())),
            ErrorCode::kInvalidSignature);
}

TEST_F(AccessTokenTest, OthersCannotSign) {
  EXPECT_EQ(CodeOf(SigningKey::P256("e").Token(Claims())), ErrorCode::kInvalidSignature);
  EXPECT_EQ(CodeOf(SigningKey::P256("x").Token(Claims())), ErrorCode::kNotFound);
  // Every byte counts.
  const std::string good = ec_.Token(Claims());
  for (std::size_t at = 0; at + 1 < good.size(); at += 7) {
    std::string changed = good;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(Verify(changed)) << at;
  }
}

TEST_F(AccessTokenTest, WhatIsNoTokenIsRefused) {
  const std::string good = ec_.Token(Claims());
  for (const std::string& token :
       {std::string(), std::string("x"), std::string(".."), std::string("a.b.c"), good + ".x",
        good + "=", std::string(10'000, '.'), Base64Url("[]") + "." + Base64Url("{}") + ".AAAA"}) {
    EXPECT_FALSE(Verify(token)) << token.substr(0, 40);
  }
}

TEST(KeySet, KeysOfOtherKindsArePassedOver) {
  const SigningKey good = SigningKey::P256("good");
  Json other_use = good.Public();
  other_use.If<JsonObject>()->Set("use", "enc");
  Json off_curve = good.Public();
  off_curve.If<JsonObject>()->Set("x", *off_curve.Find("y"));
  const Json weak = SigningKey::Rsa("weak", 1024).Public();
  const Json secret = JsonObject{{"kty", "oct"}, {"k", "AAAA"}};
  const std::string text = KeySetOf({other_use, off_curve, weak, secret, 3, good.Public()});
  const Result<KeySet> keys = ParseKeySet(text);
  ASSERT_TRUE(keys) << keys.error().message;
  ASSERT_EQ(keys->size(), 1);
  EXPECT_EQ(keys->front().id, "good");
  EXPECT_FALSE(ParseKeySet(KeySetOf({weak})));
  for (const char* const wrong : {"", "[]", "{}", R"({"keys": {}})", R"({"keys": []})", "<html>"}) {
    EXPECT_FALSE(ParseKeySet(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace stator::hosting
