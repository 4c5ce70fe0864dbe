// What a program may hand over: text is UTF-8, sets have members, nesting and names are bounded.

#include "value/check_value.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::value {
namespace {

std::string Objection(const AttributeValue& value) {
  const Result<void> checked = CheckValue(value);
  if (checked) {
    return "";
  }
  EXPECT_EQ(checked.error().code, ErrorCode::kValidation);
  return checked.error().message;
}

std::string ItemObjection(const Item& item) {
  const Result<void> checked = CheckItem(item);
  return checked ? "" : checked.error().message;
}

// `wraps` lists and maps in turn around a leaf.
AttributeValue Nested(int wraps, AttributeValue leaf) {
  for (int wrap = 0; wrap < wraps; ++wrap) {
    leaf = wrap % 2 == 0 ? AttributeValue(List{std::move(leaf)})
                         : AttributeValue(Map{{"m", std::move(leaf)}});
  }
  return leaf;
}

constexpr const char* kTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";
constexpr const char* kNotUtf8 =
    "One or more parameter values were invalid: Text must be valid UTF-8";

TEST(CheckValue, AcceptsEveryTypeAndEmptyTextsAndContainers) {
  EXPECT_EQ(ItemObjection({{"s", ""},
                           {"t", "\xc3\xa9\xf0\x9f\x98\x80"},
                           {"b", Binary{""}},
                           {"c", Binary{"\xff"}},
                           {"n", 1},
                           {"t", true},
                           {"z", Null{}},
                           {"ss", StringSet{""}},
                           {"ns", NumberSet{1}},
                           {"bs", BinarySet{Binary{""}}},
                           {"l", List{}},
                           {"m", Map{}}}),
            "");
}

TEST(CheckValue, RefusesEmptySets) {
  EXPECT_EQ(Objection(StringSet{}),
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(Objection(NumberSet{}),
            "One or more parameter values were invalid: An number set  may not be empty");
  EXPECT_EQ(Objection(List{Map{{"b", BinarySet{}}}}),
            "One or more parameter values were invalid: Binary sets should not be empty");
}

TEST(CheckValue, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(Objection("\xff"), kNotUtf8);
  EXPECT_EQ(Objection(StringSet{"a", "\xc3"}), kNotUtf8);
  EXPECT_EQ(Objection(Map{{"\x80", 1}}), kNotUtf8);
  EXPECT_EQ(Objection(List{"\xed\xa0\x80"}), kNotUtf8);
  EXPECT_EQ(ItemObjection({{"\xc0\x80", 1}}), kNotUtf8);
}

TEST(CheckValue, AllowsALeafOnLevel32) {
  EXPECT_EQ(Objection(Nested(31, "leaf")), "");
  EXPECT_EQ(Objection(Nested(32, "leaf")), kTooDeep);
  EXPECT_EQ(Objection(Nested(31, List{})), kTooDeep);
  EXPECT_EQ(Objection(Nested(100, Map{})), kTooDeep);
  EXPECT_EQ(ItemObjection({{"a", Nested(31, StringSet{"x"})}}), "");
  EXPECT_EQ(ItemObjection({{"a", Nested(32, "leaf")}}), kTooDeep);
}

TEST(CheckValue, RefusesNamesThatAreEmptyOrTooLong) {
  EXPECT_EQ(ItemObjection({{"", 1}}), "Empty attribute name");
  EXPECT_EQ(Objection(List{Map{{"", 1}}}), "Empty attribute name");
  EXPECT_EQ(ItemObjection({{std::string(65'535, 'x'), 1}}), "");
  EXPECT_EQ(ItemObjection({{std::string(65'536, 'x'), 1}}),
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(IsUtf8, KnowsTheBordersOfTheEncoding) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view good : {""sv, "\0"sv, "\x7f"sv, "\xc2\x80"sv, "\xed\x9f\xbf"sv,
                                      "\xee\x80\x80"sv, "\xf4\x8f\xbf\xbf"sv}) {
    EXPECT_TRUE(IsUtf8(good)) << testing::PrintToString(good);
  }
  for (const std::string_view bad : {"\x80"sv, "\xc1\xbf"sv, "\xc2"sv, "\xe0\x80\x80"sv,
                                     "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "\xf8"sv}) {
    EXPECT_FALSE(IsUtf8(bad)) << testing::PrintToString(bad);
  }
}

TEST(IsUtf8, LooksAtEveryByteOfATextOfAnyLength) {
  for (std::size_t length = 1; length <= 140; ++length) {
    std::string text(length, 'x');
    EXPECT_TRUE(IsUtf8(text)) << length;
    for (std::size_t at = 0; at < length; ++at) {
      text[at] = '\xff';
      EXPECT_FALSE(IsUtf8(text)) << at << " of " << length;
      text[at] = 'x';
    }
  }
}

}  // namespace
}  // namespace stator::value
