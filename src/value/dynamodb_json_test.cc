// DynamoDB JSON by example: every type in and out, what is refused and with which words. The words
// are those of Amazon's service: found by asking it, or its downloadable version where the two
// agree.

#include "value/dynamodb_json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::value {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

AttributeValue Parsed(std::string_view text) {
  Result<AttributeValue> value = ParseDynamoDbValue(text);
  EXPECT_TRUE(value.has_value()) << text << ": " << value.error().message;
  return value ? *std::move(value) : AttributeValue("not parsed");
}

// Expects each text to be refused in these words.
void ExpectRefusals(ErrorCode code, const Words& refusals) {
  for (const auto& [text, words] : refusals) {
    const Result<AttributeValue> value = ParseDynamoDbValue(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().message, words) << text;
    EXPECT_EQ(value.error().code, code) << text;
  }
}

std::string Repeated(int times, std::string_view text) {
  std::string all;
  for (int time = 0; time < times; ++time) {
    all.append(text);
  }
  return all;
}

TEST(DynamoDbJson, ReadsAndWritesEveryType) {
  const std::vector<std::pair<std::string, AttributeValue>> values = {
      {R"({"S":"text"})", "text"},
      {R"({"S":""})", ""},
      {R"({"S":"\u0000\"\\\n"})", std::string("\0\"\\\n", 4)},
      {R"({"N":"3"})", 3},
      {R"({"N":"-0.5"})", Number::Parse("-0.5").value()},
      {R"({"B":"AP8="})", Binary{std::string("\x00\xff", 2)}},
      {R"({"B":""})", Binary{""}},
      {R"({"BOOL":true})", true},
      {R"({"BOOL":false})", false},
      {R"({"NULL":true})", Null{}},
      {R"({"SS":["","a","b"]})", StringSet{"a", "b", ""}},
      {R"({"NS":["-1","2","10"]})", NumberSet{10, 2, -1}},
      {R"({"BS":["","YQ=="]})", BinarySet{Binary{"a"}, Binary{""}}},
      {R"({"L":[]})", List{}},
      {R"({"L":[{"S":"a"},{"L":[{"N":"1"}]}]})", List{"a", AttributeValue(List{1})}},
      {R"({"M":{}})", Map{}},
      {R"({"M":{"a":{"M":{"b":{"NULL":true}}},"c":{"N":"1"}}})",
       Map{{"a", Map{{"b", Null{}}}}, {"c", 1}}},
  };
  for (const auto& [text, value] : values) {
    EXPECT_EQ(Parsed(text), value) << text;
    EXPECT_EQ(ToDynamoDbJson(value), text);
  }
}

TEST(DynamoDbJson, ReadsAndWritesItems) {
  const std::string text = R"({"a":{"N":"1"},"b":{"S":"x"},"c":{"L":[]}})";
  const Item item = {{"c", List{}}, {"a", 1}, {"b", "x"}};
  EXPECT_EQ(ParseDynamoDbItem(text).value(), item);
  EXPECT_EQ(ToDynamoDbJson(item), text);
  EXPECT_EQ(ToDynamoDbJson(Item{}), "{}");
  EXPECT_EQ(ParseDynamoDbItem("{}").value(), Item{});
}

TEST(DynamoDbJson, ReadsAttributesOfAnyNumberInAnyOrder) {
  // Names of one to ten bytes, many with the same beginning, in each of two maps inside each other.
  for (const int count : {1, 7, 24, 25, 48, 49, 300}) {
    std::string text;
    Map expected;
    for (int number = count; number > 0; --number) {
      const std::string name =
          std::string("abcdefg").substr(0, number % 8) + std::to_string(number);
      const std::string value = R"({"N":")" + std::to_string(number) + R"("})";
      text += (text.empty() ? "\"" : ",\"") + name + "\":" + value;
      expected.Set(name, number);
    }
    Item item = expected;
    item.Set("b", expected);
    item.Set("z", expected);
    const std::string inner = R"({"M":{)" + text + "}}";
    const std::string whole = R"({"z":)" + inner + "," + text + R"(,"b":)" + inner + "}";
    EXPECT_EQ(ParseDynamoDbItem(whole).value(), item) << count;
  }
}

TEST(DynamoDbJson, AppendsBehindWhatIsThere) {
  std::string out = "[";
  AppendDynamoDbJson(AttributeValue(1), out);
  AppendDynamoDbJson(Item{{"a", 1}}, out);
  EXPECT_EQ(out, R"([{"N":"1"}{"a":{"N":"1"}})");
}

TEST(DynamoDbJson, SkipsWhiteSpaceAndSortsNames) {
  EXPECT_EQ(
      ToDynamoDbJson(
          ParseDynamoDbItem(" { \"b\" : { \"N\" : \"1.0\" } ,\n\"a\":{\"BOOL\":true} } ").value()),
      R"({"a":{"BOOL":true},"b":{"N":"1"}})");
}

TEST(DynamoDbJson, WantsExactlyOneTag) {
  constexpr const char* kNone =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  constexpr const char* kMany =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  ExpectRefusals(ErrorCode::kValidation, {
                                             {"{}", kNone},
                                             {R"({"X":"a"})", kNone},
                                             {R"({"s":"a"})", kNone},
                                             {R"({"":"a"})", kNone},
                                             {R"({"SSS":["a"]})", kNone},
                                             {R"({"S":null})", kNone},
                                             {R"({"L":[{}]})", kNone},
                                             {R"({"M":{"a":{}}})", kNone},
                                             {R"({"S":"a","N":"1"})", kMany},
                                             {R"({"BOOL":true,"NULL":true})", kMany},
                                         });
}

TEST(DynamoDbJson, SkipsUnknownMembersAndNullsLikeTheService) {
  EXPECT_EQ(Parsed(R"({"S":"a","X":1})"), AttributeValue("a"));
  EXPECT_EQ(Parsed(R"({"X":{},"N":"1"})"), AttributeValue(1));
  EXPECT_EQ(Parsed(R"({"S":"a","N":null})"), AttributeValue("a"));
}

TEST(DynamoDbJson, LetsTheLastOfEqualNamesWin) {
  EXPECT_EQ(Parsed(R"({"M":{"a":{"S":"1"},"b":{"N":"1"},"a":{"S":"2"}}})"),
            AttributeValue(Map{{"a", "2"}, {"b", 1}}));
  EXPECT_EQ(ParseDynamoDbItem(R"({"a":{"S":"1"},"a":{"N":"2"}})").value(), (Item{{"a", 2}}));
  EXPECT_EQ(Parsed(R"({"S":"1","S":"2"})"), AttributeValue("2"));
}

TEST(DynamoDbJson, RefusesWrongTypesOfContents) {
  constexpr const char* kStructure = "Start of structure or map found where not expected";
  constexpr const char* kBytes = "only base-64-encoded strings are convertible to bytes";
  ExpectRefusals(
      ErrorCode::kSerialization,
      {
          {R"({"S":3})", "NUMBER_VALUE cannot be converted to String"},
          {R"({"S":18446744073709551615})", "NUMBER_VALUE cannot be converted to String"},
          {R"({"S":3.5})", "DECIMAL_VALUE cannot be converted to String"},
          {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
          {R"({"S":false})", "FALSE_VALUE cannot be converted to String"},
          {R"({"S":[]})", "Unrecognized collection type class java.lang.String"},
          {R"({"S":{}})", kStructure},
          {R"({"N":3})", "NUMBER_VALUE cannot be converted to String"},
          {R"({"N":{}})", kStructure},
          {R"({"B":3})", kBytes},
          {R"({"B":true})", kBytes},
          {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
          {R"({"B":{}})", kStructure},
          {R"({"BOOL":1})", "NUMBER_VALUE cannot be converted to Boolean"},
          {R"({"BOOL":0.5})", "DECIMAL_VALUE cannot be converted to Boolean"},
          {R"({"BOOL":"x"})", "Unexpected token received from parser"},
          {R"({"BOOL":[]})", "Unrecognized collection type class java.lang.Boolean"},
          {R"({"NULL":{}})", kStructure},
          {R"({"SS":"a"})", "Unexpected field type"},
          {R"({"SS":{}})", kStructure},
          {R"({"SS":[1]})", "NUMBER_VALUE cannot be converted to String"},
          {R"({"NS":[1]})", "NUMBER_VALUE cannot be converted to String"},
          {R"({"BS":[1]})", kBytes},
          {R"({"BS":[[]]})", "Unrecognized collection type class java.nio.ByteBuffer"},
          {R"({"L":3})", "Unexpected field type"},
          {R"({"L":{}})", kStructure},
          {R"({"L":["a"]})", "Unexpected value type in payload"},
          {R"({"M":"a"})", "Unexpected field type"},
          {R"({"M":[]})",
           "Unrecognized collection type java.util.Map<java.lang.String, "
           "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
          {R"({"M":{"a":3}})", "Unexpected value type in payload"},
          {R"("a")", "Unexpected value type in payload"},
          {R"([])",
           "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      });
}

TEST(DynamoDbJson, TakesBooleansInQuotesLikeTheService) {
  for (const char* yes : {"true", "TRUE", "True", "1", "yes"}) {
    EXPECT_EQ(Parsed(std::string(R"({"BOOL":")") + yes + "\"}"), AttributeValue(true)) << yes;
  }
  for (const char* no : {"false", "FALSE", "0", "no"}) {
    EXPECT_EQ(Parsed(std::string(R"({"BOOL":")") + no + "\"}"), AttributeValue(false)) << no;
  }
  EXPECT_EQ(Parsed(R"({"NULL":"true"})"), AttributeValue(Null{}));
}

TEST(DynamoDbJson, WantsStrictBase64) {
  constexpr const char* kLastCharacter = "Invalid last non-pad Base64 character dectected";
  ExpectRefusals(
      ErrorCode::kSerialization,
      {
          {R"({"B":"23456"})",
           "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
          {R"({"B":"YQ"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 2"},
          {R"({"B":"=+/="})", kLastCharacter},
          {R"({"B":"+/+="})", kLastCharacter},
          {R"({"B":"===="})", kLastCharacter},
          {R"({"BS":["YQ==","YR=="]})", kLastCharacter},
      });
}

TEST(DynamoDbJson, RefusesBadNumbers) {
  ExpectRefusals(
      ErrorCode::kValidation,
      {
          {R"({"N":"abc"})", "The parameter cannot be converted to a numeric value: abc"},
          {R"({"N":""})", "The parameter cannot be converted to a numeric value: "},
          {R"({"NS":["1","b"]})", "The parameter cannot be converted to a numeric value: b"},
          {R"({"NS":[null]})", "The parameter cannot be converted to a numeric value: "},
          {R"({"N":"1e126"})",
           "Number overflow. Attempting to store a number with magnitude larger than supported "
           "range"},
          {R"({"L":[{"N":"1e-131"}]})",
           "Number underflow. Attempting to store a number with magnitude smaller than supported "
           "range"},
          {R"({"M":{"a":{"N":"123456789012345678901234567890123456789"}}})",
           "Attempting to store more than 38 significant digits in a Number"},
      });
}

TEST(DynamoDbJson, RefusesEmptySetsAndSetsWithAMemberTwice) {
  const std::string invalid = "One or more parameter values were invalid: ";
  ExpectRefusals(
      ErrorCode::kValidation,
      {
          {R"({"SS":[]})", invalid + "An string set  may not be empty"},
          {R"({"NS":[]})", invalid + "An number set  may not be empty"},
          {R"({"BS":[]})", invalid + "Binary sets should not be empty"},
          {R"({"SS":["a","a"]})", invalid + R"(Input collection ["a", "a"] contains duplicates.)"},
          {R"({"SS":["b","a","b"]})",
           invalid + R"(Input collection ["a", "b", "b"] contains duplicates.)"},
          {R"({"SS":["",""]})", invalid + R"(Input collection ["", ""] contains duplicates.)"},
          {R"({"NS":["1","1.0"]})", invalid + "Input collection contains duplicates."},
          {R"({"BS":["/w==","AA==","AA=="]})",
           invalid + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)"},
      });
}

TEST(DynamoDbJson, RefusesNullsInPlaceOfValues) {
  ExpectRefusals(
      ErrorCode::kValidation,
      {
          {R"({"L":[null]})", "The supplied Item contains a null AttributeValue"},
          {R"({"M":{"a":null}})", "The supplied Item contains a null AttributeValue: a is null"},
          {R"({"SS":["a",null]})",
           "One or more parameter values were invalid: An string set may not have a null string as "
           "a member"},
          {R"({"BS":[null]})", "The supplied Item contains a null AttributeValue"},
          {R"({"NULL":false})",
           "One or more parameter values were invalid: Null attribute value types must have the "
           "value of true"},
      });
}

TEST(DynamoDbJson, ReportsAWrongTypeBeforeABadContent) {
  const Result<Item> item = ParseDynamoDbItem(R"({"a":{"N":"abc"},"b":{"N":"1","S":3}})");
  EXPECT_EQ(item.error().message, "NUMBER_VALUE cannot be converted to String");
  // Among equals the first counts.
  EXPECT_EQ(ParseDynamoDbItem(R"({"b":{"N":"x"},"a":{"N":"y"}})").error().message,
            "The parameter cannot be converted to a numeric value: x");
  EXPECT_EQ(ParseDynamoDbItem(R"({"b":{"S":1},"a":{"S":true}})").error().message,
            "NUMBER_VALUE cannot be converted to String");
}

TEST(DynamoDbJson, RefusesInTheOlderWordsWhenAsked) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const Words refusals = {
      {R"({"N":""})", "The parameter cannot be converted to a numeric value"},
      {R"({"N":"1e2147483648"})",
       "The parameter cannot be converted to a numeric value: 1e2147483648"},
      {R"({"N":"-1e99999999999999999999"})",
       "The parameter cannot be converted to a numeric value: -1e99999999999999999999"},
      {R"({"N":"1e-2147483648"})",
       "The parameter cannot be converted to a numeric value: 1e-2147483648"},
      {R"({"N":"1e2147483647"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported "
       "range"},
      {R"({"N":"1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"SS":["b","a","b"]})", invalid + "Input collection [b, a, b] contains duplicates."},
      {R"({"NS":["1","1.0"]})", "Input collection contains duplicates"},
      {R"({"BS":["Yg==","Yg=="]})",
       invalid + "Input collection [Yg==, Yg==]of type BS contains duplicates."},
  };
  simdjson::dom::parser parser;
  for (const auto& [text, words] : refusals) {
    const Result<AttributeValue> value =
        AttributeValueFromJson(parser.parse(text).value(), value::Words::kOlder);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().message, words) << text;
  }
}

TEST(DynamoDbJson, ReportsAMissingNameBeforeDepthAndThatBeforeTheRest) {
  const std::string deep = Repeated(40, R"({"L":[)") + R"({"S":""})" + Repeated(40, "]}");
  EXPECT_EQ(ParseDynamoDbItem(R"({"m":{"M":{"":{"S":"x"}}},"d":)" + deep + "}").error().message,
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
            "levels beyond supported limit");
  EXPECT_EQ(ParseDynamoDbItem(R"({"d":)" + deep + R"(,"":{"S":"x"}})").error().message,
            "Empty attribute name");
}

TEST(DynamoDbJson, ReportsABadContentBeforeASecondTag) {
  ExpectRefusals(
      ErrorCode::kValidation,
      {{R"({"S":"a","N":"b"})", "The parameter cannot be converted to a numeric value: b"}});
  ExpectRefusals(ErrorCode::kSerialization,
                 {{R"({"N":"b","S":1})", "NUMBER_VALUE cannot be converted to String"}});
}

TEST(DynamoDbJson, AllowsALeafOnLevel32) {
  constexpr const char* kTooDeep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  const auto lists = [](int wraps, const std::string& leaf) {
    return Repeated(wraps, R"({"L":[)") + leaf + Repeated(wraps, "]}");
  };
  const auto maps = [](int wraps, const std::string& leaf) {
    return Repeated(wraps, R"({"M":{"m":)") + leaf + Repeated(wraps, "}}");
  };
  EXPECT_EQ(ToDynamoDbJson(Parsed(lists(31, R"({"S":"x"})"))), lists(31, R"({"S":"x"})"));
  EXPECT_EQ(ToDynamoDbJson(Parsed(maps(31, R"({"SS":["x"]})"))), maps(31, R"({"SS":["x"]})"));
  ExpectRefusals(ErrorCode::kValidation, {
                                             {lists(32, R"({"S":"x"})"), kTooDeep},
                                             {maps(32, R"({"S":"x"})"), kTooDeep},
                                             {lists(31, R"({"L":[]})"), kTooDeep},
                                             {maps(31, R"({"M":{}})"), kTooDeep},
                                             {lists(400, R"({"S":"x"})"), kTooDeep},
                                         });
  EXPECT_TRUE(ParseDynamoDbItem(R"({"a":)" + lists(31, R"({"S":"x"})") + "}").has_value());
  EXPECT_FALSE(ParseDynamoDbItem(R"({"a":)" + lists(32, R"({"S":"x"})") + "}").has_value());
}

TEST(DynamoDbJson, RefusesNamesThatAreEmptyOrTooLong) {
  const auto refusal = [](const std::string& name) {
    const Result<Item> item = ParseDynamoDbItem("{\"" + name + R"(":{"S":"x"}})");
    return item ? "" : item.error().message;
  };
  EXPECT_EQ(refusal(""), "Empty attribute name");
  EXPECT_EQ(refusal(std::string(65'535, 'x')), "");
  EXPECT_EQ(refusal(std::string(65'536, 'x')),
            "Attribute name is too large, must be less than 65536 bytes");
  ExpectRefusals(ErrorCode::kValidation, {{R"({"M":{"":{"S":"x"}}})", "Empty attribute name"}});
}

TEST(DynamoDbJson, RefusesWhatIsNoJson) {
  for (const char* text : {"", " ", "{", R"({"S":"a"}x)", R"({"S":"a",})", R"({"S":'a'})",
                           "\xef\xbb\xbf{}", "{\"S\":\"\xff\"}", R"({"S":"\ud800"})",
                           "{\"S\":\"\n\"}", R"({"N":123456789012345678901234567890})"}) {
    const Result<AttributeValue> value = ParseDynamoDbValue(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().code, ErrorCode::kSerialization) << text;
    EXPECT_TRUE(value.error().message.starts_with("not JSON: ")) << value.error().message;
  }
  const std::string deep = Repeated(100'000, "[") + Repeated(100'000, "]");
  EXPECT_EQ(ParseDynamoDbValue(deep).error().code, ErrorCode::kSerialization);
}

TEST(DynamoDbJson, RefusesItemsThatAreNoObjects) {
  EXPECT_EQ(ParseDynamoDbItem("[]").error().message,
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(ParseDynamoDbItem("\"a\"").error().message, "Unexpected field type");
  EXPECT_EQ(ParseDynamoDbItem("3").error().code, ErrorCode::kSerialization);
}

}  // namespace
}  // namespace stator::value
