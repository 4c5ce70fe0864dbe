// What item_codec.h promises: the format byte by byte, round trips, partial decoding, and refusal
// of rows that were not written by it.

#include "value/item_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "value/arbitrary_values.h"

namespace stator::value {
namespace {

using std::string_literals::operator""s;

std::string Encoded(const Item& item) {
  std::string row;
  AppendItem(item, row);
  return row;
}

// The bytes of a value alone, cut out of an item with one attribute called "a".
std::string EncodedValue(const AttributeValue& value) {
  return Encoded({{"a", value}}).substr(4);
}

Number Parsed(std::string_view text) {
  return Number::Parse(text).value();
}

TEST(ItemCodec, ItemFormatIsFixed) {
  EXPECT_EQ(Encoded({}), "\x01\x00"s);
  EXPECT_EQ(Encoded({{"b", "x"}, {"a", true}}), "\x01\x02\x01\x61\x02\x01\x62\x03\x01x"s);
}

TEST(ItemCodec, ScalarFormatIsFixed) {
  EXPECT_EQ(EncodedValue(Null{}), "\x00"s);
  EXPECT_EQ(EncodedValue(false), "\x01"s);
  EXPECT_EQ(EncodedValue(true), "\x02"s);
  EXPECT_EQ(EncodedValue(""), "\x03\x00"s);
  EXPECT_EQ(EncodedValue(std::string(200, 'x')), "\x03\xC8\x01"s + std::string(200, 'x'));
  EXPECT_EQ(EncodedValue(Binary{"\x00"s}), "\x04\x01\x00"s);
}

TEST(ItemCodec, NumberFormatIsFixed) {
  EXPECT_EQ(EncodedValue(0), "\x05\x00"s);
  EXPECT_EQ(EncodedValue(3), "\x05\x03"s);
  EXPECT_EQ(EncodedValue(-3), "\x06\x03"s);
  EXPECT_EQ(EncodedValue(300), "\x07\x04\x03"s);
  EXPECT_EQ(EncodedValue(-300), "\x08\x04\x03"s);
  EXPECT_EQ(EncodedValue(Parsed("12.5")), "\x07\x01\x7D"s);
  EXPECT_EQ(EncodedValue(1'700'000'001), "\x05\x81\xE2\xCF\xAA\x06"s);
  EXPECT_EQ(EncodedValue(Parsed("1e-130")), "\x07\x83\x02\x01"s);
  EXPECT_EQ(EncodedValue(std::numeric_limits<std::uint64_t>::max()),
            "\x05\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s);
}

TEST(ItemCodec, ContainerFormatIsFixed) {
  EXPECT_EQ(EncodedValue(StringSet{"b", "a"}), "\x09\x00\x00\x00\x05\x02\x01\x61\x01\x62"s);
  EXPECT_EQ(EncodedValue(NumberSet{2, -1}), "\x0A\x00\x00\x00\x05\x02\x06\x01\x05\x02"s);
  EXPECT_EQ(EncodedValue(BinarySet{Binary{"a"}}), "\x0B\x00\x00\x00\x03\x01\x01\x61"s);
  EXPECT_EQ(EncodedValue(List{}), "\x0C\x00\x00\x00\x01\x00"s);
  EXPECT_EQ(EncodedValue(List{1, "a"}), "\x0C\x00\x00\x00\x06\x02\x05\x01\x03\x01\x61"s);
  EXPECT_EQ(EncodedValue(Map{{"k", 1}}), "\x0D\x00\x00\x00\x05\x01\x01k\x05\x01"s);
}

TEST(ItemCodec, RefusesRowsThatItDidNotWrite) {
  const std::vector<std::string> damaged = {
      ""s,
      "\x00\x00"s,                          // another version
      "\x02\x00"s,                          // a newer one
      "\x01"s,                              // no count
      "\x01\x00\x00"s,                      // too long
      "\x01\x01"s,                          // an entry is missing
      "\x01\x80\x00"s,                      // a count with a superfluous byte
      "\x01\x01\x05\x61\x00"s,              // a name that is too short
      "\x01\x01\x01\x61"s,                  // a value is missing
      "\x01\x01\x01\x61\x0E"s,              // an unknown tag
      "\x01\x01\x01\x61\x03\x02\x61"s,      // a string that is too short
      "\x01\x02\x01\x62\x00\x01\x61\x00"s,  // names out of order
      "\x01\x02\x01\x61\x00\x01\x61\x00"s,  // a name twice
      "\x01\x01\x01\x61\x06\x00"s,          // minus zero
      "\x01\x01\x01\x61\x05\x0A"s,          // ten with its zero in the coefficient
      "\x01\x01\x01\x61\x07\x00\x01"s,      // an exponent of zero
      "\x01\x01\x01\x61\x07\xFE\x03\x01"s,  // beyond the range of numbers
      "\x01\x01\x01\x61\x05\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x03"s,
      "\x01\x01\x01\x61\x09\x00\x00\x00\x05\x02\x01\x62\x01\x61"s,  // a set out of order
      "\x01\x01\x01\x61\x09\x00\x00\x00\x05\x02\x01\x61\x01\x61"s,  // a member twice
      "\x01\x01\x01\x61\x0C\x00\x00\x00\x01\x01"s,                  // a list that is too short
      "\x01\x01\x01\x61\x0C\x00\x00\x00\x02\x00\x00"s,              // and one that is too long
      "\x01\x01\x01\x61\x0C\xFF\xFF\xFF\xFF\x00"s,                  // a size beyond the row
      "\x01\xFF\xFF\xFF\xFF\x0F"s,                                  // a huge count
  };
  for (const std::string& row : damaged) {
    const Result<Item> item = DecodeItem(row);
    ASSERT_FALSE(item.has_value()) << testing::PrintToString(row);
    EXPECT_EQ(item.error().code, ErrorCode::kCorruption);
    const Result<Item> opened = OpenItem(row);
    ASSERT_FALSE(opened.has_value()) << testing::PrintToString(row);
    EXPECT_EQ(opened.error().code, ErrorCode::kCorruption);
  }
}

AttributeValue NestedLists(std::size_t depth) {
  AttributeValue value = "deep";
  for (std::size_t level = 0; level < depth; ++level) {
    value = List{std::move(value)};
  }
  return value;
}

TEST(ItemCodec, HoldsTheDeepestDocuments) {
  const Item item = {{"a", NestedLists(limits::kNestingDepthMax)}};
  EXPECT_EQ(DecodeItem(Encoded(item)).value(), item);
}

TEST(ItemCodec, RefusesNestingWithoutEnd) {
  // What encoding refuses to write, written by hand: lists in lists, outermost last.
  std::string value = "\x00"s;
  for (int level = 0; level < 10'000; ++level) {
    std::string outer = "\x0C"s;
    const std::size_t size = value.size() + 1;
    for (int shift = 24; shift >= 0; shift -= 8) {
      outer.push_back(static_cast<char>(size >> static_cast<unsigned>(shift)));
    }
    value = outer + "\x01"s + value;
  }
  const std::string row = "\x01\x01\x01\x61"s + value;
  EXPECT_EQ(DecodeItem(row).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(OpenItem(row).error().code, ErrorCode::kCorruption);
}

TEST(ItemCodec, NamesMayHoldAnything) {
  const Item item = {{"", 1}, {"\0"s, 2}, {std::string(70'000, 'n'), 3}};
  EXPECT_EQ(DecodeItem(Encoded(item)).value(), item);
}

RC_GTEST_PROP(ItemCodec, DecodesWhatItEncodes, ()) {
  const Item item = *ArbitraryMap(3);
  RC_ASSERT(DecodeItem(Encoded(item)).value() == item);
}

RC_GTEST_PROP(ItemCodec, FindsEachAttribute, ()) {
  const Item item = *ArbitraryMap(1);
  const std::string row = Encoded(item);
  for (const auto& [name, value] : item) {
    RC_ASSERT(DecodeAttribute(row, name).value() == value);
  }
  const std::string other = *ArbitraryBytes();
  if (!item.contains(other)) {
    RC_ASSERT(!DecodeAttribute(row, other).value().has_value());
  }
}

RC_GTEST_PROP(ItemCodec, DecodesOnlyWhatIsNamed, ()) {
  const Item item = *ArbitraryMap(1);
  Item names = *ArbitraryMap(0);
  for (const auto& [name, value] : item) {
    if (*rc::gen::arbitrary<bool>()) {
      names.Set(name, Null{});
    }
  }
  Item expected;
  std::vector<std::string_view> sorted_names;
  for (const auto& [name, value] : names) {
    sorted_names.push_back(name);
    if (const AttributeValue* found = item.Find(name)) {
      expected.Append(name, *found);
    }
  }
  RC_ASSERT(DecodeItemOnly(Encoded(item), sorted_names).value() == expected);
}

RC_GTEST_PROP(ItemCodec, NoticesEveryLostByte, ()) {
  const std::string row = Encoded(*ArbitraryMap(2));
  const std::size_t size = *rc::gen::inRange<std::size_t>(0, row.size());
  RC_ASSERT(DecodeItem(row.substr(0, size)).error().code == ErrorCode::kCorruption);
}

// A changed byte may give another item, but never one that would have been written differently.
RC_GTEST_PROP(ItemCodec, AcceptsOnlyWhatItWouldWrite, ()) {
  std::string row = Encoded(*ArbitraryMap(2));
  row[*rc::gen::inRange<std::size_t>(0, row.size())] = *rc::gen::arbitrary<char>();
  if (const Result<Item> item = DecodeItem(row)) {
    RC_ASSERT(Encoded(*item) == row);
  }
}

}  // namespace
}  // namespace stator::value
