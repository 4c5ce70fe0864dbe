// What message_reader.h promises: a message comes through however it is cut, and whatever else comes is
// refused as soon as that is clear.

#include "grpc/message_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace stator::grpc {
namespace {

using std::string_literals::operator""s;

std::string Framed(std::string_view message) {
  std::string out;
  AppendFramed(message, out);
  return out;
}

TEST(MessageReader, TheFormatIsGrpcs) {
  EXPECT_EQ(Framed("abc"), "\0\0\0\0\x03"s + "abc");
  EXPECT_EQ(Framed(std::string(0x1234, 'x')).substr(0, 5), "\0\0\0\x12\x34"s);
}

RC_GTEST_PROP(MessageReader, TakesAMessageHoweverItIsCut,
              (const std::string& message, const std::vector<std::uint8_t>& cuts)) {
  const std::string bytes = Framed(message);
  MessageReader reader(message.size());
  std::string_view left = bytes;
  for (const std::uint8_t cut : cuts) {
    const std::string_view part = left.substr(0, cut);
    RC_ASSERT(!reader.Take(part));
    left.remove_prefix(part.size());
    RC_ASSERT(reader.End().has_value() == !left.empty());
  }
  RC_ASSERT(!reader.Take(left));
  RC_ASSERT(!reader.End());
  RC_ASSERT(reader.TakeMessage() == message);
}

TEST(MessageReader, RefusesWhatIsTooLargeBeforeItComes) {
  MessageReader reader(10);
  const auto refused = reader.Take("\0\0\0\0\x0B"s);
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->code, StatusCode::kResourceExhausted);
}

TEST(MessageReader, RefusesCompressedAndFurtherMessages) {
  EXPECT_EQ(MessageReader(10).Take("\x01\0\0\0\0"s)->code, StatusCode::kUnimplemented);
  EXPECT_EQ(MessageReader(10).Take(Framed("a") + "b")->code, StatusCode::kUnimplemented);
  EXPECT_EQ(MessageReader(10).End()->code, StatusCode::kUnimplemented);
}

TEST(MessageReader, AnEndWithinTheMessageIsAnError) {
  for (const std::size_t size : {1U, 4U, 5U, 7U}) {
    MessageReader reader(10);
    ASSERT_FALSE(reader.Take(Framed("abc").substr(0, size)).has_value());
    EXPECT_EQ(reader.End()->code, StatusCode::kInvalidArgument) << size;
  }
}

}  // namespace
}  // namespace stator::grpc
