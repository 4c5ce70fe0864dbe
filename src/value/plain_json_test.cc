// Plain JSON: how types map, that numbers keep every digit, and that the reader takes JSON and
// nothing else.

#include "value/plain_json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::value {
namespace {

AttributeValue Parsed(std::string_view text) {
  Result<AttributeValue> value = ValueFromPlainJson(text);
  EXPECT_TRUE(value.has_value()) << text << ": " << value.error().message;
  return value ? *std::move(value) : AttributeValue("not parsed");
}

std::string Repeated(int times, std::string_view text) {
  std::string all;
  for (int time = 0; time < times; ++time) {
    all.append(text);
  }
  return all;
}

TEST(PlainJson, ReadsAndWritesEveryTypeThatJsonHas) {
  const std::vector<std::pair<std::string, AttributeValue>> values = {
      {R"("text")", "text"},
      {R"("")", ""},
      {"3", 3},
      {"-0.5", Number::Parse("-0.5").value()},
      {"true", true},
      {"false", false},
      {"null", Null{}},
      {"[]", List{}},
      {"{}", Map{}},
      {R"([1,"two",[],{"three":3}])", List{1, "two", List{}, Map{{"three", 3}}}},
      {R"({"a":{"b":null},"c":[true]})", Map{{"a", Map{{"b", Null{}}}},
                                             {"c",
                                              List{
                                                  true,
                                              }}}},
  };
  for (const auto& [text, value] : values) {
    EXPECT_EQ(Parsed(text), value) << text;
    EXPECT_EQ(ToPlainJson(value), text);
  }
  EXPECT_EQ(ToPlainJson(Item{{"b", 1}, {"a", "x"}}), R"({"a":"x","b":1})");
}

TEST(PlainJson, WritesSetsAsArraysAndBinariesAsBase64) {
  EXPECT_EQ(ToPlainJson(AttributeValue(StringSet{"b", "a"})), R"(["a","b"])");
  EXPECT_EQ(ToPlainJson(AttributeValue(NumberSet{10, 9})), "[9,10]");
  EXPECT_EQ(ToPlainJson(AttributeValue(BinarySet{Binary{"a"}})), R"(["YQ=="])");
  EXPECT_EQ(ToPlainJson(AttributeValue(Binary{"\xff"})), R"("/w==")");
}

TEST(PlainJson, KeepsEveryDigitOfANumber) {
  for (const char* text : {"12345678901234567890123456789012345678", "0.1", "-9007199254740993",
                           "18446744073709551616", "1234567890.12345678901234567890123456"}) {
    EXPECT_EQ(ToPlainJson(Parsed(text)), Number::Parse(text).value().ToString());
  }
  EXPECT_EQ(Parsed("1e3"), AttributeValue(1000));
  EXPECT_EQ(Parsed("1E+3"), AttributeValue(1000));
  EXPECT_EQ(Parsed("-0"), AttributeValue(0));
  EXPECT_EQ(Parsed("25e-1"), AttributeValue(Number::Parse("2.5").value()));
}

TEST(PlainJson, RefusesNumbersThatDynamoDbRefuses) {
  const Result<AttributeValue> digits =
      ValueFromPlainJson("[123456789012345678901234567890123456789]");
  EXPECT_EQ(digits.error().code, ErrorCode::kValidation);
  EXPECT_EQ(digits.error().message,
            "Attempting to store more than 38 significant digits in a Number");
  EXPECT_EQ(ValueFromPlainJson("1e126").error().code, ErrorCode::kValidation);
}

TEST(PlainJson, ReadsEscapes) {
  EXPECT_EQ(Parsed(R"("\"\\\/\b\f\n\r\t")"), AttributeValue("\"\\/\b\f\n\r\t"));
  EXPECT_EQ(Parsed(R"("\u0041\u00e9\u20ac\uD83D\uDE00")"),
            AttributeValue("A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  EXPECT_EQ(Parsed(R"("\u0000")"), AttributeValue(std::string(1, '\0')));
}

TEST(PlainJson, SkipsWhiteSpace) {
  EXPECT_EQ(Parsed(" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n"),
            AttributeValue(Map{{"a", List{1, 2}}, {"b", Map{}}}));
}

TEST(PlainJson, LetsTheLastOfEqualNamesWin) {
  EXPECT_EQ(Parsed(R"({"a":1,"b":2,"a":3})"), AttributeValue(Map{{"a", 3}, {"b", 2}}));
}

TEST(PlainJson, RefusesWhatIsNoJson) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text : {""sv,
                                      " "sv,
                                      "tru"sv,
                                      "nul"sv,
                                      "True"sv,
                                      "+1"sv,
                                      "01"sv,
                                      "-"sv,
                                      "1."sv,
                                      ".5"sv,
                                      "1e"sv,
                                      "1e+"sv,
                                      "1e+-5"sv,
                                      "0x1"sv,
                                      "NaN"sv,
                                      "1 2"sv,
                                      "[1,]"sv,
                                      "[,1]"sv,
                                      "[1"sv,
                                      "[1 2]"sv,
                                      "]"sv,
                                      "{"sv,
                                      R"({"a"})"sv,
                                      R"({"a":})"sv,
                                      R"({"a":1,})"sv,
                                      R"({a:1})"sv,
                                      R"({"a":1)"sv,
                                      R"({"a" 1})"sv,
                                      R"({1:1})"sv,
                                      R"("a)"sv,
                                      R"("\)"sv,
                                      R"("\x")"sv,
                                      R"("\u12")"sv,
                                      R"("\u12g4")"sv,
                                      R"("\ud800")"sv,
                                      R"("\ud800x")"sv,
                                      R"("\ud800\u0041")"sv,
                                      R"("\udc00")"sv,
                                      "\"\n\""sv,
                                      "\"\xff\""sv,
                                      "\0"sv,
                                      "1\0"sv,
                                      "\"\\\0\""sv,
                                      "\xef\xbb\xbf[]"sv,
                                      "'a'"sv}) {
    const Result<AttributeValue> value = ValueFromPlainJson(text);
    ASSERT_FALSE(value.has_value()) << testing::PrintToString(text);
    EXPECT_EQ(value.error().code, ErrorCode::kSerialization) << testing::PrintToString(text);
  }
  EXPECT_EQ(ValueFromPlainJson(R"({"a":[1 2]})").error().message,
            "not JSON: expected ',' or ']' at byte 8");
}

TEST(PlainJson, BoundsNestingAsDynamoDbDoesForItems) {
  // An item's own braces do not count, so 31 arrays fit inside.
  const auto arrays = [](int count) { return Repeated(count, "[") + Repeated(count, "]"); };
  EXPECT_TRUE(ValueFromPlainJson(R"({"a":)" + arrays(31) + "}").has_value());
  EXPECT_EQ(ValueFromPlainJson(R"({"a":)" + arrays(32) + "}").error().code, ErrorCode::kValidation);
  EXPECT_EQ(ValueFromPlainJson(Repeated(1'000'000, "[")).error().code, ErrorCode::kValidation);
  EXPECT_EQ(ValueFromPlainJson(Repeated(1'000'000, R"({"a":)")).error().code,
            ErrorCode::kValidation);
}

TEST(PlainJson, RefusesNamesThatAreEmptyOrTooLong) {
  EXPECT_EQ(ValueFromPlainJson(R"({"":1})").error().message, "Empty attribute name");
  EXPECT_EQ(ValueFromPlainJson("{\"" + std::string(65'536, 'x') + "\":1}").error().message,
            "Attribute name is too large, must be less than 65536 bytes");
}

}  // namespace
}  // namespace stator::value
