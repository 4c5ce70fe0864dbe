#include "stores/events/compression.h"

#include <zlib.h>

#include "base/check.h"

namespace stator::events {
namespace {

const Bytef* BytesOf(std::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());  // zlib's type for bytes
}

}  // namespace

std::string Compress(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size, BytesOf(bytes),
                               bytes.size(), Z_DEFAULT_COMPRESSION);
  CHECK(result == Z_OK);
  out.resize(size);
  return out;
}

Result<std::string> Decompress(std::string_view bytes, std::size_t size) {
  constexpr std::size_t kSizeMax = std::size_t{4} << 30U;
  if (size > kSizeMax) {
    return Fail(ErrorCode::kCorruption, "a state claims to be larger than it can be");
  }
  std::string out(size, '\0');
  uLongf given = out.size();
  if (uncompress(reinterpret_cast<Bytef*>(out.data()), &given, BytesOf(bytes), bytes.size()) !=
          Z_OK ||
      given != size) {
    return Fail(ErrorCode::kCorruption, "a state does not decompress");
  }
  return out;
}

}  // namespace stator::events
