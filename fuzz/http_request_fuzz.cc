// The bytes that a stranger sends: the head of a request, and a body in chunks. Both must give the
// same result however the bytes are cut up on their way.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/chunked_body.h"
#include "server/content_coding.h"
#include "server/http_request.h"
#include "wire/exchange.h"

namespace {

using stator::base::ChunkedBody;

constexpr std::size_t kBodyBytesMax = 4096;

struct Decoded {
  ChunkedBody::State state = ChunkedBody::State::kIncomplete;
  std::string body;
};

Decoded Decode(std::string_view raw, std::size_t step) {
  ChunkedBody chunked(kBodyBytesMax);
  std::string memory;
  Decoded decoded;
  while (!raw.empty() && decoded.state == ChunkedBody::State::kIncomplete) {
    memory.append(raw.substr(0, step));
    raw.remove_prefix(std::min(step, raw.size()));
    decoded.state = chunked.Decode(memory.data(), memory.size());
    if (decoded.state == ChunkedBody::State::kIncomplete) {
      memory.resize(chunked.Compact(memory.data(), memory.size()));
    }
  }
  CHECK(chunked.decoded() <= kBodyBytesMax);
  decoded.body = memory.substr(0, chunked.decoded());
  return decoded;
}

void CheckHead(std::string_view bytes, std::size_t step) {
  const std::optional<std::size_t> size = stator::server::FindHeadEnd(bytes, 0);
  std::optional<std::size_t> found;
  std::size_t searched = 0;
  for (std::size_t end = step; !found && searched < bytes.size(); end += step) {
    const std::string_view arrived = bytes.substr(0, end);
    found = stator::server::FindHeadEnd(arrived, searched);
    searched = arrived.size();
  }
  CHECK(found == size);
  std::string text(bytes.substr(0, size.value_or(bytes.size())));
  stator::server::RequestHead head;
  if (stator::server::ParseHead(std::span(text), head)) {
    return;
  }
  // A head that was parsed can be parsed again, with its names in lower case now.
  stator::server::RequestHead again;
  CHECK(!stator::server::ParseHead(std::span(text), again));
  CHECK(again.fields().size() == head.fields().size());
  CHECK(again.framing.content_length == head.framing.content_length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::size_t step = 1 + data[0] % 32;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  CheckHead(bytes, step);
  const Decoded whole = Decode(bytes, bytes.size());
  const Decoded pieces = Decode(bytes, step);
  CHECK(whole.state == pieces.state);
  CHECK(whole.state != ChunkedBody::State::kComplete || whole.body == pieces.body);
  for (const auto coding :
       {stator::server::ContentCoding::kGzip, stator::server::ContentCoding::kDeflate}) {
    const auto inflated =
        stator::server::Inflate(coding, bytes, kBodyBytesMax, stator::wire::kBodyPaddingBytes);
    CHECK(!inflated || inflated->size() <= kBodyBytesMax);
  }
  return 0;
}
