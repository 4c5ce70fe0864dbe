// Strings as JSON text: what is escaped and how, wherever it stands, and that a JSON reader gives
// the same string back.

#include "value/json_text.h"

#include <gtest/gtest.h>

#include <simdjson.h>
#include <string>
#include <vector>

#include "base/property.h"

namespace stator::value {
namespace {

using std::string_literals::operator""s;

// Padded with what would need escapes it comes out as it does alone.
std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(text, out);
  const std::string padded = std::string(text) + std::string(kPaddingBytes, '"');
  std::string of_padded;
  JsonAppender(of_padded).AppendPaddedString("", std::string_view(padded).substr(0, text.size()),
                                             "");
  EXPECT_EQ(of_padded, out);
  return out;
}

TEST(JsonText, QuotesPlainText) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("abc"), R"("abc")");
  EXPECT_EQ(Quoted("\xc3\xa9/\x7f"), "\"\xc3\xa9/\x7f\"");
}

TEST(JsonText, EscapesWhatJsonDemands) {
  EXPECT_EQ(Quoted(R"(a"b\c)"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Quoted("\0\x01\x1f "s), R"("\u0000\u0001\u001f ")");
}

// A text that is all escapes is six times as long.
TEST(JsonText, EscapesEveryCharacterOfALongText) {
  const std::string text(1000, '\x02');
  std::string expected = "\"";
  for (std::size_t at = 0; at < text.size(); ++at) {
    expected += "\\u0002";
  }
  EXPECT_EQ(Quoted(text), expected + "\"");
}

TEST(JsonText, FindsTheOneEscapeWhereverItStands) {
  for (const char special : {'"', '\\', '\n', '\0', '\x1f'}) {
    for (std::size_t length = 1; length <= 40; ++length) {
      for (std::size_t at = 0; at < length; ++at) {
        // Bytes next to the special ones in value, and with the top bit set, must not confuse it.
        std::string text(length, at % 2 == 0 ? '\xa2' : ' ');
        text[at] = special;
        const std::string escaped = Quoted(std::string_view(&special, 1));
        const std::string expected = "\"" + text.substr(0, at) +
                                     escaped.substr(1, escaped.size() - 2) + text.substr(at + 1) +
                                     "\"";
        ASSERT_EQ(Quoted(text), expected);
      }
    }
  }
}

TEST(JsonText, AppendsBehindWhatIsThere) {
  std::string out = "{";
  AppendJsonString("a", out);
  EXPECT_EQ(out, R"({"a")");
}

TEST(JsonAppender, LeavesTheTextAsLongAsItsPieces) {
  std::string out = "before ";
  {
    JsonAppender json(out);
    json.Append("{");
    json.AppendString("", "name", ":");
    json.AppendString("{\"S\":", "a\tb", "}");
    const auto write = [](char* to) {
      *to = '7';
      return to + 1;
    };
    json.AppendWritten(",\"n\":{\"N\":", 170, write, "}");
    json.Append("}");
  }
  EXPECT_EQ(out, R"(before {"name":{"S":"a\tb"},"n":{"N":"7"}})");
  {
    const JsonAppender nothing(out);
  }
  EXPECT_EQ(out.size(), 42U);
}

// Whatever room there is when a piece comes, and wherever its escapes stand.
TEST(JsonAppender, GrowsInTheMiddleOfAnything) {
  base::CheckProperty(500, [] {
    const auto pieces =
        *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(
            rc::gen::weightedOneOf<char>({{6, rc::gen::inRange<char>(0x20, 0x7F)},
                                          {1, rc::gen::elementOf(std::string("\"\\\n\x01"))}})));
    std::string out;
    std::string expected;
    {
      JsonAppender json(out);
      for (const std::string& piece : pieces) {
        json.AppendString("[", piece, "], ");
      }
    }
    for (const std::string& piece : pieces) {
      expected += "[" + Quoted(piece) + "], ";
    }
    RC_ASSERT(out == expected);
  });
}

TEST(JsonAppender, TakesWhatIsExpectedAtOnce) {
  std::string out;
  {
    JsonAppender json(out);
    json.Expect(10'000);
  }
  EXPECT_EQ(out, "");
  EXPECT_GE(out.capacity(), 10'000U);
}

TEST(JsonText, IsReadBackByAJsonReader) {
  base::CheckProperty(2000, [] {
    const std::string text = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
        {{6, rc::gen::inRange<char>(0, 127)}, {2, rc::gen::elementOf(std::string("\"\\\n"))}}));
    simdjson::dom::parser parser;
    const std::string quoted = Quoted(text);
    std::string_view read;
    RC_ASSERT(parser.parse(quoted).get(read) == simdjson::SUCCESS);
    RC_ASSERT(read == text);
  });
}

}  // namespace
}  // namespace stator::value
