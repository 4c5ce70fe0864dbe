#include "bulk/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>
#include <zstd.h>

#include "base/try.h"

namespace stator::bulk {
namespace {

std::string Gzip(std::string_view text) {
  GzipBuffer buffer;
  buffer.Add(text);
  return buffer.Finish();
}

std::string Zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

// In pieces of so many bytes.
Result<std::string> Unpack(Packing packing, const std::string& bytes, std::size_t piece) {
  std::string text;
  const auto unpacker = Unpacker::Make(packing);
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    TRY_VOID(unpacker->Add(std::string_view(bytes).substr(at, piece), [&](std::string_view part) {
      text += part;
      return Result<void>();
    }));
  }
  TRY_VOID(unpacker->Finish());
  return text;
}

TEST(Packing, WhatWasPackedComesOutHoweverItIsCut) {
  std::string text;
  for (int line = 0; line < 20000; ++line) {
    text += "line " + std::to_string(line * line) + "\n";
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    EXPECT_EQ(Unpack(Packing::kNone, text, piece).value(), text);
    EXPECT_EQ(Unpack(Packing::kGzip, Gzip(text), piece).value(), text);
    EXPECT_EQ(Unpack(Packing::kZstd, Zstd(text), piece).value(), text);
    // Several, one behind the other.
    EXPECT_EQ(Unpack(Packing::kGzip, Gzip("a") + Gzip("") + Gzip(text), piece).value(), "a" + text);
    EXPECT_EQ(Unpack(Packing::kZstd, Zstd("a") + Zstd(text), piece).value(), "a" + text);
  }
  // Much from little: more than one buffer comes out of a few bytes.
  const std::string zeros(std::size_t{3} << 20, '0');
  EXPECT_EQ(Unpack(Packing::kGzip, Gzip(zeros), 100).value(), zeros);
  EXPECT_EQ(Unpack(Packing::kZstd, Zstd(zeros), 100).value(), zeros);
}

TEST(Packing, AnEmptyGzipFileIsThatOfTheService) {
  EXPECT_EQ(Gzip(""), std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF\x03\0\0\0\0\0\0\0\0\0", 20));
}

TEST(Packing, DamageIsTold) {
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    const std::string packed = packing == Packing::kGzip ? Gzip("some text") : Zstd("some text");
    for (const std::string& bytes :
         {std::string("plain text"), packed.substr(0, packed.size() - 1), packed + "x"}) {
      const auto unpacked = Unpack(packing, bytes, 7);
      ASSERT_FALSE(unpacked.has_value()) << bytes;
      EXPECT_EQ(unpacked.error().code, ErrorCode::kCorruption);
    }
  }
}

TEST(LineSplitter, GivesWholeLinesOnAndKeepsTheRest) {
  std::vector<std::string> lines;
  LineSplitter splitter([&](std::string_view line) {
    lines.emplace_back(line);
    return Result<void>();
  });
  for (const char* part : {"a", "b\nc\n", "\nd"}) {
    ASSERT_TRUE(splitter.Add(part).has_value());
  }
  EXPECT_THAT(lines, testing::ElementsAre("ab", "c", ""));
  ASSERT_TRUE(splitter.Finish().has_value());
  EXPECT_EQ(lines.back(), "d");
  const std::string endless(LineSplitter::kLineBytesMax + 1, 'x');
  EXPECT_FALSE(splitter.Add(endless).has_value());
}

}  // namespace
}  // namespace stator::bulk
