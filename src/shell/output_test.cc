#include "shell/output.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shell/printable.h"

namespace stator::shell {
namespace {

const std::vector<Item> kItems = {{{"pk", "a"}, {"n", 1}, {"l", List{1, "x"}}},
                                  {{"pk", "long text of b"}, {"t", true}}};

TEST(Output, ShowsTheKeyFirstAndTheRestByName) {
  EXPECT_EQ(ColumnsOf(kItems, {"pk", "sk"}), (std::vector<std::string>{"pk", "l", "n", "t"}));
}

TEST(Output, DrawsATable) {
  EXPECT_EQ(ShowItems(kItems, {"pk"}, Format::kTable, 80),
            "pk             | l       | n | t\n"
            "---------------+---------+---+-----\n"
            "a              | [1,\"x\"] | 1 | \n"
            "long text of b |         |   | true\n");
}

// Columns of the widest line.
std::size_t WidestLine(std::string_view drawn) {
  std::size_t widest = 0;
  std::size_t columns = 0;
  while (!drawn.empty()) {
    if (drawn.front() == '\n') {
      columns = 0;
      drawn.remove_prefix(1);
    } else {
      columns += TakeGlyph(drawn).columns;
      widest = std::max(widest, columns);
    }
  }
  return widest;
}

TEST(Output, CutsWhatIsTooWide) {
  const std::string drawn = ShowItems(kItems, {"pk"}, Format::kTable, 28);
  EXPECT_TRUE(drawn.contains("long")) << drawn;
  EXPECT_TRUE(drawn.contains("…")) << drawn;
  EXPECT_EQ(WidestLine(drawn), 28U) << drawn;
}

TEST(Output, KeepsControlCharactersAwayFromTheTerminal) {
  const std::string drawn = DrawTable({"a\nb"}, {{"x\x1B[31m\ny"}}, 40);
  EXPECT_EQ(drawn, "a\\nb\n--------------\nx\\u001b[31m\\ny\n");
}

TEST(Output, NoLineIsWiderThanTheTerminal) {
  const std::vector<std::string> cells = {std::string(100'000, 'x'), "日本語日本語日本語",
                                          "\x1B\x1B\x1B\x1B", "e\xCC\x81\xCC\x81\xCC\x81"};
  for (std::size_t width = 1; width < 60; ++width) {
    EXPECT_LE(WidestLine(DrawTable({"a", "b", "c", "d"}, {cells}, width)), width);
    EXPECT_LE(WidestLine(DrawTable({"a"}, {{cells[1]}, {cells[2]}}, width)), width);
  }
}

TEST(Output, ManyColumnsFitTooButAreCut) {
  const std::vector<std::string> names(50, "name");
  EXPECT_EQ(WidestLine(DrawTable(names, {std::vector<std::string>(50, "value")}, 40)), 40U);
}

TEST(Output, AccentsDoNotPileUp) {
  std::string text = "e";
  for (int times = 0; times < 1000; ++times) {
    text += "\xCC\x81";
  }
  EXPECT_LT(DrawTable({"a"}, {{text}}, 40).size(), 20U);
}

TEST(Output, PrintsLinesOfJson) {
  EXPECT_EQ(ShowItems(kItems, {"pk"}, Format::kJson, 80),
            "{\"l\":[1,\"x\"],\"n\":1,\"pk\":\"a\"}\n{\"pk\":\"long text of b\",\"t\":true}\n");
}

TEST(Output, PrintsCsv) {
  const std::vector<Item> items = {{{"a", "x,y"}, {"b", "say \"hi\""}}, {{"a", "two\nlines"}}};
  EXPECT_EQ(ShowItems(items, {}, Format::kCsv, 80),
            "a,b\r\n\"x,y\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",\r\n");
}

}  // namespace
}  // namespace stator::shell
