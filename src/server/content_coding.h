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

// Decodes a request's body. REQUIRES: `coding` is not kIdentity. The result has capacity for
// `padding` more bytes. Never allocates much more than `size_max`, whatever the input promises to
// unfold to.
std::expected<std::string, InflateFailure> Inflate(ContentCoding coding, std::string_view coded,
                                                   std::size_t size_max, std::size_t padding);

// Compresses answers.
//
// THREADS: one thread at a time.
class GzipCompressor {
 public:
  GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;
  ~GzipCompressor();

  std::string Compress(std::string_view plain);

 private:
  std::unique_ptr<z_stream_s> stream_;  // made at the first use
};

}  // namespace stator::server
