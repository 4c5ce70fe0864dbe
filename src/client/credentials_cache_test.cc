// When credentials are fetched, and the shared files they may come from.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "client/credentials.h"
#include "client/credentials_document.h"
#include "client/profiles.h"

namespace stator::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kNow{seconds(1'794'744'000)};

// Gives keys that are good for an hour, numbered; fails when told to.
class CountingProvider final : public CredentialsProvider {
 public:
  explicit CountingProvider(Clock& clock) : clock_(clock) {}

  Result<std::optional<Credentials>> Fetch() override {
    ++fetched;
    if (fails) {
      return Fail(ErrorCode::kUnavailable, "told to");
    }
    return Credentials{.key = {.access_key_id = std::to_string(fetched), .secret_access_key = "s"},
                       .expiration = clock_.Now() + minutes(60)};
  }

  int fetched = 0;
  bool fails = false;

 private:
  Clock& clock_;
};

class CredentialsCacheTest : public testing::Test {
 protected:
  CredentialsCacheTest() {
    auto provider = std::make_unique<CountingProvider>(clock_);
    provider_ = provider.get();
    cache_ = std::make_unique<CredentialsCache>(std::move(provider), clock_);
  }

  std::string Key() {
    const auto credentials = cache_->Get();
    return credentials ? (*credentials)->key.access_key_id : "none";
  }

  ManualClock clock_{kNow};
  CountingProvider* provider_ = nullptr;
  std::unique_ptr<CredentialsCache> cache_;
};

TEST_F(CredentialsCacheTest, KeepsThemUntilShortlyBeforeTheyExpire) {
  EXPECT_EQ(Key(), "1");
  clock_.Advance(minutes(55));
  EXPECT_EQ(Key(), "1");
  clock_.Advance(minutes(2));
  EXPECT_EQ(Key(), "2");
  EXPECT_EQ(Key(), "2");
}

TEST_F(CredentialsCacheTest, UsesTheOldOnesWhileTheyAreGoodAndNoNewOnesCome) {
  EXPECT_EQ(Key(), "1");
  provider_->fails = true;
  clock_.Advance(minutes(58));
  EXPECT_EQ(Key(), "1");
  clock_.Advance(minutes(2));
  EXPECT_EQ(Key(), "none");
  provider_->fails = false;
  EXPECT_EQ(Key(), "4");
}

TEST_F(CredentialsCacheTest, FetchesAgainWhenTheyWereRefused) {
  const auto refused = cache_->Get();
  cache_->Invalidate(*refused);
  EXPECT_EQ(Key(), "2");
  cache_->Invalidate(*refused);
  EXPECT_EQ(Key(), "2");
}

TEST(CredentialsFromJson, TakesBothSpellingsOfTheToken) {
  for (const char* token : {"Token", "SessionToken"}) {
    const std::string document =
        std::string(R"({"AccessKeyId":"a","SecretAccessKey":"s",")") + token + R"(":"t"})";
    const auto credentials = CredentialsFromJson(document, "test");
    ASSERT_TRUE(credentials);
    EXPECT_EQ(credentials->key.session_token, "t");
  }
}

TEST(CredentialsFromJson, RefusesWhatIsNoCredentials) {
  for (const char* document :
       {"", "[]", "{}", R"({"AccessKeyId":"a"})", R"({"AccessKeyId":1,"SecretAccessKey":"s"})",
        R"({"AccessKeyId":"a","SecretAccessKey":"s","Expiration":"soon"})"}) {
    EXPECT_FALSE(CredentialsFromJson(document, "test")) << document;
  }
}

TEST(ParseTimestamp, KnowsTheFormsThatServicesUse) {
  for (const char* text : {"2026-11-15T12:00:00Z", "2026-11-15T12:00:00.123Z",
                           "2026-11-15T12:00:00+00:00", "2026-11-15T12:00:00UTC"}) {
    EXPECT_EQ(ParseTimestamp(text), kNow) << text;
  }
  for (const char* text : {"", "2026-11-15", "2026-11-15T12:00:00", "2026-11-15T12:00:00+01:00"}) {
    EXPECT_EQ(ParseTimestamp(text), std::nullopt) << text;
  }
}

TEST(Profiles, AreReadFromBothFiles) {
  const Profiles profiles = Profiles::Parse(
      "# a comment\n[default]\nregion=eu-central-1 ; why not\n\n[ profile build ]\n"
      "role_arn = arn:x\nregion =  us-east-1\ns3 =\n  max = 5\noutput = json\n"
      "[profile \"two words\"]\nregion = here\n[sso-session corp]\nsso_region = there\n"
      "[services x]\nregion = nowhere\nno setting\n",
      "[default]\naws_access_key_id = AK\r\naws_secret_access_key = s#cret\r\n[build]\n"
      "region = wins\n");
  const Settings* const standard = profiles.Find("default");
  ASSERT_NE(standard, nullptr);
  EXPECT_EQ(*standard, (Settings{{"region", "eu-central-1"},
                                 {"aws_access_key_id", "AK"},
                                 {"aws_secret_access_key", "s#cret"}}));
  const Settings* const build = profiles.Find("build");
  ASSERT_NE(build, nullptr);
  EXPECT_EQ(SettingOf(*build, "region"), "wins");
  EXPECT_EQ(SettingOf(*build, "s3.max"), "5");
  EXPECT_EQ(SettingOf(*build, "output"), "json");
  EXPECT_EQ(SettingOf(*build, "missing"), "");
  EXPECT_NE(profiles.Find("two words"), nullptr);
  EXPECT_EQ(profiles.Find("services x"), nullptr);
  ASSERT_NE(profiles.FindSsoSession("corp"), nullptr);
  EXPECT_EQ(SettingOf(*profiles.FindSsoSession("corp"), "sso_region"), "there");
}

}  // namespace
}  // namespace stator::client
