// Failures: how they are made, named and passed on by TRY.

#include "stator/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "base/try.h"

namespace stator {
namespace {

TEST(Result, CarriesCodeMessageAndDetail) {
  const Result<int> failed = Fail(ErrorCode::kTimeout, "too late");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(failed.error().message, "too late");
  EXPECT_EQ(failed.error().detail, nullptr);

  const Result<void> invalid = Invalid("wrong");
  EXPECT_EQ(invalid.error().code, ErrorCode::kValidation);
}

TEST(ErrorCode, EachHasItsOwnName) {
  std::set<std::string_view> names;
  constexpr auto kLast = static_cast<int>(ErrorCode::kMissingMigration);
  for (int code = 0; code <= kLast; ++code) {
    const std::string_view name = NameOf(static_cast<ErrorCode>(code));
    EXPECT_FALSE(name.empty());
    names.insert(name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kLast) + 1);
  EXPECT_EQ(NameOf(ErrorCode::kConditionFailed), "ConditionFailed");
}

Result<std::unique_ptr<int>> Half(int number) {
  if (number % 2 != 0) {
    return Invalid("odd");
  }
  return std::make_unique<int>(number / 2);
}

Result<std::string> DescribeHalf(int number, int& reached) {
  const std::unique_ptr<int> half = TRY(Half(number));
  ++reached;
  return "half is " + std::to_string(*half);
}

TEST(Try, GivesTheValueAlsoIfItCanOnlyBeMoved) {
  int reached = 0;
  EXPECT_EQ(DescribeHalf(8, reached).value(), "half is 4");
  EXPECT_EQ(reached, 1);
}

TEST(Try, ReturnsTheErrorOfAnotherType) {
  int reached = 0;
  const Result<std::string> described = DescribeHalf(7, reached);
  ASSERT_FALSE(described.has_value());
  EXPECT_EQ(described.error().message, "odd");
  EXPECT_EQ(reached, 0);
}

Result<void> CheckEven(int number) {
  if (number % 2 != 0) {
    return Invalid("odd");
  }
  return {};
}

Result<int> CheckBoth(int left, int right) {
  TRY_VOID(CheckEven(left));
  TRY_VOID(CheckEven(right));
  return left + right;
}

TEST(TryVoid, GoesOnOrReturns) {
  EXPECT_EQ(CheckBoth(2, 4).value(), 6);
  EXPECT_EQ(CheckBoth(1, 4).error().message, "odd");
  EXPECT_EQ(CheckBoth(2, 3).error().message, "odd");
}

}  // namespace
}  // namespace stator
