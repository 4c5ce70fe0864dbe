// What names.h promises: how C++ names become stored ones, and what types are called.

#include "stator/mapping/detail/names.h"

#include <gtest/gtest.h>

#include <string>

#include "stator/mapping/mapping.h"

namespace other {
struct Named {};
}  // namespace other

namespace stator::mapping {
namespace {

struct Local {};

std::string Styled(std::string_view written, NameStyle style) {
  return std::string(Restyle<100>(written, style).view());
}

TEST(Names, FollowTheStyle) {
  EXPECT_EQ(Styled("created_at", NameStyle::kCamelCase), "createdAt");
  EXPECT_EQ(Styled("created_at", NameStyle::kPascalCase), "CreatedAt");
  EXPECT_EQ(Styled("created_at", NameStyle::kUpperCase), "CREATED_AT");
  EXPECT_EQ(Styled("createdAt", NameStyle::kSnakeCase), "created_at");
  EXPECT_EQ(Styled("created_at", NameStyle::kSnakeCase), "created_at");
  EXPECT_EQ(Styled("id", NameStyle::kCamelCase), "id");
  EXPECT_EQ(Styled("phase1_text", NameStyle::kCamelCase), "phase1Text");
  EXPECT_EQ(Styled("phase1Text", NameStyle::kSnakeCase), "phase1_text");
}

TEST(Names, KeepAbbreviationsTogether) {
  EXPECT_EQ(Styled("HTTPServer", NameStyle::kSnakeCase), "http_server");
  EXPECT_EQ(Styled("userID", NameStyle::kSnakeCase), "user_id");
  EXPECT_EQ(Styled("s3_key", NameStyle::kPascalCase), "S3Key");
}

TEST(Names, LeaveOutWhatIsNoPartOfThem) {
  EXPECT_EQ(Styled("kInProgress", NameStyle::kSnakeCase), "in_progress");
  EXPECT_EQ(Styled("kind", NameStyle::kPascalCase), "Kind");
  EXPECT_EQ(Styled("balance_", NameStyle::kSnakeCase), "balance");
  EXPECT_EQ(Styled("_private", NameStyle::kCamelCase), "private");
}

TEST(Names, OfTypesHaveNoNamespace) {
  EXPECT_EQ(TypeNameOf<other::Named>(), "Named");
  EXPECT_EQ(TypeNameOf<Local>(), "Local");
}

}  // namespace
}  // namespace stator::mapping
