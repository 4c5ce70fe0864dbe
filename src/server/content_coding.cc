#include "server/content_coding.h"

#include <algorithm>
#include <zlib.h>

#include "base/check.h"
#include "server/http_request.h"
#include "wire/http_message.h"

namespace stator::server {
namespace {

constexpr int kWindowBits = 15;
constexpr int kGzipFormat = 16;         // added to the window bits
constexpr std::size_t kFirstGuess = 4;  // JSON unfolds at least so far

// Answers are read once, by a client on the same machine or a fast network.
constexpr int kCompressionLevel = 1;

// zlib takes no const input although it does not change it.
void SetInput(std::string_view bytes, z_stream& stream) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
}

// One attempt at one format.
std::expected<std::string, InflateFailure> InflateAs(int window_bits, std::string_view coded,
                                                     std::size_t size_max, std::size_t padding) {
  z_stream stream{};
  CHECK(inflateInit2(&stream, window_bits) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_streamp)> guard(&stream, inflateEnd);
  SetInput(coded, stream);
  std::string plain;
  std::size_t size = 0;
  int status = Z_OK;
  // A gzip file may have several members, which stand for their texts one behind the other.
  while (status != Z_STREAM_END || stream.avail_in > 0) {
    if (status == Z_STREAM_END && (window_bits < kGzipFormat || inflateReset(&stream) != Z_OK)) {
      return std::unexpected(InflateFailure::kMalformed);  // Something follows the end.
    }
    // One byte past the limit tells "exactly full" from "too large".
    const std::size_t room =
        std::min(size_max + 1, std::max<std::size_t>({1024, kFirstGuess * coded.size(), 2 * size}));
    plain.reserve(room + padding);
    plain.resize(room);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + size);
    stream.avail_out = static_cast<uInt>(room - size);
    status = inflate(&stream, Z_NO_FLUSH);
    size = room - stream.avail_out;
    if (size > size_max) {
      return std::unexpected(InflateFailure::kTooLarge);
    }
    if (status != Z_STREAM_END && (status != Z_OK || stream.avail_out > 0)) {
      return std::unexpected(InflateFailure::kMalformed);  // Broken, or cut off.
    }
  }
  plain.resize(size);
  return plain;
}

}  // namespace

std::optional<ContentCoding> ParseContentCoding(std::string_view value) {
  if (value.empty() || wire::EqualIgnoringCase(value, "identity")) {
    return ContentCoding::kIdentity;
  }
  if (wire::EqualIgnoringCase(value, "gzip") || wire::EqualIgnoringCase(value, "x-gzip")) {
    return ContentCoding::kGzip;
  }
  if (wire::EqualIgnoringCase(value, "deflate")) {
    return ContentCoding::kDeflate;
  }
  return std::nullopt;
}

std::expected<std::string, InflateFailure> Inflate(ContentCoding coding, std::string_view coded,
                                                   std::size_t size_max, std::size_t padding) {
  auto plain = InflateAs(coding == ContentCoding::kGzip ? kWindowBits + kGzipFormat : kWindowBits,
                         coded, size_max, padding);
  if (!plain && plain.error() == InflateFailure::kMalformed && coding == ContentCoding::kDeflate) {
    return InflateAs(-kWindowBits, coded, size_max, padding);  // The bare stream.
  }
  return plain;
}

ContentCoding ChooseCoding(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view element = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    if (ListsToken(element, "gzip")) {
      return ContentCoding::kGzip;
    }
    if (ListsToken(element, "deflate")) {
      return ContentCoding::kDeflate;
    }
  }
  return ContentCoding::kIdentity;
}

std::string_view NameOf(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kGzip:
      return "gzip";
    case ContentCoding::kDeflate:
      return "deflate";
    case ContentCoding::kIdentity:
      break;
  }
  return "";
}

Compressor::Compressor() = default;

Compressor::~Compressor() {
  for (const auto& stream : {&gzip_, &deflate_}) {
    if (*stream) {
      deflateEnd(stream->get());
    }
  }
}

std::string Compressor::Compress(std::string_view plain, ContentCoding coding) {
  CHECK(coding != ContentCoding::kIdentity);
  const bool is_gzip = coding == ContentCoding::kGzip;
  std::unique_ptr<z_stream>& stream = is_gzip ? gzip_ : deflate_;
  if (!stream) {
    stream = std::make_unique<z_stream>();
    CHECK(deflateInit2(stream.get(), kCompressionLevel, Z_DEFLATED,
                       is_gzip ? kWindowBits + kGzipFormat : kWindowBits, 8,
                       Z_DEFAULT_STRATEGY) == Z_OK);
  }
  CHECK(deflateReset(stream.get()) == Z_OK);
  std::string coded(deflateBound(stream.get(), plain.size()), '\0');
  SetInput(plain, *stream);
  stream->next_out = reinterpret_cast<Bytef*>(coded.data());
  stream->avail_out = static_cast<uInt>(coded.size());
  CHECK(deflate(stream.get(), Z_FINISH) == Z_STREAM_END);
  coded.resize(coded.size() - stream->avail_out);
  return coded;
}

}  // namespace stator::server
