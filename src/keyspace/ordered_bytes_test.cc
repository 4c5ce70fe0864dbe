// What ordered_bytes.h promises: the format as fixed examples, its invariants over arbitrary
// strings, and refusal of damaged keys.

#include "keyspace/ordered_bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

#include "value/arbitrary_values.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;
using value::ArbitraryBytes;

std::string Encoded(std::string_view bytes) {
  std::string key;
  AppendOrderedBytes(bytes, key);
  return key;
}

std::string EncodedPrefix(std::string_view bytes) {
  std::string key;
  AppendOrderedBytesPrefix(bytes, key);
  return key;
}

TEST(OrderedBytes, FormatIsFixed) {
  EXPECT_EQ(Encoded(""), "\x00\x01"s);
  EXPECT_EQ(Encoded("a"), "a\x00\x01"s);
  EXPECT_EQ(Encoded("a\0"s), "a\x00\xFF\x00\x01"s);
  EXPECT_EQ(Encoded("\0\0b"s), "\x00\xFF\x00\xFF\x62\x00\x01"s);
  EXPECT_EQ(EncodedPrefix("a\0"s), "a\x00\xFF"s);
}

TEST(OrderedBytes, RefusesDamagedKeys) {
  for (const std::string& damaged :
       {""s, "a"s, "\x00"s, "a\x00"s, "a\x00\x02"s, "a\x00\xFF"s, "a\x00\xFE\x00\x01"s}) {
    std::string_view rest = damaged;
    std::string bytes;
    EXPECT_FALSE(TakeOrderedBytes(rest, bytes)) << testing::PrintToString(damaged);
  }
}

TEST(OrderedBytes, AppendsBehindWhatIsThere) {
  std::string key = "x";
  AppendOrderedBytes("a", key);
  EXPECT_EQ(key, "xa\x00\x01"s);
}

RC_GTEST_PROP(OrderedBytes, KeepsOrderWhateverFollows, ()) {
  const std::string left = *ArbitraryBytes();
  const std::string right = *ArbitraryBytes();
  const std::string after_left = *ArbitraryBytes();
  const std::string after_right = *ArbitraryBytes();
  RC_PRE(left != right);
  RC_ASSERT((left < right) == (Encoded(left) + after_left < Encoded(right) + after_right));
}

RC_GTEST_PROP(OrderedBytes, PrefixesStayPrefixes, ()) {
  const std::string prefix = *ArbitraryBytes();
  const std::string other = *rc::gen::oneOf(
      ArbitraryBytes(),
      rc::gen::map(ArbitraryBytes(), [&](const std::string& tail) { return prefix + tail; }));
  RC_ASSERT(other.starts_with(prefix) == Encoded(other).starts_with(EncodedPrefix(prefix)));
}

RC_GTEST_PROP(OrderedBytes, TakesBackWhatWasAppended, ()) {
  const std::string first = *ArbitraryBytes();
  const std::string second = *ArbitraryBytes();
  const std::string key = Encoded(first) + Encoded(second);
  std::string_view rest = key;
  std::string taken_first;
  std::string taken_second;
  RC_ASSERT(TakeOrderedBytes(rest, taken_first));
  RC_ASSERT(TakeOrderedBytes(rest, taken_second));
  RC_ASSERT(taken_first == first);
  RC_ASSERT(taken_second == second);
  RC_ASSERT(rest.empty());
}

}  // namespace
}  // namespace stator::keyspace
