// What json.h promises: the grammar of RFC 8259, texts of numbers kept, members in order, and that
// whatever is read is written back the same.

#include "stator/stores/tasks/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <rapidcheck.h>

#include "base/property.h"

namespace stator::tasks {
namespace {

std::string Rewritten(std::string_view text) {
  const Result<Json> json = Json::Parse(text);
  return json ? json->ToText() : "refused: " + json.error().message;
}

TEST(Json, IsWrittenAsItWasRead) {
  for (const std::string_view text :
       {"null", "true", "false", "0", "-0", "1.50", "1e400", "-2E-7", R"("")",
        R"("a\"b\\c\n\u0001")", "[]", "{}", R"([1,[2,{"a":null}]])", R"({"b":1,"a":2,"":3})",
        "123456789012345678901234567890123456789012345678901234567890", "\"\u00e4\U0001F600\""}) {
    EXPECT_EQ(Rewritten(text), text);
  }
}

TEST(Json, TakesWhiteSpaceAndEscapes) {
  EXPECT_EQ(Rewritten(" { \"a\" :\t[ 1 , 2 ]\r\n} "), R"({"a":[1,2]})");
  EXPECT_EQ(Rewritten(R"("\u00e4\uD83D\ude00\/\b\f\r\t\u0041")"), "\"ä😀/\\b\\f\\r\\tA\"");
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const std::string_view text : {"",
                                      " ",
                                      "nul",
                                      "tru",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "-",
                                      "[1,]",
                                      "[1",
                                      "{\"a\"}",
                                      "{a:1}",
                                      "{\"a\":1,}",
                                      "\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\uD800\"",
                                      "\"\\uDC00\"",
                                      "\"\\uD800\\u0041\"",
                                      "\"\n\"",
                                      "1 2",
                                      "[1]]",
                                      "\xFF",
                                      "\"\xC0\x80\"",
                                      "'a'",
                                      "NaN",
                                      "\xEF\xBB\xBF{}"}) {
    const Result<Json> json = Json::Parse(text);
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().code, ErrorCode::kSerialization);
  }
}

TEST(Json, RefusesWhatNestsTooDeep) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(Json::Parse(nested(Json::kDepthMax)));
  EXPECT_FALSE(Json::Parse(nested(Json::kDepthMax + 2)));
  EXPECT_FALSE(Json::Parse(std::string(1'000'000, '[')));
}

TEST(Json, TheLastOfEqualNamesWins) {
  EXPECT_EQ(Rewritten(R"({"a":1,"b":2,"a":3})"), R"({"b":2,"a":3})");
}

TEST(Json, NumbersAreWholeHoweverTheyAreWritten) {
  EXPECT_EQ(Json::Parse("60000.0")->ToInt64(), 60000);
  EXPECT_EQ(Json::Parse("6e4")->ToInt64(), 60000);
  EXPECT_EQ(Json::Parse("-9223372036854775808")->ToInt64(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(Json::Parse("60000.5")->ToInt64());
  EXPECT_FALSE(Json::Parse("9223372036854775808")->ToInt64());
  EXPECT_FALSE(Json::Parse("1e400")->ToInt64());
  EXPECT_FALSE(Json("60000").ToInt64());
  EXPECT_EQ(Json::Parse("1.5")->ToDouble(), 1.5);
  EXPECT_EQ(Json(1.5), *Json::Parse("1.5"));
  EXPECT_TRUE(Json(std::numeric_limits<double>::infinity()).is_null());
}

TEST(Json, ObjectsFindSetAndErase) {
  JsonObject object{{"a", 1}, {"b", 2}};
  object.Set("a", 3);
  object.Set("c", nullptr);
  EXPECT_EQ(Json(object).ToText(), R"({"a":3,"b":2,"c":null})");
  EXPECT_TRUE(object.Erase("b"));
  EXPECT_FALSE(object.Erase("b"));
  EXPECT_EQ(object.Find("b"), nullptr);
  EXPECT_EQ(Json(object).Find("a")->ToInt64(), 3);
  EXPECT_EQ(Json(1).Find("a"), nullptr);
  EXPECT_EQ(Json(JsonObject{{"t", "x"}}).TextOf("t"), "x");
  EXPECT_EQ(Json(JsonObject{{"t", 1}}).TextOf("t"), std::nullopt);
}

TEST(Json, ManyMembersDoNotTakeLong) {
  std::string text = "{";
  for (int member = 0; member < 100'000; ++member) {
    text += (member == 0 ? "\"" : ",\"") + std::to_string(member % 50'000) + "\":1";
  }
  EXPECT_EQ(Json::Parse(text + "}")->If<JsonObject>()->size(), 50'000);
}

rc::Gen<Json> ArbitraryJson(int depth) {
  const auto text =
      rc::gen::map(rc::gen::container<std::string>(rc::gen::inRange<char>(0x01, 0x7F)),
                   [](std::string value) { return Json(std::move(value)); });
  const auto number = rc::gen::map(rc::gen::arbitrary<std::int64_t>(),
                                   [](std::int64_t value) { return Json(value); });
  const auto flag =
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool value) { return Json(value); });
  if (depth == 0) {
    return rc::gen::oneOf(text, number, flag, rc::gen::just(Json()));
  }
  const auto array = rc::gen::map(rc::gen::container<std::vector<Json>>(ArbitraryJson(depth - 1)),
                                  [](JsonArray value) { return Json(std::move(value)); });
  const auto object =
      rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, Json>>>(rc::gen::pair(
                       rc::gen::container<std::string>(rc::gen::inRange<char>(0x01, 0x7F)),
                       ArbitraryJson(depth - 1))),
                   [](std::vector<std::pair<std::string, Json>> members) {
                     return Json(JsonObject(std::move(members)));
                   });
  return rc::gen::oneOf(text, number, flag, array, object);
}

TEST(Json, SurvivesItsText) {
  base::CheckProperty(200, [] {
    const Json json = *ArbitraryJson(2);
    const Result<Json> read = Json::Parse(json.ToText());
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == json);
  });
}

TEST(Json, AnyBytesAreReadOrRefused) {
  base::CheckProperty(500, [](const std::string& bytes) {
    const Result<Json> read = Json::Parse(bytes);
    if (read) {
      RC_ASSERT(Json::Parse(read->ToText()).value() == *read);
    }
  });
}

}  // namespace
}  // namespace stator::tasks
