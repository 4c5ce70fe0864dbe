// Strings as JSON text: what is escaped and how, wherever it stands, and that a JSON reader gives
// the same string back.

#include "value/json_text.h"

#include <gtest/gtest.h>

#include <simdjson.h>
#include <string>

#include "base/property.h"

namespace stator::value {
namespace {

using std::string_literals::operator""s;

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(text, out);
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
