// gzip and deflate both ways, the limit against bodies that unfold without end, and checksums.

#include "server/content_coding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <zlib.h>

#include "server/crc32.h"

namespace stator::server {
namespace {

// Compressed by zlib in one of its formats, told by the window bits.
std::string Deflated(std::string_view plain, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string coded(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_out = static_cast<uInt>(coded.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  coded.resize(stream.total_out);
  deflateEnd(&stream);
  return coded;
}

TEST(ContentCoding, KnowsItsNames) {
  EXPECT_EQ(ParseContentCoding(""), ContentCoding::kIdentity);
  EXPECT_EQ(ParseContentCoding("Identity"), ContentCoding::kIdentity);
  EXPECT_EQ(ParseContentCoding("GZIP"), ContentCoding::kGzip);
  EXPECT_EQ(ParseContentCoding("x-gzip"), ContentCoding::kGzip);
  EXPECT_EQ(ParseContentCoding("deflate"), ContentCoding::kDeflate);
  EXPECT_FALSE(ParseContentCoding("br").has_value());
  EXPECT_FALSE(ParseContentCoding("gzip, gzip").has_value());
}

TEST(Inflate, ReadsAllThreeFormats) {
  const std::string plain(10'000, 'x');
  for (const int window_bits : {15 + 16, 15, -15}) {
    const auto coding = window_bits > 15 ? ContentCoding::kGzip : ContentCoding::kDeflate;
    const auto inflated = Inflate(coding, Deflated(plain, window_bits), 10'000, 64);
    ASSERT_TRUE(inflated.has_value()) << window_bits;
    EXPECT_EQ(*inflated, plain) << window_bits;
    EXPECT_GE(inflated->capacity(), plain.size() + 64);
  }
}

TEST(Inflate, ReadsSeveralMembers) {
  const std::string members =
      Deflated("one ", 15 + 16) + Deflated("", 15 + 16) + Deflated(std::string(5000, 'x'), 15 + 16);
  EXPECT_EQ(Inflate(ContentCoding::kGzip, members, 10'000, 64), "one " + std::string(5000, 'x'));
  EXPECT_EQ(Inflate(ContentCoding::kGzip, members, 5003, 64),
            std::unexpected(InflateFailure::kTooLarge));
  EXPECT_EQ(Inflate(ContentCoding::kDeflate, Deflated("a", 15) + Deflated("b", 15), 100, 64),
            std::unexpected(InflateFailure::kMalformed));
}

TEST(ContentCoding, OfAnAnswerIsTheClientsFirstChoice) {
  EXPECT_EQ(ChooseCoding(""), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("identity, br"), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("gzip, deflate"), ContentCoding::kGzip);
  EXPECT_EQ(ChooseCoding("br, Deflate;q=0.5, gzip"), ContentCoding::kDeflate);
  EXPECT_EQ(ChooseCoding("deflate;q=0, gzip"), ContentCoding::kGzip);
}

TEST(Inflate, StopsAtTheLimit) {
  const std::string bomb = Deflated(std::string(50'000'000, '\0'), 15 + 16);
  const auto inflated = Inflate(ContentCoding::kGzip, bomb, 1'000'000, 64);
  ASSERT_FALSE(inflated.has_value());
  EXPECT_EQ(inflated.error(), InflateFailure::kTooLarge);
}

TEST(Inflate, RefusesWhatIsBrokenOrCutOff) {
  const std::string coded = Deflated("some text that is compressed", 15 + 16);
  for (const std::string& wrong :
       {std::string(), std::string("{}"), coded.substr(0, coded.size() - 1), coded.substr(1),
        coded + "x"}) {
    const auto inflated = Inflate(ContentCoding::kGzip, wrong, 1000, 64);
    ASSERT_FALSE(inflated.has_value());
    EXPECT_EQ(inflated.error(), InflateFailure::kMalformed);
  }
}

RC_GTEST_PROP(Compressor, IsUndoneByInflate, (const std::vector<std::string>& texts)) {
  Compressor compressor;
  for (const std::string& text : texts) {
    const auto inflated = Inflate(ContentCoding::kGzip, compressor.Compress(text), text.size(), 64);
    RC_ASSERT(inflated.has_value());
    RC_ASSERT(*inflated == text);
  }
}

TEST(Crc32, AgreesWithZlibAtEveryLength) {
  std::string bytes;
  for (std::size_t size = 0; size < 700; ++size) {
    const auto expected = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), size);
    ASSERT_EQ(Crc32(bytes), expected) << size;
    bytes.push_back(static_cast<char>(size * 31 + size / 7));
  }
}

TEST(Crc32, IsTheOneThatAwsSends) {
  EXPECT_EQ(Crc32("healthy: dynamodb.us-east-1.amazonaws.com "), 3128867991);
  EXPECT_EQ(Crc32("<UnknownOperationException/>\n"), 3552371480);
}

}  // namespace
}  // namespace stator::server
