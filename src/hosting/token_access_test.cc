#include "hosting/token_access.h"

#include <gtest/gtest.h>

#include <deque>

#include "hosting/signing_key.h"

namespace stator::hosting {
namespace {

using mcp::HttpCaller;
using mcp::HttpChallenge;
using mcp::HttpNotYet;
using tasks::JsonObject;

constexpr TimePoint kStart(std::chrono::seconds(1'800'000'000));

class TokenAccessTest : public testing::Test {
 protected:
  void Open() {
    access_ = std::make_unique<TokenAccess>(
        TokenAccessOptions{.rules = {.issuer = "https://id.example"}, .clock = &clock_},
        [this](auto done) { asked_.push_back(std::move(done)); });
  }
  mcp::HttpVerdict Check(const std::string& authorization) {
    return access_->Check({.authorization = authorization, .resource = "http://here/mcp"});
  }
  mcp::HttpVerdict CheckTokenOf(const SigningKey& key) {
    return Check("Bearer " + key.Token(JsonObject{{"iss", "https://id.example"},
                                                  {"aud", "http://here/mcp"},
                                                  {"sub", "ada"},
                                                  {"exp", 1'900'000'000}}));
  }
  // Answers the oldest question for the keys.
  void Answer(Result<std::string> text) {
    ASSERT_FALSE(asked_.empty());
    auto done = std::move(asked_.front());
    asked_.pop_front();
    done(std::move(text));
  }
  unsigned StatusOf(const mcp::HttpVerdict& verdict) {
    const auto* const challenge = std::get_if<HttpChallenge>(&verdict);
    return challenge == nullptr ? 0 : challenge->status;
  }

  ManualClock clock_{kStart};
  std::deque<std::move_only_function<void(Result<std::string>)>> asked_;
  SigningKey first_ = SigningKey::P256("first");
  SigningKey second_ = SigningKey::P256("second");
  std::unique_ptr<TokenAccess> access_;
};

TEST_F(TokenAccessTest, WaitsForTheKeysAndNotLonger) {
  Open();
  EXPECT_TRUE(std::holds_alternative<HttpNotYet>(CheckTokenOf(first_)));
  Answer(KeySetOf({first_.Public()}));
  const mcp::HttpVerdict verdict = CheckTokenOf(first_);
  ASSERT_TRUE(std::holds_alternative<HttpCaller>(verdict));
  EXPECT_EQ(std::get<HttpCaller>(verdict).owner.id, "https://id.example|ada");
  EXPECT_FALSE(std::get<HttpCaller>(verdict).owner.is_anonymous);
}

TEST_F(TokenAccessTest, ANewKeyIsFetchedWhenATokenNamesIt) {
  Open();
  Answer(KeySetOf({first_.Public()}));
  clock_.SleepFor(std::chrono::seconds(10));
  EXPECT_TRUE(std::holds_alternative<HttpNotYet>(CheckTokenOf(second_)));
  EXPECT_TRUE(std::holds_alternative<HttpCaller>(CheckTokenOf(first_)));
  Answer(KeySetOf({second_.Public()}));
  EXPECT_TRUE(std::holds_alternative<HttpCaller>(CheckTokenOf(second_)));
  // The key that was taken away does not count any more, and tokens of nobody ask for nothing.
  EXPECT_EQ(StatusOf(CheckTokenOf(first_)), 401);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(TokenAccessTest, OldKeysAreFetchedAgain) {
  Open();
  Answer(KeySetOf({first_.Public()}));
  clock_.SleepFor(std::chrono::minutes(11));
  EXPECT_TRUE(std::holds_alternative<HttpCaller>(CheckTokenOf(first_)));
  Answer(KeySetOf({second_.Public()}));
  EXPECT_EQ(StatusOf(CheckTokenOf(first_)), 401);
}

TEST_F(TokenAccessTest, WithoutKeysNobodyIsLetIn) {
  Open();
  Answer(Fail(ErrorCode::kUnavailable, "no"));
  EXPECT_EQ(StatusOf(CheckTokenOf(first_)), 503);
  EXPECT_TRUE(asked_.empty());
  clock_.SleepFor(std::chrono::seconds(10));
  EXPECT_TRUE(std::holds_alternative<HttpNotYet>(CheckTokenOf(first_)));
  Answer(std::string("<html>"));
  EXPECT_EQ(StatusOf(CheckTokenOf(first_)), 503);
}

TEST_F(TokenAccessTest, HeadersThatAreNoToken) {
  Open();
  Answer(KeySetOf({first_.Public()}));
  EXPECT_EQ(StatusOf(Check("")), 401);
  EXPECT_EQ(StatusOf(Check("Basic YTpi")), 401);
  EXPECT_EQ(StatusOf(Check("Bearerx y")), 401);
  EXPECT_EQ(StatusOf(Check("Bearer")), 400);
  EXPECT_EQ(StatusOf(Check("Bearer ")), 400);
  EXPECT_EQ(StatusOf(Check("Bearer a b")), 400);
  EXPECT_EQ(StatusOf(Check("bearer x")), 401);
}

}  // namespace
}  // namespace stator::hosting
