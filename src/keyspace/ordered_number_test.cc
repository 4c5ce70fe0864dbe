// What ordered_number.h promises: the format as fixed examples, order over arbitrary and over
// chosen numbers, and refusal of everything that AppendOrderedNumber does not write.

#include "keyspace/ordered_number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "value/arbitrary_values.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;
using value::ArbitraryBytes;
using value::ArbitraryNumber;

std::string Encoded(const Number& number) {
  std::string key;
  AppendOrderedNumber(number, key);
  return key;
}

std::string Encoded(std::string_view text) {
  return Encoded(Number::Parse(text).value());
}

TEST(OrderedNumber, FormatIsFixed) {
  EXPECT_EQ(Encoded("0"), "\x80"s);
  EXPECT_EQ(Encoded("1"), "\xC0\x82\x14"s);
  EXPECT_EQ(Encoded("-1"), "\x40\x7D\xEB"s);
  EXPECT_EQ(Encoded("10"), "\xC0\x83\x14"s);
  EXPECT_EQ(Encoded("12.5"), "\xC0\x83\x19\x64"s);
  EXPECT_EQ(Encoded("-12.5"), "\x40\x7C\xE6\x9B"s);
  EXPECT_EQ(Encoded("0.01"), "\xC0\x80\x14"s);
  EXPECT_EQ(Encoded("1e-130"), "\xC0\x00\x14"s);
  EXPECT_EQ(Encoded("-9e125"), "\x40\x00\x4B"s);
  EXPECT_EQ(
      Encoded("12345678901234567890123456789012345678"),
      "\xC0\xA7\x19\x45\x71\x9D\xB5\x19\x45\x71\x9D\xB5\x19\x45\x71\x9D\xB5\x19\x45\x71\x9C"s);
}

TEST(OrderedNumber, OrdersWhatIsHardToOrder) {
  const std::vector<std::string> ascending = {
      "-9.9999999999999999999999999999999999999e125",
      "-1e125",
      "-1.0000000000000000000000000000000000001",
      "-1",
      "-0.99999999999999999999999999999999999999",
      "-0.1",
      "-1e-130",
      "0",
      "1e-130",
      "1.0000000000000000000000000000000000001e-130",
      "0.09",
      "0.1",
      "0.101",
      "0.11",
      "0.99999999999999999999999999999999999999",
      "1",
      "1.0000000000000000000000000000000000001",
      "1.01",
      "1.1",
      "9",
      "9.9",
      "10",
      "10.01",
      "11",
      "99",
      "100",
      "12345678901234567890123456789012345677",
      "12345678901234567890123456789012345678",
      "1e125",
      "9.9999999999999999999999999999999999999e125",
  };
  for (std::size_t at = 1; at < ascending.size(); ++at) {
    EXPECT_LT(Encoded(ascending[at - 1]), Encoded(ascending[at]))
        << ascending[at - 1] << " and " << ascending[at];
  }
}

TEST(OrderedNumber, EqualNumbersHaveEqualBytes) {
  EXPECT_EQ(Encoded("1"), Encoded("1.000"));
  EXPECT_EQ(Encoded("100"), Encoded("1e2"));
  EXPECT_EQ(Encoded("0"), Encoded("-0.0"));
}

TEST(OrderedNumber, RefusesWhatIsNotWritten) {
  const std::vector<std::string> damaged = {
      ""s,
      "\x00"s,
      "\x7F"s,
      "\xC0"s,
      "\xC0\x82"s,
      "\xC0\x82\x15"s,                                 // another pair announced, none there
      "\xC0\x82\x02"s,                                 // a leading zero digit
      "\xC0\x82\x00"s,                                 // no digit at all
      "\xC0\x82\x15\x00"s,                             // a trailing pair of zeros
      "\xC0\x82\xC8"s,                                 // the pair 100
      "\x40\x7D\x37"s,                                 // the same, negative
      "\xC0\x82"s + std::string(19, '\x15') + "\x14",  // 40 digits
  };
  for (const std::string& key : damaged) {
    std::string_view rest = key;
    Number number;
    EXPECT_FALSE(TakeOrderedNumber(rest, number)) << testing::PrintToString(key);
  }
}

RC_GTEST_PROP(OrderedNumber, KeepsOrderWhateverFollows, ()) {
  const Number left = *ArbitraryNumber();
  const Number right = *ArbitraryNumber();
  const std::string left_key = Encoded(left) + *ArbitraryBytes();
  const std::string right_key = Encoded(right) + *ArbitraryBytes();
  RC_PRE(left != right);
  RC_ASSERT((left < right) == (left_key < right_key));
}

// Neighbours differ in their last digit only, where an encoding by pairs is most easily wrong.
RC_GTEST_PROP(OrderedNumber, KeepsTheOrderOfNeighbours, ()) {
  const Number number = *ArbitraryNumber();
  const Result<Number> step = Number::FromParts(false, 0, 1, number.exponent());
  RC_PRE(step.has_value());
  const Result<Number> next = Number::Add(number, *step);
  RC_PRE(next.has_value());
  RC_ASSERT(Encoded(number) < Encoded(*next));
}

RC_GTEST_PROP(OrderedNumber, TakesBackWhatWasAppended, ()) {
  const Number number = *ArbitraryNumber();
  const std::string tail = *ArbitraryBytes();
  const std::string key = Encoded(number) + tail;
  std::string_view rest = key;
  Number taken;
  RC_ASSERT(TakeOrderedNumber(rest, taken));
  RC_ASSERT(taken == number);
  RC_ASSERT(rest == tail);
}

RC_GTEST_PROP(OrderedNumber, AcceptsOnlyWhatItWouldWrite, ()) {
  std::string key = Encoded(*ArbitraryNumber());
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, key.size());
  key[at] = *rc::gen::arbitrary<char>();
  std::string_view rest = key;
  Number taken;
  if (TakeOrderedNumber(rest, taken)) {
    RC_ASSERT(key.starts_with(Encoded(taken)));
    RC_ASSERT(Encoded(taken).size() + rest.size() == key.size());
  }
}

}  // namespace
}  // namespace stator::keyspace
