// Numbers by example: what is accepted and how it is printed back, where the limits of digits and
// magnitude are, the service's words for what lies beyond, and exactness. The refusals and the
// printed forms are those that Amazon's service gives.

#include "stator/value/number.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "value/number_parts.h"

namespace stator {
namespace {

constexpr const char* kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr const char* kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr const char* kTooManyDigits =
    "Attempting to store more than 38 significant digits in a Number";

const std::string kNines(38, '9');

Number N(std::string_view text) {
  const Result<Number> number = Number::Parse(text);
  EXPECT_TRUE(number.has_value()) << text << ": " << number.error().message;
  return number.value_or(Number());
}

std::string Zeros(std::size_t count) {
  return std::string(count, '0');
}

std::string RefusalOf(std::string_view text) {
  const Result<Number> number = Number::Parse(text);
  if (number) {
    return "accepted as " + number->ToString();
  }
  EXPECT_EQ(number.error().code, ErrorCode::kValidation);
  return number.error().message;
}

TEST(Number, PrintsEveryAcceptedSpellingInOneForm) {
  const std::array<std::pair<const char*, const char*>, 32> spellings = {{
      {"0", "0"},
      {"1", "1"},
      {"-1", "-1"},
      {"+3", "3"},
      {"007", "7"},
      {"-007", "-7"},
      {"00", "0"},
      {"-0", "0"},
      {"+0.00", "0"},
      {"0e5", "0"},
      {"10", "10"},
      {"100", "100"},
      {"1.10", "1.1"},
      {"0042.1200", "42.12"},
      {".5", "0.5"},
      {"5.", "5"},
      {"-.5", "-0.5"},
      {"+.5e1", "5"},
      {"1e3", "1000"},
      {"1E3", "1000"},
      {"1e+3", "1000"},
      {"1E+03", "1000"},
      {"1e-3", "0.001"},
      {"123e-2", "1.23"},
      {"12.5e1", "125"},
      {"1.25e1", "12.5"},
      {"1e-0", "1"},
      {"123456789012345678", "123456789012345678"},
      {"1234567890123456789", "1234567890123456789"},
      {"12345678901234567890", "12345678901234567890"},
      {"100000000000000000000", "100000000000000000000"},
      {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
  }};
  for (const auto& [given, printed] : spellings) {
    EXPECT_EQ(N(given).ToString(), printed) << given;
  }
}

TEST(Number, PrintsPlainDigitsHoweverLong) {
  EXPECT_EQ(N("1e125").ToString(), "1" + Zeros(125));
  EXPECT_EQ(N("-1e-130").ToString(), "-0." + Zeros(129) + "1");
  EXPECT_EQ(N("1e100").ToString(), "1" + Zeros(100));
  EXPECT_EQ(N("1e-100").ToString(), "0." + Zeros(99) + "1");
  EXPECT_EQ(N(kNines + "e-167").ToString(), "0." + Zeros(129) + kNines);
  EXPECT_EQ(N("1000000000000000000000000.000000000001").ToString(),
            "1000000000000000000000000.000000000001");
}

// Digits are written four, eight and more at a time: all fours, wherever they stand.
TEST(Number, PrintsAllDigits) {
  for (std::uint64_t four = 0; four < 10'000; ++four) {
    for (const std::uint64_t factor : {1ULL, 10'000ULL, 100'000'000ULL, 100'000'000'000ULL}) {
      const std::uint64_t number = four * factor + (9'999 - four);
      ASSERT_EQ(Number(number).ToString(), std::to_string(number));
    }
    const std::string digits = std::to_string(10'000 + four);
    for (const std::size_t point : {1U, 2U, 4U}) {
      std::string text = digits + "7";
      text.insert(point, ".");
      ASSERT_EQ(N(text).ToString(), text);
    }
  }
}

TEST(Number, RefusesTextThatIsNoNumber) {
  for (const char* text :
       {"abc", ".", "-", "+", "e5", "1e", "1e+", "1e-", "-e5", ".e5", " 1", "1 ", "\t1", "1\n",
        "1_0", "1,000", "0x10", "NaN", "Infinity", "-inf", "1f", "1L", "--1", "+-1", "-+1", "1..2",
        "1.2.3", "1e1.5", "1e 5", "1e+-5", "1e--5", "1e5e5", "\xD9\xA3", "1\xD9\xA3",
        // An exponent beyond 64 bits.
        "1e9223372036854775808", "1e-9223372036854775809", "0e9223372036854775808"}) {
    EXPECT_EQ(RefusalOf(text),
              std::string("The parameter cannot be converted to a numeric value: ") + text);
  }
  EXPECT_EQ(RefusalOf(""), "The parameter cannot be converted to a numeric value: ");
  using std::string_view_literals::operator""sv;
  EXPECT_FALSE(Number::Parse("1\0"sv).has_value());
  EXPECT_FALSE(Number::Parse("1e1\0"sv).has_value());
}

TEST(Number, HoldsMagnitudesFrom1EMinus130To9Point9E125) {
  EXPECT_EQ(N("9.9e125").ToString(), "99" + Zeros(124));
  EXPECT_EQ(N(kNines + "e88").ToString(), kNines + Zeros(88));
  EXPECT_EQ(N("1" + Zeros(125)), N("1e125"));
  EXPECT_EQ(N("0." + Zeros(129) + "1"), N("1e-130"));
  EXPECT_EQ(N("1.5e-130").ToString(), "0." + Zeros(129) + "15");

  for (const std::string& text :
       {std::string("1e126"), std::string("-1e126"), "1" + Zeros(126), kNines + "e89",
        std::string("1e1000000000"), std::string("1e2147483648"),
        std::string("1e9223372036854775807"), std::string("10e125"), std::string("0.1e127")}) {
    EXPECT_EQ(RefusalOf(text), kOverflow) << text;
  }
  for (const std::string& text :
       {std::string("1e-131"), std::string("-9.9e-131"), "0." + Zeros(130) + "1",
        std::string("1e-1000000000"), std::string("1e-9223372036854775808"),
        std::string("0.1e-130"), kNines + "e-200"}) {
    EXPECT_EQ(RefusalOf(text), kUnderflow) << text;
  }
}

TEST(Number, HoldsZeroToTheRangeOfItsLastPlace) {
  EXPECT_EQ(N("0e125").ToString(), "0");
  EXPECT_EQ(N("0e-130").ToString(), "0");
  EXPECT_EQ(N("0.00e127").ToString(), "0");
  EXPECT_EQ(N(Zeros(500)).ToString(), "0");
  EXPECT_EQ(RefusalOf("0e126"), kOverflow);
  EXPECT_EQ(RefusalOf("0e-131"), kUnderflow);
  EXPECT_EQ(RefusalOf("0." + Zeros(131)), kUnderflow);
}

TEST(Number, Holds38SignificantDigits) {
  EXPECT_EQ(N(kNines).ToString(), kNines);
  EXPECT_EQ(N("-0." + kNines).ToString(), "-0." + kNines);
  // Zeros before and behind do not count.
  EXPECT_EQ(N("000" + kNines + "00000").ToString(), kNines + "00000");
  EXPECT_EQ(N("0.000" + kNines + "000").ToString(), "0.000" + kNines);
  EXPECT_EQ(N(kNines + ".000").ToString(), kNines);

  EXPECT_EQ(RefusalOf(kNines + "1"), kTooManyDigits);
  EXPECT_EQ(RefusalOf("1." + kNines), kTooManyDigits);
  EXPECT_EQ(RefusalOf("1" + Zeros(37) + "1"), kTooManyDigits);
  // The magnitude is looked at first.
  EXPECT_EQ(RefusalOf(kNines + "1e120"), kOverflow);
}

TEST(Number, ReadsLongTextsInLinearTime) {
  const std::string many = Zeros(1'000'000);
  EXPECT_EQ(N(many + "1"), N("1"));
  EXPECT_EQ(N("0." + many + "1e1000001"), N("1"));
  EXPECT_EQ(N("1" + many + "e-1000000"), N("1"));
  EXPECT_EQ(N("1e" + many + "5"), N("1e5"));
  EXPECT_EQ(N("1e-" + many + "5"), N("1e-5"));
  EXPECT_EQ(RefusalOf("1" + many), kOverflow);
  EXPECT_EQ(RefusalOf("0." + many + "1"), kUnderflow);
  const std::string nonsense = "1e1" + many;
  EXPECT_EQ(RefusalOf(nonsense),
            "The parameter cannot be converted to a numeric value: " + nonsense);
}

TEST(Number, ConvertsFromEveryInteger) {
  EXPECT_EQ(Number(0), Number());
  EXPECT_EQ(Number(42).ToString(), "42");
  EXPECT_EQ(Number(-42).ToString(), "-42");
  EXPECT_EQ(Number(1000), N("1e3"));
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::min()).ToString(), "-9223372036854775808");
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::max()).ToString(), "9223372036854775807");
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()).ToString(), "18446744073709551615");
  EXPECT_EQ(Number(static_cast<std::int8_t>(-128)).ToString(), "-128");
  EXPECT_EQ(Number(std::uint16_t{65535}).ToString(), "65535");

  static_assert(!std::is_constructible_v<Number, bool>);
  static_assert(!std::is_constructible_v<Number, char>);
  static_assert(!std::is_constructible_v<Number, char32_t>);
  static_assert(!std::is_constructible_v<Number, double>);
  static_assert(std::is_trivially_copyable_v<Number>);
  static_assert(sizeof(Number) == 24);
}

TEST(Number, ComparesByValue) {
  const std::array ascending = {
      N("-9.9e125"), N("-1e38"), N("-" + kNines),   N("-100"),   N("-99.5"), N("-1"),
      N("-1e-130"),  N("0"),     N("1e-130"),       N("2e-130"), N("0.1"),   N("0.11"),
      N("0.2"),      N("1"),     N("1.0000000001"), N("9"),      N("10"),    N("99"),
      N("100"),      N("101"),   N(kNines),         N("1e38"),   N("1e39"),  N("9.9e125")};
  for (std::size_t left = 0; left < ascending.size(); ++left) {
    for (std::size_t right = 0; right < ascending.size(); ++right) {
      EXPECT_EQ(ascending[left] <=> ascending[right], left <=> right)
          << ascending[left].ToString() << " and " << ascending[right].ToString();
      EXPECT_EQ(ascending[left] == ascending[right], left == right);
    }
  }
}

TEST(Number, AddsAndSubtractsExactly) {
  EXPECT_EQ(Number::Add(N("0.1"), N("0.2")).value(), N("0.3"));
  EXPECT_EQ(Number::Add(N("1"), N("-1")).value(), Number());
  EXPECT_EQ(Number::Add(N("-5"), N("0")).value(), N("-5"));
  EXPECT_EQ(Number::Add(N("0"), N("1e125")).value(), N("1e125"));
  EXPECT_EQ(Number::Add(N("-7"), N("3")).value(), N("-4"));
  EXPECT_EQ(Number::Add(N("3"), N("-7")).value(), N("-4"));
  EXPECT_EQ(Number::Add(N("99"), N("1")).value(), N("100"));
  EXPECT_EQ(Number::Subtract(N("1"), N("0.9")).value(), N("0.1"));
  EXPECT_EQ(Number::Subtract(N("1e-130"), N("1e-130")).value(), Number());
  EXPECT_EQ(Number::Subtract(Number(), N("5")).value(), N("-5"));
}

TEST(Number, AddsUpToThe38thDigitAndRefusesThe39th) {
  EXPECT_EQ(Number::Add(N(kNines), N("1")).value(), N("1e38"));
  EXPECT_EQ(Number::Subtract(N("1e38"), N("1")).value(), N(kNines));
  EXPECT_EQ(Number::Subtract(N("199e36"), N(kNines)).value(), N("99" + Zeros(35) + "1"));
  EXPECT_EQ(Number::Add(N("5e37"), N("5e37")).value(), N("1e38"));

  const auto refusal = [](const char* left, const char* right) {
    return Number::Add(N(left), N(right)).error().message;
  };
  EXPECT_EQ(Number::Add(N(kNines), N("2")).error().message, kOverflow);
  EXPECT_EQ(Number::Subtract(N("3e38"), N(kNines)).error().message, kOverflow);
  EXPECT_EQ(refusal("1e38", "1"), kOverflow);
  EXPECT_EQ(refusal("1", "1e38"), kOverflow);
  EXPECT_EQ(refusal("2e38", "-1"), kOverflow);
  EXPECT_EQ(refusal("1e125", "1e-130"), kOverflow);
  EXPECT_EQ(refusal("1e39", "-1"), kOverflow);
}

TEST(Number, RefusesSumsBeyondTheRange) {
  EXPECT_EQ(Number::Add(N("9e125"), N("1e125")).error().message, kOverflow);
  EXPECT_EQ(Number::Add(N("-9e125"), N("-9e125")).error().message, kOverflow);
  EXPECT_EQ(Number::Subtract(N("1.5e-130"), N("1.4e-130")).error().message, kUnderflow);
  EXPECT_EQ(Number::Add(N("9e125"), N("9e124")).value(), N("9.9e125"));
}

TEST(Number, NegatesAllButZero) {
  EXPECT_EQ(N("5").Negated(), N("-5"));
  EXPECT_EQ(N("-0.5").Negated(), N("0.5"));
  EXPECT_EQ(Number().Negated(), Number());
  EXPECT_FALSE(Number().Negated().is_negative());
}

TEST(Number, GivesItsPartsAndTakesThemBack) {
  for (const std::string& text :
       {std::string("0"), std::string("-1"), std::string("1e125"), kNines, kNines + "e-167"}) {
    const Number number = N(text);
    EXPECT_EQ(Number::FromParts(number.is_negative(), number.coefficient_high(),
                                number.coefficient_low(), number.exponent())
                  .value(),
              number);
  }
}

TEST(Number, RefusesPartsThatBreakTheInvariants) {
  const auto code = [](bool negative, value::Uint128 coefficient, int exponent) {
    const auto number = Number::FromParts(negative, value::HighHalf(coefficient),
                                          value::LowHalf(coefficient), exponent);
    return number ? ErrorCode::kInternal : number.error().code;
  };
  EXPECT_EQ(code(true, 0, 0), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 0, 1), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 10, 0), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, value::kPowersOfTen[38] + 1, 0), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, ~value::Uint128{0}, 0), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 1, 126), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 1, -131), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 1, std::numeric_limits<int>::max()), ErrorCode::kCorruption);
  EXPECT_EQ(code(false, 1, std::numeric_limits<int>::min()), ErrorCode::kCorruption);
}

TEST(Number, ConvertsToIntegersThatFit) {
  for (const std::int64_t integer :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1'000'000},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(Number(integer).ToInt64().value(), integer);
  }
  for (const char* text : {"0.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e100",
                           "93e17", "18446744073709551616"}) {
    EXPECT_EQ(N(text).ToInt64().error().code, ErrorCode::kValidation) << text;
  }
  EXPECT_EQ(N("92e17").ToInt64().value(), 9'200'000'000'000'000'000);
}

TEST(Number, ConvertsToTheNearestDouble) {
  EXPECT_EQ(N("0").ToDouble(), 0.0);
  EXPECT_EQ(N("0.1").ToDouble(), 0.1);
  EXPECT_EQ(N("-1.5").ToDouble(), -1.5);
  EXPECT_EQ(N("1e125").ToDouble(), 1e125);
  EXPECT_EQ(N("1e-130").ToDouble(), 1e-130);
  EXPECT_EQ(N(kNines).ToDouble(), 1e38);
}

TEST(Number, AppendsBehindWhatIsThere) {
  std::string out = "n=";
  N("-12.5").AppendTo(out);
  EXPECT_EQ(out, "n=-12.5");
}

TEST(DigitCount, IsRightAroundEveryPowerOfTen) {
  EXPECT_EQ(value::DigitCount(value::Uint128{0}), 0);
  EXPECT_EQ(value::DigitCount(std::uint64_t{0}), 0);
  for (std::size_t power = 0; power < value::kPowersOfTen.size(); ++power) {
    const auto digits = static_cast<int>(power);
    EXPECT_EQ(value::DigitCount(value::kPowersOfTen[power]), digits + 1);
    EXPECT_EQ(value::DigitCount(value::kPowersOfTen[power] - 1), digits);
    if (value::HighHalf(value::kPowersOfTen[power]) == 0) {
      const std::uint64_t low = value::LowHalf(value::kPowersOfTen[power]);
      EXPECT_EQ(value::DigitCount(low), digits + 1);
      EXPECT_EQ(value::DigitCount(low - 1), digits);
    }
  }
  EXPECT_EQ(value::DigitCount(~std::uint64_t{0}), 20);
  EXPECT_EQ(value::DigitCount(~value::Uint128{0}), 39);
}

}  // namespace
}  // namespace stator
