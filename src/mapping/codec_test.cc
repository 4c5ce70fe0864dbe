// What codec.h promises: each type that holds one value is stored as the DynamoDB type it says,
// comes back as it was, and refuses what it cannot hold, saying what it is.

#include "stator/mapping/detail/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "stator/mapping/mapping.h"
#include "value/dynamodb_json.h"

namespace stator::mapping {
namespace {

struct Celsius {
  int degrees = 0;

  friend bool operator==(const Celsius&, const Celsius&) = default;
};

struct Measure {
  double exact = 0;
  float rough = 0;
};
BOOST_DESCRIBE_STRUCT(Measure, (), (exact, rough))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Celsius> {
  using Stored = std::string;
  static Stored ToStored(const stator::mapping::Celsius& value) {
    return std::to_string(value.degrees) + "C";
  }
  static Result<stator::mapping::Celsius> FromStored(const Stored& stored) {
    if (!stored.ends_with('C')) {
      return Invalid("degrees with a C");
    }
    return stator::mapping::Celsius{std::stoi(stored)};
  }
};

template <>
struct stator::Mapping<stator::mapping::Measure> {
  static constexpr std::tuple kFields = {
      Field<&stator::mapping::Measure::exact>({.floating = true}),
      Field<&stator::mapping::Measure::rough>({.floating = true}),
  };
};

namespace stator::mapping {
namespace {

template <class T>
std::string Stored(const T& value) {
  return value::ToDynamoDbJson(ToAttribute(value).value());
}

template <class T>
std::string Refusal(const AttributeValue& attribute) {
  const Result<T> value = FromAttribute<T>(attribute);
  return value ? "accepted" : value.error().message;
}

Number Parsed(std::string_view text) {
  return Number::Parse(text).value();
}

template <class T>
void ExpectRange(std::string_view below, std::string_view above) {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(FromAttribute<T>(ToAttribute(Limits::min()).value()), Limits::min());
  EXPECT_EQ(FromAttribute<T>(ToAttribute(Limits::max()).value()), Limits::max());
  const std::string expected = "value: expected N, an integer from " +
                               std::to_string(Limits::min()) + " to " +
                               std::to_string(Limits::max()) + ", found ";
  EXPECT_EQ(Refusal<T>(Parsed(below)), expected + std::string(below));
  EXPECT_EQ(Refusal<T>(Parsed(above)), expected + std::string(above));
  EXPECT_EQ(Refusal<T>(Parsed("0.5")), expected + "0.5");
  EXPECT_EQ(Refusal<T>("1"), expected + "S");
}

TEST(Codec, StoresEachTypeAsItsOwn) {
  EXPECT_EQ(Stored(std::string("a")), R"({"S":"a"})");
  EXPECT_EQ(Stored(true), R"({"BOOL":true})");
  EXPECT_EQ(Stored(Parsed("1.50")), R"({"N":"1.5"})");
  EXPECT_EQ(Stored(Binary{"ab"}), R"({"B":"YWI="})");
  EXPECT_EQ(Stored(std::vector<std::byte>{std::byte{0}, std::byte{255}}), R"({"B":"AP8="})");
  EXPECT_EQ(Stored(Map{{"a", 1}}), R"({"M":{"a":{"N":"1"}}})");
  EXPECT_EQ(Stored(AttributeValue(Null{})), R"({"NULL":true})");
}

TEST(Codec, ReadsWhatItWrote) {
  EXPECT_EQ(FromAttribute<std::string>("a"), "a");
  EXPECT_EQ(FromAttribute<bool>(true), true);
  EXPECT_EQ(FromAttribute<Number>(Parsed("12345678901234567890123456789012345678")),
            Parsed("12345678901234567890123456789012345678"));
  EXPECT_EQ(FromAttribute<Binary>(Binary{"\xff"}), Binary{"\xff"});
  EXPECT_EQ(FromAttribute<std::vector<std::byte>>(Binary{"\xff"}),
            std::vector<std::byte>{std::byte{255}});
  EXPECT_EQ(FromAttribute<AttributeValue>(Null{}), AttributeValue(Null{}));
}

TEST(Codec, RefusesOtherTypes) {
  EXPECT_EQ(Refusal<std::string>(1), "value: expected S, found N");
  EXPECT_EQ(Refusal<bool>("true"), "value: expected BOOL, found S");
  EXPECT_EQ(Refusal<Number>(true), "value: expected N, found BOOL");
  EXPECT_EQ(Refusal<Binary>(Null{}), "value: expected B, found NULL");
  EXPECT_EQ(Refusal<std::vector<std::byte>>("YWI="), "value: expected B, found S");
  EXPECT_EQ(Refusal<Map>(List{}), "value: expected M, found L");
}

TEST(Codec, IntegersHaveTheRangeOfTheirType) {
  ExpectRange<std::int8_t>("-129", "128");
  ExpectRange<std::uint8_t>("-1", "256");
  ExpectRange<std::int16_t>("-32769", "32768");
  ExpectRange<std::uint16_t>("-1", "65536");
  ExpectRange<std::int32_t>("-2147483649", "2147483648");
  ExpectRange<std::uint32_t>("-1", "4294967296");
  ExpectRange<std::int64_t>("-9223372036854775809", "9223372036854775808");
  ExpectRange<std::uint64_t>("-1", "18446744073709551616");
  ExpectRange<long long>("-9223372036854775809", "9223372036854775808");
}

TEST(Codec, IntegersMayHaveManyZeros) {
  EXPECT_EQ(FromAttribute<std::int64_t>(Parsed("7e18")), 7'000'000'000'000'000'000);
  EXPECT_EQ(FromAttribute<std::uint64_t>(Parsed("1e19")), 10'000'000'000'000'000'000U);
  EXPECT_FALSE(FromAttribute<std::uint64_t>(Parsed("1e20")));
  EXPECT_FALSE(FromAttribute<std::uint64_t>(Parsed("1e125")));
}

TEST(Codec, DoublesAreTheShortestDecimal) {
  const auto item = ToItem(Measure{.exact = 0.1, .rough = 0.1F}).value();
  EXPECT_EQ(value::ToDynamoDbJson(item), R"({"exact":{"N":"0.1"},"rough":{"N":"0.1"}})");
  for (const double number :
       {0.0, -1.5, 1.0 / 3, 1e125, 9.0e125, 1e-130, 123456789.123456789, 5e-324 * 0}) {
    const auto back = FromItem<Measure>(ToItem(Measure{.exact = number}).value());
    EXPECT_EQ(back->exact, number);
  }
}

TEST(Codec, DoublesThatNoNumberCanBeAreRefused) {
  const auto refusal = [](double number) {
    return ToItem(Measure{.exact = number}).error().message;
  };
  const std::string expected =
      "Measure.exact: expected zero, or a magnitude from 1E-130 to 9.99E+125, found ";
  EXPECT_EQ(refusal(std::numeric_limits<double>::quiet_NaN()), expected + "nan");
  EXPECT_EQ(refusal(-std::numeric_limits<double>::infinity()), expected + "-inf");
  EXPECT_EQ(refusal(1e126), expected + "1e+126");
  EXPECT_EQ(refusal(9e-131), expected + "9e-131");
}

TEST(Codec, NumbersBeyondAFloatAreRefused) {
  const auto refusal = [](std::string_view text) {
    return FromItem<Measure>(Item{{"exact", 0}, {"rough", Parsed(text)}}).error().message;
  };
  EXPECT_EQ(refusal("5e38"),
            "Measure.rough: expected N in the range of float, found 5" + std::string(38, '0'));
  EXPECT_TRUE(refusal("1e-50").starts_with("Measure.rough: expected N in the range of float"));
}

TEST(Codec, AProgramMayStoreATypeAsAnother) {
  EXPECT_EQ(Stored(Celsius{21}), R"({"S":"21C"})");
  EXPECT_EQ(FromAttribute<Celsius>("21C"), Celsius{21});
  EXPECT_EQ(Refusal<Celsius>("70F"), "value: expected degrees with a C, found S");
  EXPECT_EQ(Refusal<Celsius>(21), "value: expected S, found N");
  EXPECT_EQ(Stored(std::vector{Celsius{1}}), R"({"L":[{"S":"1C"}]})");
}

}  // namespace
}  // namespace stator::mapping
