#include "hosting/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stator::hosting {
namespace {

using testing::HasSubstr;

std::optional<std::string> Environment(const std::string& name) {
  if (name == "TOKEN") {
    return "s3cret";
  }
  if (name == "LONGER") {
    return "s3cret-and-more";
  }
  return name == "TINY" ? std::optional<std::string>("a") : std::nullopt;
}

TEST(SecretsTest, VariablesAreExpandedAndHidden) {
  Secrets secrets;
  EXPECT_EQ(secrets.Expand("Bearer ${TOKEN}/${TINY}$$", Environment).value(), "Bearer s3cret/a$");
  EXPECT_EQ(secrets.Expand("${LONGER}", Environment).value(), "s3cret-and-more");
  EXPECT_EQ(secrets.Hide("a: s3crets3cret, s3cret-and-more"), "a: ******, ***");
}

TEST(SecretsTest, WhatIsWrongIsNamed) {
  Secrets secrets;
  EXPECT_THAT(secrets.Expand("${MISSING}", Environment).error().message, HasSubstr("MISSING"));
  for (const std::string_view text : {"$", "$TOKEN", "${", "${}", "${TOKEN"}) {
    EXPECT_THAT(secrets.Expand(text, Environment).error().message, HasSubstr("${NAME}")) << text;
  }
}

}  // namespace
}  // namespace stator::hosting
