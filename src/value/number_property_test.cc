// Numbers against a model that shares nothing with them: big integers of Boost.Multiprecision,
// which hold every number times 10^167. Each case draws a dozen numbers, many of them close
// together, near a carry or near a limit, and looks at all 144 pairs: in all 216,000 comparisons,
// 108,000 sums and 108,000 differences.

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/property.h"
#include "stator/value/number.h"

namespace stator {
namespace {

using base::CheckProperty;
using boost::multiprecision::cpp_int;

constexpr int kDigitsMax = 38;
constexpr int kLowestPlace = -167;  // the last digit of a 38-digit number that begins at 10^-130
constexpr int kPlacesMax = 300;

const std::vector<cpp_int>& PowersOfTen() {
  static const std::vector<cpp_int> powers = [] {
    std::vector<cpp_int> made = {1};
    while (made.size() <= kPlacesMax) {
      made.push_back(made.back() * 10);
    }
    return made;
  }();
  return powers;
}

const cpp_int& PowerOfTen(int exponent) {
  return PowersOfTen().at(static_cast<std::size_t>(exponent));
}

// A number as drawn: (-1)^negative * digits * 10^exponent.
struct Drawn {
  bool negative = false;
  std::string digits;
  int exponent = 0;

  [[nodiscard]] std::string Text() const {
    return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
  }
  [[nodiscard]] cpp_int Model() const {
    const cpp_int magnitude = cpp_int("1" + digits) - PowerOfTen(static_cast<int>(digits.size()));
    const cpp_int scaled = magnitude * PowerOfTen(exponent - kLowestPlace);
    return negative ? cpp_int(-scaled) : scaled;
  }
};

std::ostream& operator<<(std::ostream& out, const Drawn& drawn) {
  return out << drawn.Text();
}

rc::Gen<char> Digit() {
  // Nines carry, zeros are trimmed, the others are all alike.
  return rc::gen::weightedOneOf<char>(
      {{3, rc::gen::just('9')}, {3, rc::gen::just('0')}, {4, rc::gen::inRange('1', '9')}});
}

rc::Gen<std::string> Digits() {
  return rc::gen::mapcat(rc::gen::weightedOneOf<int>({{3, rc::gen::inRange(1, 5)},
                                                      {2, rc::gen::inRange(1, 21)},
                                                      {2, rc::gen::inRange(30, kDigitsMax + 1)}}),
                         [](int length) {
                           return rc::gen::container<std::string>(static_cast<std::size_t>(length),
                                                                  Digit());
                         });
}

// Within the range whatever the digits are.
rc::Gen<Drawn> AnyNumber() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<bool>(), Digits(),
                     rc::gen::weightedOneOf<int>({{4, rc::gen::inRange(-3, 4)},
                                                  {3, rc::gen::inRange(-40, 40)},
                                                  {1, rc::gen::inRange(80, 126)},
                                                  {1, rc::gen::inRange(-130, -80)}})),
      [](std::tuple<bool, std::string, int> parts) {
        auto& [negative, digits, exponent] = parts;
        const int highest = 126 - static_cast<int>(digits.size());
        return Drawn{negative, std::move(digits), std::min(exponent, highest)};
      });
}

Number Parsed(const Drawn& drawn) {
  const Result<Number> number = Number::Parse(drawn.Text());
  RC_ASSERT(number.has_value());
  return *number;
}

// A dozen numbers, each with its model.
std::vector<std::pair<Number, cpp_int>> DrawDozen() {
  const auto drawn = *rc::gen::container<std::vector<Drawn>>(12, AnyNumber());
  std::vector<std::pair<Number, cpp_int>> numbers;
  numbers.reserve(drawn.size());
  for (const Drawn& one : drawn) {
    numbers.emplace_back(Parsed(one), one.Model());
  }
  return numbers;
}

cpp_int ModelOf(const Number& number) {
  const cpp_int coefficient = (cpp_int(number.coefficient_high()) << 64) + number.coefficient_low();
  const cpp_int scaled = coefficient * PowerOfTen(number.exponent() - kLowestPlace);
  return number.is_negative() ? cpp_int(-scaled) : scaled;
}

cpp_int Magnitude(const cpp_int& model) {
  return model < 0 ? cpp_int(-model) : model;
}

int DigitCount(const cpp_int& positive) {
  const auto& powers = PowersOfTen();
  return static_cast<int>(std::upper_bound(powers.begin(), powers.end(), positive) -
                          powers.begin());
}

// Whether DynamoDB can store the scaled value.
bool Fits(const cpp_int& model) {
  if (model == 0) {
    return true;
  }
  const cpp_int magnitude = Magnitude(model);
  const int digits = DigitCount(magnitude);
  const int leading = digits - 1 + kLowestPlace;
  if (leading > 125 || leading < -130) {
    return false;
  }
  return digits <= kDigitsMax || magnitude % PowerOfTen(digits - kDigitsMax) == 0;
}

std::string PlainText(const cpp_int& model) {
  std::string digits = Magnitude(model).str();
  constexpr std::size_t kFraction = -kLowestPlace;
  if (digits.size() <= kFraction) {
    digits.insert(0, kFraction + 1 - digits.size(), '0');
  }
  std::string text =
      digits.substr(0, digits.size() - kFraction) + "." + digits.substr(digits.size() - kFraction);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return (model < 0 ? "-" : "") + text;
}

TEST(NumberProperty, OrderIsTheOrderOfTheValues) {
  CheckProperty(1500, [] {
    const auto numbers = DrawDozen();
    for (const auto& [left, left_model] : numbers) {
      for (const auto& [right, right_model] : numbers) {
        RC_ASSERT((left <=> right) == (left_model.compare(right_model) <=> 0));
        RC_ASSERT((left == right) == (left_model == right_model));
      }
    }
  });
}

void CheckSum(const Result<Number>& sum, const cpp_int& model) {
  if (!Fits(model)) {
    RC_ASSERT(!sum.has_value());
    return;
  }
  RC_ASSERT(sum.has_value());
  RC_ASSERT(ModelOf(*sum) == model);
  // The result keeps the invariants.
  RC_ASSERT(Number::FromParts(sum->is_negative(), sum->coefficient_high(), sum->coefficient_low(),
                              sum->exponent())
                .has_value());
}

TEST(NumberProperty, SumsAndDifferencesAreExactOrRefused) {
  CheckProperty(750, [] {
    const auto numbers = DrawDozen();
    for (const auto& [left, left_model] : numbers) {
      for (const auto& [right, right_model] : numbers) {
        CheckSum(Number::Add(left, right), left_model + right_model);
        CheckSum(Number::Subtract(left, right), left_model - right_model);
      }
    }
  });
}

TEST(NumberProperty, TextIsTheValueAndComesBack) {
  CheckProperty(5000, [] {
    const Drawn drawn = *AnyNumber();
    const Number number = Parsed(drawn);
    RC_ASSERT(number.ToString() == PlainText(drawn.Model()));
    RC_ASSERT(Number::Parse(number.ToString()).value() == number);
  });
}

TEST(NumberProperty, IntegersAreThemselves) {
  CheckProperty(10'000, [](std::int64_t integer) {
    const Number number = integer;
    RC_ASSERT(number.ToString() == std::to_string(integer));
    RC_ASSERT(number == Number::Parse(std::to_string(integer)).value());
    RC_ASSERT(number.ToInt64().value() == integer);
  });
}

TEST(NumberProperty, RefusesExactlyWhatTheModelRefuses) {
  CheckProperty(4000, [] {
    Drawn drawn = *AnyNumber();
    drawn.digits += *rc::gen::element(std::string(), std::string("0"), std::string("00007"));
    drawn.exponent = *rc::gen::inRange(kLowestPlace, 126);
    const cpp_int model = drawn.Model();
    RC_PRE(model != 0);
    RC_ASSERT(Number::Parse(drawn.Text()).has_value() == Fits(model));
  });
}

TEST(NumberProperty, NoTextCrashesTheParserOrIsReadInTwoWays) {
  CheckProperty(8000, [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::weightedOneOf<char>({{10, rc::gen::elementOf(std::string("0123456789"))},
                                      {4, rc::gen::elementOf(std::string("+-.eE"))},
                                      {1, rc::gen::arbitrary<char>()}}));
    if (const Result<Number> number = Number::Parse(text)) {
      RC_ASSERT(Number::Parse(number->ToString()).value() == *number);
    }
  });
}

}  // namespace
}  // namespace stator
