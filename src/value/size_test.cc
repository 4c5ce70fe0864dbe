// Sizes. Those of numbers were measured at Amazon's service, byte by byte at the 400 KB limit; the
// others follow its developer guide.

#include "value/size.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace stator::value {
namespace {

std::size_t SizeOfNumber(std::string_view text) {
  return SizeOf(Number::Parse(text).value());
}

TEST(Size, NumbersCostAByteForTwoDigitsOnEachSideOfThePoint) {
  const std::array<std::pair<const char*, std::size_t>, 27> measured = {{
      {"0", 1},     {"1", 2},       {"12", 2},
      {"123", 3},   {"1234", 3},    {"0042", 2},
      {"100", 2},   {"1010", 3},    {"0.0000001", 2},
      {"1E125", 2}, {"1E-100", 2},  {"1.5", 3},
      {"15", 2},    {"1.2", 3},     {"1.200", 3},
      {"1.234", 4}, {"3.14159", 5}, {"123456", 4},
      {"100.5", 4}, {"0.15", 2},    {"-42", 3},
      {"-0", 1},    {"-1.5", 4},    {"0.05", 2},
      {"0.012", 2}, {"10.01", 3},   {"12345678901234567890123456789012345678", 20},
  }};
  for (const auto& [text, bytes] : measured) {
    EXPECT_EQ(SizeOfNumber(text), bytes) << text;
  }
}

TEST(Size, ScalarsCostTheirBytes) {
  EXPECT_EQ(SizeOf(AttributeValue("")), 0U);
  EXPECT_EQ(SizeOf(AttributeValue("abc")), 3U);
  EXPECT_EQ(SizeOf(AttributeValue("\xc3\xa9")), 2U);
  EXPECT_EQ(SizeOf(AttributeValue(Binary{std::string(5, '\0')})), 5U);
  EXPECT_EQ(SizeOf(AttributeValue(true)), 1U);
  EXPECT_EQ(SizeOf(AttributeValue(false)), 1U);
  EXPECT_EQ(SizeOf(AttributeValue(Null{})), 1U);
  EXPECT_EQ(SizeOf(AttributeValue(-42)), 3U);
}

TEST(Size, SetsCostTheSumOfTheirMembers) {
  EXPECT_EQ(SizeOf(AttributeValue(StringSet{"a", "bcd"})), 4U);
  EXPECT_EQ(SizeOf(AttributeValue(NumberSet{1, -42})), 5U);
  EXPECT_EQ(SizeOf(AttributeValue(BinarySet{Binary{"ab"}, Binary{"c"}})), 3U);
}

TEST(Size, ContainersCostThreeBytesAndOnePerEntry) {
  EXPECT_EQ(SizeOf(AttributeValue(List{})), 3U);
  EXPECT_EQ(SizeOf(AttributeValue(Map{})), 3U);
  EXPECT_EQ(SizeOf(AttributeValue(List{"abc", 1})), 3U + 1 + 3 + 1 + 2);
  EXPECT_EQ(SizeOf(AttributeValue(Map{{"name", "abc"}})), 3U + 1 + 4 + 3);
  EXPECT_EQ(SizeOf(AttributeValue(List{List{}, Map{{"a", List{}}}})),
            3U + 1 + 3 + 1 + (3 + 1 + 1 + 3));
}

TEST(Size, ItemsCostNamesAndValuesOnly) {
  EXPECT_EQ(SizeOfItem({}), 0U);
  EXPECT_EQ(SizeOfItem({{"pk", "abc"}, {"n", 3}, {"l", List{}}}), 2U + 3 + 1 + 2 + 1 + 3);
}

TEST(Size, AnItemFitsInItsSizeAndInNothingLess) {
  const Number longest =
      Number::Parse("-1234567890123456789.0123456789012345678").value();  // 19 digits on each side
  for (const Item& item :
       {Item{}, Item{{"a", 1}}, Item{{"a", "text"}, {"n", longest}}, Item{{"n", 0}, {"m", 1}},
        Item{{"l", List{1, "two", Map{{"three", 3}}}}, {"s", StringSet{"a", "b"}}, {"t", true}}}) {
    const std::size_t bytes = SizeOfItem(item);
    EXPECT_TRUE(FitsIn(bytes, item)) << bytes;
    EXPECT_TRUE(FitsIn(1000, item)) << bytes;
    EXPECT_TRUE(bytes == 0 || !FitsIn(bytes - 1, item)) << bytes;
  }
  EXPECT_EQ(SizeOf(longest), 22U) << "no number is larger";
}

}  // namespace
}  // namespace stator::value
