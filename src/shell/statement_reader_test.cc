#include "shell/statement_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace stator::shell {
namespace {

std::vector<std::string> All(std::string_view text) {
  StatementReader reader;
  reader.Append(text);
  std::vector<std::string> texts;
  while (const std::optional<Entry> entry = reader.Next()) {
    texts.push_back(std::to_string(entry->line) + ": " + entry->text);
  }
  if (const std::optional<Entry> last = reader.Last()) {
    texts.push_back(std::to_string(last->line) + "! " + last->text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(StatementReader, EndsAtSemicolons) {
  EXPECT_EQ(All("SELECT 1; SELECT 2;\nSELECT 3"),
            (Texts{"1: SELECT 1", "1: SELECT 2", "2! SELECT 3"}));
  EXPECT_EQ(All(" ;; \n"), Texts());
  EXPECT_EQ(All(""), Texts());
}

TEST(StatementReader, DoesNotEndInsideOfQuotesAndComments) {
  EXPECT_EQ(All("SELECT ';' \";\";"), (Texts{"1: SELECT ';' \";\""}));
  EXPECT_EQ(All("SELECT 'it''s;';"), (Texts{"1: SELECT 'it''s;'"}));
  EXPECT_EQ(All("SELECT -- a; b\n1;"), (Texts{"1: SELECT -- a; b\n1"}));
  EXPECT_EQ(All("SELECT /* ; */ 1;"), (Texts{"1: SELECT /* ; */ 1"}));
  EXPECT_EQ(All("SELECT 'open; 2;"), (Texts{"1! SELECT 'open; 2;"}));
}

TEST(StatementReader, KnowsTheLineInWhichAStatementBegins) {
  EXPECT_EQ(All("-- first\n\n/* a\nb */ SELECT\n1;\nSELECT 2;"),
            (Texts{"4: SELECT\n1", "6: SELECT 2"}));
}

TEST(StatementReader, CommandsEndWithTheirLine) {
  EXPECT_EQ(All("\\d things\nSELECT 1;\\timing\n"),
            (Texts{"1: \\d things", "2: SELECT 1", "2: \\timing"}));
}

TEST(StatementReader, WaitsForMore) {
  StatementReader reader;
  reader.Append("SELECT 1\n");
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.is_within());
  reader.Append("FROM t;\n");
  EXPECT_EQ(reader.Next()->text, "SELECT 1\nFROM t");
  EXPECT_FALSE(reader.is_within());
}

TEST(StatementReader, PiecesMayEndAnywhere) {
  const std::string text =
      "-- one; 1\n/* two; */ SELECT 'a;' -- b;\n, /* ; */ \"c;\" - 1;\n\\d t\nSELECT 2";
  const Texts whole = All(text);
  EXPECT_EQ(whole.size(), 3U);
  for (std::size_t size = 1; size < text.size(); ++size) {
    StatementReader reader;
    Texts texts;
    for (std::size_t at = 0; at < text.size(); at += size) {
      reader.Append(std::string_view(text).substr(at, size));
      while (const std::optional<Entry> entry = reader.Next()) {
        texts.push_back(std::to_string(entry->line) + ": " + entry->text);
      }
    }
    if (const std::optional<Entry> last = reader.Last()) {
      texts.push_back(std::to_string(last->line) + "! " + last->text);
    }
    EXPECT_EQ(texts, whole) << size;
  }
}

TEST(StatementReader, ForgetsWhatWasBegun) {
  StatementReader reader;
  reader.Append("SELECT 'open\n");
  EXPECT_EQ(reader.Next(), std::nullopt);
  reader.Clear();
  EXPECT_FALSE(reader.is_within());
  reader.Append("SELECT 1;");
  EXPECT_EQ(reader.Next(), (Entry{.text = "SELECT 1"}));
}

}  // namespace
}  // namespace stator::shell
