#include "hosting/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stator::hosting {
namespace {

TEST(ProgressLineTest, NumbersAndAMessage) {
  EXPECT_EQ(ReadProgressLine("::progress 3"), ProgressLine{.done = 3});
  EXPECT_EQ(ReadProgressLine("::progress 3/12"), (ProgressLine{.done = 3, .total = 12}));
  EXPECT_EQ(ReadProgressLine("::progress 0.5/1 reading March\r"),
            (ProgressLine{.done = 0.5, .total = 1, .message = "reading March"}));
  EXPECT_EQ(ReadProgressLine("::progress 7 files"), (ProgressLine{.done = 7, .message = "files"}));
}

TEST(ProgressLineTest, OtherLinesAreNone) {
  for (const std::string_view line :
       {"", "progress 3", "::progress", "::progress ", "::progress x", "::progress 3/",
        "::progress 3x", "::progress 3/4x", "::progress nan", "::progress inf", " ::progress 3"}) {
    EXPECT_FALSE(ReadProgressLine(line)) << line;
  }
}

TEST(ErrorTextTest, ProgressIsFoundInPiecesAndTheRestKept) {
  ErrorText text;
  EXPECT_FALSE(text.Add("warning\n::prog"));
  EXPECT_EQ(text.Add("ress 1/2\n::progress 2/2\nlast"), (ProgressLine{.done = 2, .total = 2}));
  EXPECT_EQ(text.Take(), "warning\nlast");
}

TEST(ErrorTextTest, OnlyTheEndIsKeptHoweverMuchComes) {
  ErrorText text;
  for (int number = 0; number < 10'000; ++number) {
    text.Add("\u00e4 line " + std::to_string(number) + "\n");
  }
  text.Add(std::string(1 << 20, 'x'));  // A line without an end.
  const std::string kept = text.Take();
  EXPECT_LE(kept.size(), ErrorText::kKept);
  EXPECT_THAT(kept, testing::EndsWith("xxx"));
}

}  // namespace
}  // namespace stator::hosting
