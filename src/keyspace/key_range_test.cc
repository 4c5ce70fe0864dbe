// What key_range.h promises: each range holds exactly the keys that its comparison names, in tables
// and in indexes, and the segments of a scan partition the hashes.

#include "keyspace/key_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <compare>
#include <limits>
#include <string>

#include "keyspace/key_part.h"
#include "value/arbitrary_values.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;
using value::ArbitraryBytes;
using value::ArbitraryKeyAttribute;

bool Holds(const KeyRange& range, const std::string& key) {
  return range.begin <= key && key < range.end;
}

TEST(KeyRange, PrefixEndIsBehindThePrefix) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a\xFF"), "b");
  EXPECT_EQ(PrefixEnd("a\x00"s), "a\x01"s);
  EXPECT_EQ(PrefixEnd("\x01\xFF\xFF"), "\x02");
}

TEST(KeyRange, BetweenIsEmptyWhenTurnedRound) {
  EXPECT_TRUE(RangeBetween("p", 2, 1).empty());
  EXPECT_FALSE(RangeBetween("p", 1, 1).empty());
}

struct Case {
  std::string prefix;
  AttributeValue value;
  AttributeValue other;
  std::string key;  // prefix, other, something behind it
};

// A key of a table or of an index whose next part behind the prefix is `other`.
Case ArbitraryCase() {
  Case result;
  AppendItemKey(1, *ArbitraryKeyAttribute(), nullptr, result.prefix);
  result.value = *ArbitraryKeyAttribute();
  result.other = *rc::gen::oneOf(rc::gen::just(result.value), ArbitraryKeyAttribute());
  result.key = result.prefix;
  AppendKeyPart(result.other, result.key);
  if (*rc::gen::arbitrary<bool>()) {
    AppendKeyPart(*ArbitraryKeyAttribute(), result.key);
  }
  return result;
}

RC_GTEST_PROP(KeyRange, HoldsWhatItsComparisonNames, ()) {
  const Case c = ArbitraryCase();
  const std::partial_ordering order = CompareScalars(c.other, c.value);
  RC_PRE(order != std::partial_ordering::unordered);
  RC_ASSERT(Holds(RangeOfPrefix(c.prefix), c.key));
  RC_ASSERT(Holds(RangeEqual(c.prefix, c.value), c.key) == (order == 0));
  RC_ASSERT(Holds(RangeBelow(c.prefix, c.value), c.key) == (order < 0));
  RC_ASSERT(Holds(RangeUpTo(c.prefix, c.value), c.key) == (order <= 0));
  RC_ASSERT(Holds(RangeAbove(c.prefix, c.value), c.key) == (order > 0));
  RC_ASSERT(Holds(RangeFrom(c.prefix, c.value), c.key) == (order >= 0));
}

RC_GTEST_PROP(KeyRange, BetweenHoldsBothEnds, ()) {
  const Case c = ArbitraryCase();
  const AttributeValue high = *ArbitraryKeyAttribute();
  RC_PRE(c.other.type() == c.value.type());
  RC_PRE(high.type() == c.value.type());
  RC_ASSERT(Holds(RangeBetween(c.prefix, c.value, high), c.key) ==
            (CompareScalars(c.value, c.other) <= 0 && CompareScalars(c.other, high) <= 0));
}

RC_GTEST_PROP(KeyRange, BeginningWithHoldsWhatBeginsSo, ()) {
  const std::string start = *ArbitraryBytes();
  const std::string other = *rc::gen::oneOf(
      ArbitraryBytes(),
      rc::gen::map(ArbitraryBytes(), [&](const std::string& tail) { return start + tail; }));
  std::string prefix;
  AppendItemKey(1, "p", nullptr, prefix);
  std::string key = prefix;
  AppendKeyPart(Binary{other}, key);
  RC_ASSERT(Holds(RangeBeginningWith(prefix, Binary{start}), key) == other.starts_with(start));
}

// How many segments hold the key. Fails unless each begins where the one before ended.
int CountHolding(std::uint32_t total, const std::string& key) {
  int holding = 0;
  std::string end = "\x10\x00\x00\x00\x03\x00\x00"s;  // table 3, the smallest hash
  for (std::uint32_t segment = 0; segment < total; ++segment) {
    const KeyRange range = ItemSegment(3, segment, total);
    if (range.begin != end) {
      ADD_FAILURE() << "a gap before segment " << segment << " of " << total;
    }
    end = range.end;
    holding += Holds(range, key) ? 1 : 0;
  }
  EXPECT_EQ(end, "\x10\x00\x00\x00\x04"s);
  return holding;
}

RC_GTEST_PROP(KeyRange, SegmentsPartitionTheTable, ()) {
  std::string key;
  AppendItemKey(3, *ArbitraryKeyAttribute(), nullptr, key);
  RC_ASSERT(CountHolding(*rc::gen::inRange<std::uint32_t>(1, 20), key) == 1);
}

TEST(KeyRange, SegmentsPartitionTheTableAlsoWhenThereAreMoreThanHashes) {
  std::string key;
  AppendItemKey(3, "some key", nullptr, key);
  for (const std::uint32_t total : {65'535U, 65'536U, 65'537U, 200'000U}) {
    EXPECT_EQ(CountHolding(total, key), 1) << total;
  }
}

TEST(KeyRange, SegmentsOfAnIndexAreUnderItsPrefix) {
  EXPECT_EQ(IndexSegment(3, 4, 0, 2), (KeyRange{"\x11\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00"s,
                                                "\x11\x00\x00\x00\x03\x00\x00\x00\x04\x80\x00"s}));
  EXPECT_EQ(IndexSegment(3, 4, 1, 2), (KeyRange{"\x11\x00\x00\x00\x03\x00\x00\x00\x04\x80\x00"s,
                                                "\x11\x00\x00\x00\x03\x00\x00\x00\x05"s}));
}

TEST(KeyRange, SegmentsOfTheLastTableEndBehindIt) {
  const TableId last = std::numeric_limits<TableId>::max();
  EXPECT_EQ(ItemSegment(last, 0, 1).end, "\x11");
}

}  // namespace
}  // namespace stator::keyspace
