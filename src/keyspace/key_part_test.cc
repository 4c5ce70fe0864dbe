// What key_part.h promises: type bytes and values as fixed examples, order within a type, round
// trips, and refusal of damaged parts.

#include "keyspace/key_part.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

#include "value/arbitrary_values.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;
using value::ArbitraryBytes;
using value::ArbitraryKeyAttribute;

std::string Encoded(const AttributeValue& value) {
  std::string key;
  AppendKeyPart(value, key);
  return key;
}

TEST(KeyPart, FormatIsFixed) {
  EXPECT_EQ(Encoded("ab"), "Sab\x00\x01"s);
  EXPECT_EQ(Encoded(Binary{"\x00\xFF"s}), "B\x00\xFF\xFF\x00\x01"s);
  EXPECT_EQ(Encoded(12), "N\xC0\x83\x18"s);
}

TEST(KeyPart, OnlyScalarsWithAnOrderAreKeys) {
  EXPECT_TRUE(IsKeyType(AttributeValue("a").type()));
  EXPECT_TRUE(IsKeyType(AttributeValue(1).type()));
  EXPECT_TRUE(IsKeyType(AttributeValue(Binary{"a"}).type()));
  EXPECT_FALSE(IsKeyType(AttributeValue(true).type()));
  EXPECT_FALSE(IsKeyType(AttributeValue(Null{}).type()));
  EXPECT_FALSE(IsKeyType(AttributeValue(StringSet{"a"}).type()));
  EXPECT_FALSE(IsKeyType(AttributeValue(List{}).type()));
  EXPECT_FALSE(IsKeyType(AttributeValue(Map{}).type()));
}

TEST(KeyPart, RefusesDamagedParts) {
  for (const std::string& damaged : {""s, "S"s, "Sa"s, "X\x00\x01"s, "N"s, "N\xC0"s, "B\x00"s}) {
    std::string_view rest = damaged;
    const Result<AttributeValue> part = TakeKeyPart(rest);
    ASSERT_FALSE(part.has_value()) << testing::PrintToString(damaged);
    EXPECT_EQ(part.error().code, ErrorCode::kCorruption);
  }
}

RC_GTEST_PROP(KeyPart, OrderIsThatOfDynamoDb, ()) {
  const AttributeValue left = *ArbitraryKeyAttribute();
  const AttributeValue right = *ArbitraryKeyAttribute();
  const std::partial_ordering order = CompareScalars(left, right);
  RC_PRE(order != std::partial_ordering::unordered);
  RC_ASSERT((Encoded(left) <=> Encoded(right)) == order);
}

RC_GTEST_PROP(KeyPart, SeveralPartsSortPartByPart, ()) {
  const AttributeValue left = *ArbitraryKeyAttribute();
  const AttributeValue right = *ArbitraryKeyAttribute();
  const std::string left_tail = Encoded(*ArbitraryKeyAttribute());
  const std::string right_tail = Encoded(*ArbitraryKeyAttribute());
  RC_PRE(left.type() == right.type());
  const auto first = Encoded(left) <=> Encoded(right);
  const auto both = Encoded(left) + left_tail <=> Encoded(right) + right_tail;
  RC_ASSERT(both == (first != 0 ? first : left_tail <=> right_tail));
}

RC_GTEST_PROP(KeyPart, TakesBackWhatWasAppended, ()) {
  const AttributeValue value = *ArbitraryKeyAttribute();
  const std::string tail = *ArbitraryBytes();
  const std::string key = Encoded(value) + tail;
  std::string_view rest = key;
  RC_ASSERT(TakeKeyPart(rest).value() == value);
  RC_ASSERT(rest == tail);
}

RC_GTEST_PROP(KeyPart, PrefixMatchesWhatBeginsWithIt, ()) {
  const std::string prefix = *ArbitraryBytes();
  const std::string other = *rc::gen::oneOf(
      ArbitraryBytes(),
      rc::gen::map(ArbitraryBytes(), [&](const std::string& tail) { return prefix + tail; }));
  std::string key;
  AppendKeyPartPrefix(Binary{prefix}, key);
  RC_ASSERT(Encoded(Binary{other}).starts_with(key) == other.starts_with(prefix));
}

}  // namespace
}  // namespace stator::keyspace
