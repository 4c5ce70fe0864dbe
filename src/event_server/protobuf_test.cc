// What protobuf.h promises: fields come back as they were written, and bytes that are no message are
// refused without being read beyond.

#include "event_server/protobuf.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace stator::event_server {
namespace {

using std::string_literals::operator""s;

// All fields, or nothing for what is no message.
std::optional<std::vector<Field>> FieldsOf(std::string_view message) {
  MessageFields fields(message);
  std::vector<Field> all;
  while (true) {
    const auto field = fields.Next();
    if (!field) {
      EXPECT_EQ(field.error().code, ErrorCode::kSerialization);
      return std::nullopt;
    }
    if (!*field) {
      return all;
    }
    all.push_back(**field);
  }
}

TEST(Protobuf, TheFormatIsFixed) {
  std::string out;
  AppendVarintField(1, 150, out);
  AppendBytesField(2, "testing", out);
  EXPECT_EQ(out, "\x08\x96\x01\x12\x07testing");
  out.clear();
  AppendVarint(~std::uint64_t{0}, out);
  EXPECT_EQ(out, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

RC_GTEST_PROP(Protobuf, FieldsComeBackInOrder,
              (const std::vector<std::pair<std::uint64_t, std::string>>& values)) {
  std::string message;
  std::uint32_t number = 0;
  for (const auto& [varint, bytes] : values) {
    AppendVarintField(++number, varint, message);
    AppendBytesField(++number << 20U, bytes, message);
  }
  const auto fields = FieldsOf(message);
  RC_ASSERT(fields.has_value());
  RC_ASSERT(fields->size() == 2 * values.size());
  for (std::size_t index = 0; index < values.size(); ++index) {
    RC_ASSERT(((*fields)[2 * index].Varint() == values[index].first));
    RC_ASSERT(((*fields)[2 * index + 1].Bytes() == std::string_view(values[index].second)));
  }
}

RC_GTEST_PROP(Protobuf, APartOfAMessageIsItsFirstFieldsOrNone,
              (const std::vector<std::string>& values)) {
  std::string message;
  std::vector<std::size_t> ends = {0};
  for (const std::string& value : values) {
    AppendBytesField(1, value, message);
    ends.push_back(message.size());
  }
  for (std::size_t size = 0; size <= message.size(); ++size) {
    const auto fields = FieldsOf(std::string_view(message).substr(0, size));
    const auto whole = std::find(ends.begin(), ends.end(), size);
    RC_ASSERT(fields.has_value() == (whole != ends.end()));
    RC_ASSERT((!fields || fields->size() == static_cast<std::size_t>(whole - ends.begin())));
  }
}

RC_GTEST_PROP(Protobuf, AnyBytesAreReadToTheirEndOrRefused, (const std::string& bytes)) {
  const auto fields = FieldsOf(bytes);
  RC_ASSERT((!fields || fields->size() <= bytes.size()));
}

TEST(Protobuf, FieldsOfEveryKindAreSkippedOrRead) {
  const std::string message = "\x09"s + "12345678" + "\x15" + "1234" + "\x18\x07";
  const auto fields = FieldsOf(message);
  ASSERT_TRUE(fields.has_value());
  ASSERT_EQ(fields->size(), 3U);
  EXPECT_FALSE((*fields)[0].Varint().has_value());
  EXPECT_FALSE((*fields)[1].Bytes().has_value());
  EXPECT_EQ((*fields)[2].Varint(), 7U);
  EXPECT_EQ((*fields)[2].Flag(), true);
  EXPECT_FALSE((*fields)[2].Text().has_value());
}

TEST(Protobuf, WhatIsNoMessageIsRefused) {
  for (const std::string& message :
       {"\x08"s, "\xFF"s, "\x12\x05hell"s, "\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,
        "\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"s,
        "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s, "\x00\x00"s, "\x0B\x0C"s, "\x0F"s,
        "\x09\x31"s, "\x0D\x31"s, "\xF8\xFF\xFF\xFF\x7F\x01"s}) {
    EXPECT_FALSE(FieldsOf(message).has_value()) << testing::PrintToString(message);
  }
}

TEST(Protobuf, TextIsUtf8) {
  std::string message;
  AppendBytesField(1, "\xC3\xBC", message);
  AppendBytesField(1, "\xFF", message);
  const auto fields = FieldsOf(message);
  ASSERT_TRUE(fields.has_value());
  EXPECT_EQ((*fields)[0].Text(), "\xC3\xBC");
  ASSERT_FALSE((*fields)[1].Text().has_value());
  EXPECT_EQ((*fields)[1].Text().error().code, ErrorCode::kSerialization);
  EXPECT_TRUE((*fields)[1].Bytes().has_value());
}

}  // namespace
}  // namespace stator::event_server
