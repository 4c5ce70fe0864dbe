// Chunked bodies: the same result however the bytes arrive, and refusal of everything else.

#include "base/chunked_body.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace stator::base {
namespace {

using State = ChunkedBody::State;

struct Decoded {
  State state = State::kIncomplete;
  std::string body;
  std::string rest;
};

// Feeds `step` bytes at a time into memory that holds little more than what is not yet decoded.
Decoded Decode(std::string_view raw, std::size_t step, std::size_t body_bytes_max = 1000) {
  ChunkedBody chunked(body_bytes_max);
  std::string memory;
  Decoded decoded;
  while (!raw.empty() && decoded.state == State::kIncomplete) {
    const std::string_view piece = raw.substr(0, step);
    raw.remove_prefix(piece.size());
    memory.append(piece);
    decoded.state = chunked.Decode(memory.data(), memory.size());
    if (decoded.state == State::kIncomplete) {
      memory.resize(chunked.Compact(memory.data(), memory.size()));
    }
  }
  decoded.body = memory.substr(0, chunked.decoded());
  decoded.rest = memory.substr(chunked.raw_begin()) + std::string(raw);
  return decoded;
}

TEST(ChunkedBody, DecodesHoweverTheBytesArrive) {
  constexpr std::string_view kRaw =
      "4\r\nWiki\r\n6;name=value\r\npedia \r\nE \r\nin \r\n\r\nchunks.\r\n0\r\nTrailer: "
      "x\r\n\r\nGET";
  for (std::size_t step = 1; step <= kRaw.size(); ++step) {
    const Decoded decoded = Decode(kRaw, step);
    EXPECT_EQ(decoded.state, State::kComplete) << step;
    EXPECT_EQ(decoded.body, "Wikipedia in \r\n\r\nchunks.") << step;
    EXPECT_EQ(decoded.rest, "GET") << step;
  }
}

TEST(ChunkedBody, RefusesWhatIsMalformed) {
  for (const std::string_view raw :
       {"\r\n", "x\r\n", "-1\r\n", "4\nWiki", "4\r\nWikiX\r\n", "4\r\nWiki\nX", "4\r\nWiki\r\nX",
        "11111111111111111\r\n", "0\r\nTrailer\n", "0\r\n\rX", "4 \nW", "4;\n", "4\rX"}) {
    EXPECT_EQ(Decode(raw, 100).state, State::kMalformed) << raw;
  }
  EXPECT_EQ(Decode("4;" + std::string(300, 'x'), 100).state, State::kMalformed);
  EXPECT_EQ(Decode("0\r\n" + std::string(5000, 'x'), 100).state, State::kMalformed);
}

TEST(ChunkedBody, StopsAtTheLimit) {
  EXPECT_EQ(Decode("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", 100, 5).state, State::kComplete);
  EXPECT_EQ(Decode("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", 100, 5).state, State::kTooLarge);
  EXPECT_EQ(Decode("ffffffffffffffff\r\n", 100, 5).state, State::kTooLarge);
}

RC_GTEST_PROP(ChunkedBody, UndoesChunking, (const std::vector<std::string>& chunks)) {
  std::string raw;
  std::string body;
  for (const std::string& chunk : chunks) {
    if (!chunk.empty()) {
      char size[20];
      std::snprintf(size, sizeof(size), "%zx\r\n", chunk.size());
      raw.append(size).append(chunk).append("\r\n");
      body += chunk;
    }
  }
  raw += "0\r\n\r\n";
  const auto step = *rc::gen::inRange<std::size_t>(1, 20);
  const Decoded decoded = Decode(raw, step, 1'000'000);
  RC_ASSERT(decoded.state == State::kComplete);
  RC_ASSERT(decoded.body == body);
  RC_ASSERT(decoded.rest.empty());
}

RC_GTEST_PROP(ChunkedBody, SurvivesAnyBytes, (const std::string& garbage)) {
  const Decoded decoded = Decode(garbage, *rc::gen::inRange<std::size_t>(1, 20));
  RC_ASSERT(decoded.body.size() <= garbage.size());
}

}  // namespace
}  // namespace stator::base
