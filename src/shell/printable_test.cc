#include "shell/printable.h"

#include <gtest/gtest.h>

#include "value/plain_json.h"

namespace stator::shell {
namespace {

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(Printable("plain \\ text"), "plain \\ text");
  EXPECT_EQ(Printable("Grüße, 日本, 😀"), "Grüße, 日本, 😀");
  EXPECT_EQ(Printable(""), "");
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(Printable("\x1B[2J\x07"), "\\u001b[2J\\u0007");
  EXPECT_EQ(Printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(Printable(std::string_view("\0\x7F", 2)), "\\u0000\\u007f");
  EXPECT_EQ(Printable("\xC2\x9B"), "\\u009b");  // CSI in one character
  EXPECT_EQ(Printable("\xE2\x80\xAE"
                      "gpj"),
            "\\u202egpj");  // from right to left
  EXPECT_EQ(Printable("\xF3\xA0\x81\x81"), "\\U000e0041");
}

TEST(Printable, EscapesBytesThatAreNoText) {
  EXPECT_EQ(Printable("\xFF\x9B"), "\\xff\\x9b");
  EXPECT_EQ(Printable("\xC3"), "\\xc3");
  EXPECT_EQ(Printable("\xC0\x9B"), "\\xc0\\x9b");           // longer than it need be
  EXPECT_EQ(Printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(Printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, KnowsHowWideCharactersAre) {
  const auto columns = [](std::string_view text) { return TakeGlyph(text).columns; };
  EXPECT_EQ(columns("a"), 1U);
  EXPECT_EQ(columns("é"), 1U);
  EXPECT_EQ(columns("日"), 2U);
  EXPECT_EQ(columns("😀"), 2U);
  EXPECT_EQ(columns("\xCC\x81"), 0U);
  EXPECT_EQ(columns("\x1B"), 6U);
}

TEST(PrintableJson, MeansTheSame) {
  const AttributeValue value = std::string("\x1B\x7F\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81 é\"\\");
  const std::string json = PrintableJson(value::ToPlainJson(value));
  EXPECT_EQ(Printable(json), json);
  EXPECT_EQ(value::ValueFromPlainJson(json), value);
}

}  // namespace
}  // namespace stator::shell
