#include "client/body_coding.h"

#include <zlib.h>

#include "base/check.h"

namespace stator::client {
namespace {

constexpr int kWindowBitsGzip = 15 + 16;  // zlib's way to ask for gzip's header
constexpr int kMemoryLevel = 8;

}  // namespace

std::uint32_t Crc32(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string Gzip(std::string_view bytes) {
  z_stream stream = {};
  CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowBitsGzip, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) == Z_OK);
  std::string compressed(deflateBound(&stream, bytes.size()), '\0');
  // zlib does not write to its input, it only forgot to say so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  compressed.resize(stream.total_out);
  CHECK(deflateEnd(&stream) == Z_OK);
  return compressed;
}

}  // namespace stator::client
