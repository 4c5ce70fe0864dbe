#include "bulk/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/try.h"

namespace stator::bulk {
namespace {

using Records = std::vector<std::vector<std::string>>;

Result<Records> Split(std::string_view text, std::size_t piece, char delimiter = ',') {
  Records records;
  CsvSplitter splitter(delimiter, [&](const std::vector<std::string>& fields) {
    records.push_back(fields);
    return Result<void>();
  });
  for (std::size_t at = 0; at < text.size(); at += piece) {
    TRY_VOID(splitter.Add(text.substr(at, piece)));
  }
  TRY_VOID(splitter.Finish());
  return records;
}

TEST(Csv, RecordsComeOutHoweverTheyAreCut) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(Split("a,b,c\r\n1,,3\n\n\"x,\"\"y\"\"\n z\",\"\",q\"q\nlast", piece).value(),
              (Records{{"a", "b", "c"}, {"1", "", "3"}, {"x,\"y\"\n z", "", "q\"q"}, {"last"}}));
    EXPECT_EQ(Split("\"a\"\r\n\"b\"", piece).value(), (Records{{"a"}, {"b"}}));
    EXPECT_EQ(Split("", piece).value(), Records());
    EXPECT_EQ(Split("\r\n\n", piece).value(), Records());
    EXPECT_EQ(Split("a\tb c\n", piece, '\t').value(), (Records{{"a", "b c"}}));
    EXPECT_EQ(Split("a,", piece).value(), (Records{{"a", ""}}));
    EXPECT_EQ(Split("\"\"\n", piece).value(), (Records{{""}}));
  }
}

TEST(Csv, WhatIsNoRecordIsTold) {
  for (const char* text : {"a,\"b", "\"a\"b\n", "\"a\" ,b\n"}) {
    const auto split = Split(text, 1);
    ASSERT_FALSE(split.has_value()) << text;
    EXPECT_EQ(split.error().code, ErrorCode::kSerialization);
  }
}

}  // namespace
}  // namespace stator::bulk
