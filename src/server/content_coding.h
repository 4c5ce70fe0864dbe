// gzip and deflate, both ways. Debian's zlib, contexts kept and reused because setting one up costs
// more than compressing a small answer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct z_stream_s;

namespace stator::server {

enum class ContentCoding : std::uint8_t { kIdentity, kGzip, kDeflate };

// The coding that a Content-Encoding names; nothing for one that is not known here. "deflate" means
// both the zlib format and, as some clients send it, the bare stream.
std::optional<ContentCoding> ParseContentCoding(std::string_view value);

enum class InflateFailure : std::uint8_t { kMalformed, kTooLarge };

// Decodes a request's body, of gzip also several members. REQUIRES: `coding` is not kIdentity. The
// result has capacity for
// `padding` more bytes. Never allocates much more than `size_max`, whatever the input promises to
// unfold to.
std::expected<std::string, InflateFailure> Inflate(ContentCoding coding, std::string_view coded,
                                                   std::size_t size_max, std::size_t padding);

// The coding of an answer: the first that an Accept-Encoding lists of those known here.
ContentCoding ChooseCoding(std::string_view accept_encoding);

// "gzip"; empty for kIdentity.
std::string_view NameOf(ContentCoding coding);

// Compresses answers; "deflate" is the zlib format.
//
// THREADS: one thread at a time.
class Compressor {
 public:
  Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor();

  // REQUIRES: `coding` is not kIdentity.
  std::string Compress(std::string_view plain, ContentCoding coding = ContentCoding::kGzip);

 private:
  // Made at the first use.
  std::unique_ptr<z_stream_s> gzip_;
  std::unique_ptr<z_stream_s> deflate_;
};

}  // namespace stator::server
